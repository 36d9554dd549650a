/// A move by some lines, shown in a few frames: fast at first, then slower. A value without a
/// clock; its owner calls `step(at:)`, or `finish()` as soon as something else is to be done.
///
/// What it moves by in all is what it was asked for, however its frames fall.
struct ScrollAnimation: Sendable {
  /// 100 ms: seen, but not waited for.
  static let duration = Duration.milliseconds(100)
  /// Time between frames: five frames a move.
  static let interval = Duration.milliseconds(20)

  /// Lines to move by in all, down if positive.
  let lines: Int
  private let start: Duration
  private var moved = 0

  /// - Parameter now: any clock's time; later calls must be told the same clock's.
  init(lines: Int, at now: Duration) {
    self.lines = lines
    start = now
  }

  var isDone: Bool { moved == lines }

  /// The lines to move by now: 0 where it is not time for the next one.
  mutating func step(at now: Duration) -> Int {
    // The first frame is due at once: a key is answered when it is pressed.
    let share = min(1, max(0, (now - start + Self.interval) / Self.duration))
    let left = 1 - share
    // Rounded towards the end, so that the last lines are not waited for.
    let target = (Double(lines) * (1 - left * left)).rounded(.awayFromZero)
    let step = Int(target) - moved
    moved += step
    return step
  }

  /// All that is left.
  mutating func finish() -> Int {
    defer { moved = lines }
    return lines - moved
  }
}
