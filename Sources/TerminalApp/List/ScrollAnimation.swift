/// A move by some lines, shown in a few frames: fast at first, then slower. A value without a
/// clock; its owner calls `step(at:)`, or `finish()` as soon as something else happens.
///
/// The steps add up to the requested lines, at whatever times the frames are drawn.
struct ScrollAnimation: Sendable {
  /// Long enough to be seen, too short to be waited for. `100 ms`
  static let duration = Duration.milliseconds(100)
  /// The time between frames, for five frames a move. `20 ms`
  static let interval = Duration.milliseconds(20)

  /// The lines to move by in total, down if positive.
  let lines: Int
  private let start: Duration
  private var moved = 0

  /// - Parameter now: the time of any clock; later calls need the same clock.
  init(lines: Int, at now: Duration) {
    self.lines = lines
    start = now
  }

  var isDone: Bool { moved == lines }

  /// The lines to move by now; 0 if the next step is not due.
  mutating func step(at now: Duration) -> Int {
    // The first frame is due at once, as a response to the key.
    let share = min(1, max(0, (now - start + Self.interval) / Self.duration))
    let left = 1 - share
    // Rounded towards the end, so that the last lines do not come late.
    let target = (Double(lines) * (1 - left * left)).rounded(.awayFromZero)
    let step = Int(target) - moved
    moved += step
    return step
  }

  /// All remaining lines.
  mutating func finish() -> Int {
    defer { moved = lines }
    return lines - moved
  }
}
