import Dispatch
import System
import Terminal

/// Schedules work on the main queue or, without a terminal, in a list that its owner empties. Tests
/// override it to let time pass in steps.
@MainActor class MainQueueScheduler {
  private var waiting: [@MainActor () -> Void]?

  /// - Parameter isManual: work runs only in ``run()``, and delays are ignored.
  init(isManual: Bool = false) { waiting = isManual ? [] : nil }

  final var isManual: Bool { waiting != nil }

  /// The time that delays are measured from.
  var now: ContinuousClock.Instant { .now }

  /// Does `work` after all work that is already scheduled.
  func later(_ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else {
      waiting?.append(work)
      return
    }
    DispatchQueue.main.async { MainActor.assumeIsolated(work) }
  }

  /// Does `work` after `time`.
  func after(_ time: Duration, _ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else { return later(work) }
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
      MainActor.assumeIsolated(work)
    }
  }

  /// Does `work` a millisecond from now: until then the program leaves the core that it runs on to
  /// the terminal, which may need it. Call it only when no earlier work waits this way: the main
  /// loop keeps a single callback, which the next one replaces.
  func afterTerminalHasRun(_ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else { return later(work) }
    if !MainLoop.after(milliseconds: 1, work) { after(.milliseconds(1), work) }
  }

  /// Runs all scheduled work, including work scheduled meanwhile.
  final func run() {
    while let work = waiting, !work.isEmpty {
      waiting = []
      for piece in work { piece() }
    }
  }
}
