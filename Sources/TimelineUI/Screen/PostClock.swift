import System

/// The clock by which posts say how long ago they were, and the one alarm that moves their words on.
///
/// 1. A cell is configured by the time that it is then, and knows how long its words hold
///    (`ListViewCell.isCurrent`). Before each frame the list has those configured again that do not
///    hold any more; a clock that goes back ends them as well.
/// 2. After each frame the screen says when the first word that shows changes, and the alarm is set
///    for that. Where none does, and where another screen covers it, there is no alarm.
/// 3. The alarm asks for a frame, and for nothing else.
@MainActor public final class PostClock {
  private let read: () -> Double
  private let setAlarm: (_ time: Double?, _ body: @escaping @MainActor () -> Void) -> Void
  /// Whose words the alarm is set for.
  private weak var screen: ListScreen?

  /// A clock of one's own.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - setAlarm: calls `body` from that time on, and when the clock is set, until it is called
  ///     again; nil for never.
  public init(
    now: @escaping () -> Double,
    setAlarm: @escaping (_ time: Double?, _ body: @escaping @MainActor () -> Void) -> Void
  ) {
    read = now
    self.setAlarm = setAlarm
  }

  /// The system's.
  public static var system: PostClock {
    let alarm = WallClockAlarm()
    return PostClock(now: { SystemClock.wallTime }, setAlarm: { alarm.set(at: $0, $1) })
  }

  /// A clock that stands still.
  public static func fixed(at time: Double) -> PostClock {
    PostClock(now: { time }, setAlarm: { _, _ in })
  }

  /// Seconds since 1970.
  public var now: Double { read() }

  /// The words that `screen` shows are others from `time` on; nil where they stay as they are, and
  /// where it does not show.
  func words(on screen: ListScreen, changeAt time: Double?) {
    if time == nil {
      // The alarm of another screen is its own.
      guard self.screen === screen else { return }
      self.screen = nil
    } else {
      self.screen = screen
    }
    setAlarm(time) { [weak self] in self?.screen?.setNeedsFrameSoon() }
  }
}
