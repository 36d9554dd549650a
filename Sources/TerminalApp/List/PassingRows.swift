/// Whether rows are only passed: more than a screen of them within ``window``.
///
/// 1. One jump, however far, ends where it ends at once; it takes two moves to pass rows.
/// 2. What showed a window ago counts: where none of it shows any more, a screen has passed.
/// 3. It is over when the last move but one is a window old, so at the latest a window after the
///    last.
struct PassingRows {
  typealias Instant = ContinuousClock.Instant

  static let window = Duration.milliseconds(150)

  /// What showed from a moment on, the oldest first: one from before the window at most.
  private var shown: [(since: Instant, rows: Range<Int>)] = []

  /// A frame shows these rows.
  ///
  /// - Complexity: O(frames within the window).
  mutating func note(_ rows: Range<Int>, at now: Instant) {
    guard shown.last?.rows != rows else { return }
    shown.append((now, rows))
    let start = now - Self.window
    while shown.count > 1, shown[1].since <= start { shown.removeFirst() }
  }

  /// When rows will no longer be only passed unless they move again; nil where they are not.
  func end(at now: Instant) -> Instant? {
    let moves = shown.filter { $0.since > now - Self.window }
    // The oldest is where the moves began, unless nothing showed before.
    guard moves.count > 1, let first = shown.first, let last = shown.last,
      !first.rows.overlaps(last.rows)
    else { return nil }
    return moves[moves.count - 2].since + Self.window
  }
}
