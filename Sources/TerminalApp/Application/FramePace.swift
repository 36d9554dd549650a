/// When a frame may show what has arrived and nobody waits for.
struct FramePace {
  enum Answer: Hashable {
    case now
    case after(Duration)
    /// It was told when already.
    case isAwaited
  }

  /// Between the last frame and one that shows what has arrived, at least and at most: a picture
  /// that comes so much later is not seen to be late.
  static let shortest = Duration.milliseconds(8)
  static let longest = Duration.milliseconds(40)
  /// Of all time, frames that nobody waits for take at most this part: those that take long are
  /// rarer.
  private static let share = 4

  private var interval = Self.shortest
  /// What the last frame took.
  private var lastTime = Duration.zero
  private var lastFrame: ContinuousClock.Instant?
  private var due: ContinuousClock.Instant?

  /// Something has arrived.
  mutating func nextFrame(at now: ContinuousClock.Instant) -> Answer {
    guard let lastFrame, now < lastFrame + interval else { return .now }
    guard due == nil else { return .isAwaited }
    due = lastFrame + interval
    return .after(lastFrame + interval - now)
  }

  /// What has arrived completes something that shows unfinished, as pixels do for a picture whose
  /// place is there: it waits as long as the last frame took, so that frames still leave half of
  /// all time to others.
  mutating func nextFrame(completingAt now: ContinuousClock.Instant) -> Answer {
    guard let lastFrame, now < lastFrame + min(lastTime, interval) else { return .now }
    let time = lastFrame + min(lastTime, interval)
    if let due, due <= time { return .isAwaited }
    due = time
    return .after(time - now)
  }

  /// Whether what has arrived is to be shown now. It is not where another frame has shown it, or
  /// came between.
  func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// A frame was drawn, which took so long, sending it included: it shows all there is.
  mutating func noteFrame(at now: ContinuousClock.Instant, taking time: Duration) {
    interval = min(max(Self.shortest, time * Self.share), Self.longest)
    lastTime = time
    lastFrame = now
    due = nil
  }
}
