/// When a frame may show what has arrived and nobody waits for.
struct FramePace {
  enum Answer: Hashable {
    case now
    case after(Duration)
    /// It was told when already.
    case isAwaited
  }

  /// Between the last frame and one that shows what has arrived: a picture that comes so much later is
  /// not seen to be late.
  static let interval = Duration.milliseconds(40)

  private var lastFrame: ContinuousClock.Instant?
  private var due: ContinuousClock.Instant?

  /// Something has arrived.
  mutating func nextFrame(at now: ContinuousClock.Instant) -> Answer {
    guard let lastFrame, now < lastFrame + Self.interval else { return .now }
    guard due == nil else { return .isAwaited }
    due = lastFrame + Self.interval
    return .after(lastFrame + Self.interval - now)
  }

  /// Whether what has arrived is to be shown now. It is not where another frame has shown it, or came
  /// between.
  func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// A frame was drawn: it shows all there is.
  mutating func noteFrame(at now: ContinuousClock.Instant) {
    lastFrame = now
    due = nil
  }
}

extension Duration {
  /// For Dispatch, which counts so.
  var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
