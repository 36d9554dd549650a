@testable import TerminalApp

/// Schedules work in a time that passes only in ``advance(by:)`` and ``spend(_:)``.
@MainActor final class SteppedScheduler: MainQueueScheduler {
  private let start = ContinuousClock.now
  /// The time since the start.
  private(set) var elapsed = Duration.zero
  private var scheduled: [(time: Duration, work: @MainActor () -> Void)] = []

  override var now: ContinuousClock.Instant { start + elapsed }

  /// The time since the start in whole milliseconds.
  var milliseconds: Int {
    let (seconds, attoseconds) = elapsed.components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  /// Whether nothing is scheduled, so that no timer wakes the program.
  var isIdle: Bool { scheduled.isEmpty }

  override func later(_ work: @escaping @MainActor () -> Void) { after(.zero, work) }

  override func after(_ time: Duration, _ work: @escaping @MainActor () -> Void) {
    scheduled.append((elapsed + time, work))
  }

  override func afterTerminalHasRun(_ work: @escaping @MainActor () -> Void) {
    after(.milliseconds(1), work)
  }

  /// Lets time pass in the work that calls this.
  func spend(_ time: Duration) { elapsed += time }

  /// Lets time pass and runs the work that is due, also what that schedules.
  func advance(by time: Duration = .zero) {
    let end = elapsed + time
    while let next = scheduled.indices.min(by: { scheduled[$0].time < scheduled[$1].time }),
      scheduled[next].time <= end
    {
      let (time, work) = scheduled.remove(at: next)
      elapsed = max(elapsed, time)
      work()
    }
    elapsed = max(elapsed, end)
  }

  /// Lets time pass until `milliseconds` after the start, unless it is later already.
  func advance(to milliseconds: Int) {
    advance(by: max(.zero, .milliseconds(milliseconds) - elapsed))
  }
}
