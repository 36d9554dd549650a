import Dispatch

/// The clock of a loader, which tests can replace.
@MainActor package protocol LoaderClock: AnyObject {
  var now: ContinuousClock.Instant { get }
  /// Runs `work` once at `time`, and cancels the work scheduled before; `nil` only cancels.
  func wake(at time: ContinuousClock.Instant?, _ work: @escaping @MainActor () -> Void)
}

/// The system's clock, with one timer at most; none runs while no work is scheduled.
@MainActor final class SystemLoaderClock: LoaderClock {
  private var timer: (any DispatchSourceTimer)?

  nonisolated init() {}

  isolated deinit { timer?.cancel() }

  var now: ContinuousClock.Instant { .now }

  func wake(at time: ContinuousClock.Instant?, _ work: @escaping @MainActor () -> Void) {
    timer?.cancel()
    timer = nil
    guard let time else { return }
    let (seconds, attoseconds) = max(.zero, now.duration(to: time)).components
    let wait = DispatchTimeInterval.nanoseconds(
      Int(min(seconds, 1_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + 1_000_000)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + wait, leeway: .milliseconds(20))
    timer.setEventHandler { MainActor.assumeIsolated(work) }
    self.timer = timer
    timer.activate()
  }
}
