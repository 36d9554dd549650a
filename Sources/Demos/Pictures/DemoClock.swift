import Dispatch
import System

/// The time in which a demo's pictures arrive. It can stand still, and pass in steps.
///
///     sleep(500 ms) ──▶ sleeper, due at now + 500 ms
///     running: one timer for the first that is due
///     standing: `step()` wakes those due in a moment, one after the other, and those who sleep again
///
/// Without sleepers there is no timer.
@MainActor public final class DemoClock {
  /// The time that a step lets pass. `400 ms`
  public static let moment = Duration.milliseconds(400)

  /// The time since the start.
  public var now: Duration { isPaused ? limit : passed }
  /// When the last sleeper was woken.
  private var passed = Duration.zero
  /// Until when sleepers are woken while time stands still.
  private var limit = Duration.zero
  /// Whether time stands still.
  public private(set) var isPaused: Bool
  /// Called when time has passed.
  public var onChange: (() -> Void)?

  private struct Sleeper {
    let due: Duration
    let alarm: AsyncStream<Never>.Continuation
  }

  private var sleepers: [Int: Sleeper] = [:]
  private var nextID = 0
  /// Counts timers: only the last one is of interest.
  private var timers = 0
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void

  /// A clock of the system's time.
  public convenience init(isPaused: Bool) {
    self.init(isPaused: isPaused) { time, work in
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
        MainActor.assumeIsolated(work)
      }
    }
  }

  /// - Parameter after: calls its second argument after the time of its first.
  init(
    isPaused: Bool, after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void
  ) {
    (self.isPaused, self.after) = (isPaused, after)
  }

  /// Lets time run or stand still.
  public func toggle() {
    isPaused.toggle()
    if isPaused { limit = passed } else { passed = limit }
    arm()
    onChange?()
  }

  /// Lets a moment pass while time stands still.
  public func step() {
    guard isPaused else { return }
    passed = limit
    limit += Self.moment
    arm()
    onChange?()
  }

  /// Waits.
  ///
  /// - Throws: `CancellationError`.
  func sleep(_ time: Duration) async throws {
    let (ticks, alarm) = AsyncStream.makeStream(of: Never.self)
    let id = nextID
    nextID += 1
    sleepers[id] = Sleeper(due: passed + time, alarm: alarm)
    arm()
    for await _ in ticks {}
    if sleepers.removeValue(forKey: id) != nil { arm() }
    try Task.checkCancellation()
  }

  private func pass(to time: Duration) {
    passed = max(passed, time)
    for (id, sleeper) in sleepers where sleeper.due <= passed {
      sleepers[id] = nil
      sleeper.alarm.finish()
    }
    onChange?()
  }

  /// Sets the timer for the first sleeper; while time stands still, only for one due by then.
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
