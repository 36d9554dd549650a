import System

/// The clock for the ages of posts, and the single alarm that updates them.
///
/// 1. A cell is configured for the current time and knows how long its relative times hold
///    (`ListViewCell.isCurrent`). Before each frame the list configures outdated cells again;
///    setting the clock back makes them outdated, too.
/// 2. After each frame the screen reports when the first visible relative time changes, and the
///    alarm is set for then. If none changes, or if another screen covers this one, there is no
///    alarm.
/// 3. The alarm only requests a frame.
@MainActor package final class PostClock {
  private let read: () -> Double
  private let setAlarm: (_ time: Double?, _ body: @escaping @MainActor () -> Void) -> Void
  /// The screen that the alarm is set for.
  private weak var screen: ListScreen?

  /// A custom clock.
  ///
  /// - Parameters:
  ///   - now: returns the seconds since 1970.
  ///   - setAlarm: calls `body` when that time is reached or the clock is set, until it is called
  ///     again; `nil` cancels the alarm.
  package init(
    now: @escaping () -> Double,
    setAlarm: @escaping (_ time: Double?, _ body: @escaping @MainActor () -> Void) -> Void
  ) {
    read = now
    self.setAlarm = setAlarm
  }

  /// The system's clock.
  package static var system: PostClock {
    let alarm = WallClockAlarm()
    return PostClock(now: { SystemClock.wallTime }, setAlarm: { alarm.set(at: $0, $1) })
  }

  /// A clock that stands still.
  package static func fixed(at time: Double) -> PostClock {
    PostClock(now: { time }, setAlarm: { _, _ in })
  }

  /// The seconds since 1970.
  package var now: Double { read() }

  /// Sets the alarm for `time`, when relative times on `screen` change; `nil` if none do, or if the
  /// screen is covered.
  func words(on screen: ListScreen, changeAt time: Double?) {
    if time == nil {
      // Another screen's alarm stays.
      guard self.screen === screen else { return }
      self.screen = nil
    } else {
      self.screen = screen
    }
    setAlarm(time) { [weak self] in self?.screen?.setNeedsFrameSoon() }
  }
}
