import Dispatch
import System

/// The clock by which a demo's pictures arrive. It can be paused and advanced in steps.
///
///     sleep(500 ms) ──▶ sleeper, due at now + 500 ms
///     running: one timer, for the sleeper due first
///     paused: `step()` wakes sleepers due within a moment, also those that sleep again
///
/// Without sleepers no timer is started.
@MainActor package final class DemoClock {
  /// The length of a step. `400 ms`
  package static let moment = Duration.milliseconds(400)

  /// The time since the start; while the clock runs, as of the last wake-up.
  package var now: Duration { isPaused ? limit : passed }
  /// The time as of the last look at real time, step or resumption, and the real time then.
  private var passed = Duration.zero
  private var realTimeThen: Duration
  /// The paused clock's time: sleepers due by then are woken.
  private var limit = Duration.zero
  /// Whether the clock is paused.
  package private(set) var isPaused: Bool
  /// Called when the time has changed, or the clock was paused or resumed.
  package var onChange: (() -> Void)?

  private struct Sleeper {
    let due: Duration
    let alarm: AsyncStream<Never>.Continuation
  }

  private var sleepers: [Int: Sleeper] = [:]
  private var nextID = 0
  /// The number of the latest timer; earlier ones do nothing when they fire.
  private var timers = 0
  private let realTime: () -> Duration
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void

  /// A clock that runs with timers of the main queue.
  package convenience init(isPaused: Bool) {
    let start = ContinuousClock.now
    self.init(
      isPaused: isPaused, realTime: { ContinuousClock.now - start },
      after: { time, work in
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
          MainActor.assumeIsolated(work)
        }
      })
  }

  /// - Parameters:
  ///   - realTime: the time that passes while the clock runs.
  ///   - after: calls its second argument after the real time of its first.
  init(
    isPaused: Bool, realTime: @escaping () -> Duration,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void
  ) {
    (self.isPaused, self.realTime, self.after) = (isPaused, realTime, after)
    realTimeThen = realTime()
  }

  /// Pauses or resumes the clock.
  package func toggle() {
    lookAtRealTime()
    isPaused.toggle()
    if isPaused {
      limit = passed
    } else {
      (passed, realTimeThen) = (limit, realTime())
    }
    arm()
    onChange?()
  }

  /// Advances a paused clock by a moment.
  package func step() {
    guard isPaused else { return }
    passed = limit
    limit += Self.moment
    arm()
    onChange?()
  }

  /// Waits for `time` on this clock.
  ///
  /// - Throws: `CancellationError`.
  func sleep(_ time: Duration) async throws {
    let (ticks, alarm) = AsyncStream.makeStream(of: Never.self)
    let id = nextID
    nextID += 1
    lookAtRealTime()
    sleepers[id] = Sleeper(due: passed + time, alarm: alarm)
    arm()
    for await _ in ticks {}
    if sleepers.removeValue(forKey: id) != nil { arm() }
    try Task.checkCancellation()
  }

  /// Advances a running clock to the real time.
  private func lookAtRealTime() {
    guard !isPaused else { return }
    let time = realTime()
    passed += time - realTimeThen
    realTimeThen = time
  }

  private func pass(to time: Duration) {
    lookAtRealTime()
    passed = max(passed, time)
    for (id, sleeper) in sleepers where sleeper.due <= passed {
      sleepers[id] = nil
      sleeper.alarm.finish()
    }
    onChange?()
  }

  /// Starts the timer for the sleeper due first; while paused, only if it is due by now.
  private func arm() {
    timers += 1
    guard let due = sleepers.values.map(\.due).min(), !isPaused || due <= limit else { return }
    let timer = timers
    after(isPaused ? .zero : max(.zero, due - passed)) { [weak self] in
      guard let self, timer == timers else { return }
      pass(to: due)
      arm()
    }
  }
}
