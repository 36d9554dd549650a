/// Detects that rows are only scrolled past: more than a screen of them within ``window``.
///
/// 1. A single jump of any length is not scrolling past; two moves are needed.
/// 2. If none of the rows shown one window ago is visible any more, a screen has passed.
/// 3. It ends when the last move but one is a window old, at the latest one window after the last
///    move.
struct ScrollSpeedMonitor {
  typealias Instant = ContinuousClock.Instant

  static let window = Duration.milliseconds(150)

  /// The rows shown and since when, oldest first. After a move at most one entry is older than the
  /// window.
  private var shown: [(since: Instant, rows: Range<Int>)] = []

  /// Records the rows that a frame shows; a frame with the same rows is not a move.
  ///
  /// - Complexity: O(frames within the window).
  mutating func note(_ rows: Range<Int>, at now: Instant) {
    guard shown.last?.rows != rows else { return }
    shown.append((now, rows))
    let start = now - Self.window
    while shown.count > 1, shown[1].since <= start { shown.removeFirst() }
  }

  /// When scrolling past ends unless the rows move again; `nil` if rows are not being scrolled
  /// past.
  func end(at now: Instant) -> Instant? {
    let start = now - Self.window
    let moves = shown.filter { $0.since > start }
    // The moves began at the rows shown at the start, unless none were shown before.
    guard moves.count > 1, let first = shown.last(where: { $0.since <= start }) ?? shown.first,
      let last = shown.last, !first.rows.overlaps(last.rows)
    else { return nil }
    return moves[moves.count - 2].since + Self.window
  }
}
