import TextLayout

/// Finds matches in the texts of a list's rows.
///
/// Rows are searched in batches, each in a turn of its own: keys do not wait for a search.
@MainActor final class RowTextFinder: MatchFinder {
  /// A pass over all rows.
  private struct Pass: Equatable {
    var origin: Int
    var includesOrigin: Bool
    var direction: SearchDirection

    /// The row at a place of the pass.
    func row(_ place: Int, of count: Int) -> Int {
      let distance = includesOrigin ? place : place + 1
      return direction == .forward
        ? (origin + distance) % count : (origin + count - distance % count) % count
    }

    func hasWrapped(at row: Int) -> Bool {
      if row == origin { return !includesOrigin }
      return (row > origin) != (direction == .forward)
    }
  }

  private unowned let pane: ListPane
  /// The text of a row; `nil` if it has none.
  private let text: (Int) -> String?
  private let markAll: (TextNeedle?) -> Void
  var onChange: (() -> Void)?
  private var needle: TextNeedle?
  private var matcher = TextMatcher()
  /// The pass under way, and the number of rows that it has searched.
  private var current: (pass: Pass, seen: Int)?
  /// Counts searches, so that batches of an earlier one are dropped.
  private var generation = 0

  /// The number of rows searched in a turn.
  private static let rowsAtOnce = 500

  /// - Parameter mark: marks matches in all cells; `nil` removes the marks.
  init(
    _ pane: ListPane, text: @escaping (Int) -> String?, mark: @escaping (TextNeedle?) -> Void
  ) {
    self.pane = pane
    self.text = text
    markAll = mark
  }

  func find(_ needle: TextNeedle, from row: Int, _ direction: SearchDirection) {
    end()
    self.needle = needle
  }

  func end() {
    (needle, current) = (nil, nil)
    generation += 1
  }

  func match(
    from row: Int, including includesIt: Bool, _ direction: SearchDirection
  ) -> SearchMatch {
    let pass = Pass(origin: row, includesOrigin: includesIt, direction: direction)
    let seen = current.map { $0.pass == pass ? $0.seen : 0 } ?? 0
    current = nil
    let count = pane.rowCount
    guard let needle, seen < count else { return .none }
    let end = min(count, seen + Self.rowsAtOnce)
    for place in seen..<end {
      let row = pass.row(place, of: count)
      guard let text = text(row), matcher.contains(needle, in: text) else { continue }
      return .row(row, wrapped: pass.hasWrapped(at: row))
    }
    guard end < count else { return .none }
    current = (pass, end)
    pane.application?.scheduler.later { [weak self, generation] in
      guard let self, self.generation == generation else { return }
      onChange?()
    }
    return .searching
  }

  func mark(_ needle: TextNeedle?) { markAll(needle) }
  func matchLines(ofRow row: Int) -> [Int] { [] }
  var omission: String { "" }
  func progress(atRow row: Int) -> String { "" }
}
