/// Decides when a frame that shows arrivals is drawn. Input does not wait for it.
struct FramePace {
  /// The least and the most time between the end of a frame and one that shows arrivals: a picture
  /// that is late by no more is not seen to be late.
  static let shortest = Duration.milliseconds(8)
  static let longest = Duration.milliseconds(40)
  /// The time before a frame of arrivals, in durations of the last frame: frames that take long are
  /// drawn more rarely.
  private static let share = 4

  private var interval: Duration { min(max(Self.shortest, lastTime * Self.share), Self.longest) }
  /// The duration of the last frame.
  private var lastTime = Duration.zero
  private var lastFrame: ContinuousClock.Instant?
  private var due: ContinuousClock.Instant?

  /// The time to wait before a frame that shows something that has arrived; `nil` if a frame is
  /// already scheduled early enough.
  ///
  /// - Parameter isCompleting: whether it completes what the last frame showed unfinished, such as
  ///   the pixels of a picture whose place is visible. It waits only as long as the last frame took,
  ///   at most ``longest``: shorter frames thus leave half of the time to other work.
  mutating func wait(
    at now: ContinuousClock.Instant, completing isCompleting: Bool = false
  ) -> Duration? {
    let wait = isCompleting ? min(lastTime, interval) : interval
    guard let lastFrame, now < lastFrame + wait else { return .zero }
    let time = lastFrame + wait
    if let due, due <= time { return nil }
    due = time
    return time - now
  }

  /// Whether the scheduled frame is due. It is not if another frame was drawn since it was
  /// scheduled.
  func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// Records a frame that ended at `now` and took `time`, sending included: it shows all arrivals.
  mutating func noteFrame(at now: ContinuousClock.Instant, taking time: Duration) {
    lastTime = time
    lastFrame = now
    due = nil
  }
}
