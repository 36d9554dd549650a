import Dispatch
import System
import Terminal

/// Where work waits for a later turn: the main queue, or, without a terminal, a list that its owner
/// empties.
@MainActor final class Turns {
  private var waiting: [@MainActor () -> Void]?

  /// - Parameter areManual: work is done by ``run()`` alone, and delays count as over.
  init(areManual: Bool = false) { waiting = areManual ? [] : nil }

  var areManual: Bool { waiting != nil }

  /// Does `work` behind everything that waits already.
  func later(_ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else {
      waiting?.append(work)
      return
    }
    DispatchQueue.main.async { MainActor.assumeIsolated(work) }
  }

  /// Does `work` when `time` has passed.
  func after(_ time: Duration, _ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else { return later(work) }
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
      MainActor.assumeIsolated(work)
    }
  }

  /// Does `work` when a millisecond has passed: the terminal may wait for the core that this program
  /// runs on, which it leaves to others until then. One piece of work waits so at a time.
  func whenTerminalHadTime(_ work: @escaping @MainActor () -> Void) {
    guard waiting == nil else { return later(work) }
    if !MainLoop.after(milliseconds: 1, work) { after(.milliseconds(1), work) }
  }

  /// Does what waits, and what that leads to.
  func run() {
    while let work = waiting, !work.isEmpty {
      waiting = []
      for piece in work { piece() }
    }
  }
}
