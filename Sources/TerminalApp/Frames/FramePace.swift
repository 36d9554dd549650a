/// Decides when a frame that shows arrivals is drawn. Input does not wait for it.
struct FramePace {
  enum Answer: Hashable {
    case now
    case after(Duration)
    /// A frame is already scheduled early enough.
    case isAwaited
  }

  /// The least and the most time between the end of a frame and one that shows arrivals: a picture
  /// that is late by no more is not seen to be late.
  static let shortest = Duration.milliseconds(8)
  static let longest = Duration.milliseconds(40)
  /// The time before a frame of arrivals, in durations of the last frame: frames that take long are
  /// drawn more rarely.
  private static let share = 4

  private var interval = Self.shortest
  /// The duration of the last frame.
  private var lastTime = Duration.zero
  private var lastFrame: ContinuousClock.Instant?
  private var due: ContinuousClock.Instant?

  /// When to draw something that has arrived.
  mutating func nextFrame(at now: ContinuousClock.Instant) -> Answer {
    guard let lastFrame, now < lastFrame + interval else { return .now }
    guard due == nil else { return .isAwaited }
    due = lastFrame + interval
    return .after(lastFrame + interval - now)
  }

  /// When to draw an arrival that completes what the last frame showed unfinished, such as the
  /// pixels of a picture whose place is visible. It waits only as long as the last frame took, at
  /// most ``longest``: shorter frames thus leave half of the time to other work.
  mutating func nextFrame(completingAt now: ContinuousClock.Instant) -> Answer {
    guard let lastFrame, now < lastFrame + min(lastTime, interval) else { return .now }
    let time = lastFrame + min(lastTime, interval)
    if let due, due <= time { return .isAwaited }
    due = time
    return .after(time - now)
  }

  /// Whether the scheduled frame is due. It is not if another frame was drawn since it was
  /// scheduled.
  func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// Records a frame that ended at `now` and took `time`, sending included: it shows all arrivals.
  mutating func noteFrame(at now: ContinuousClock.Instant, taking time: Duration) {
    interval = min(max(Self.shortest, time * Self.share), Self.longest)
    lastTime = time
    lastFrame = now
    due = nil
  }
}
