/// Decides when a timeline in pages needs its next page, with older rows.
///
/// A page is needed when the rows shown come within ``screensAhead`` screens of the last row, and
/// whenever there are no rows or fewer than are wanted.
struct RowDemand: Sendable {
  /// The distance from the last row, in screens, at which the next page is needed.
  static let screensAhead = 2

  /// The number of rows.
  private(set) var count = 0
  private var shown = 0..<0
  /// The number of rows that are wanted even if they are not shown.
  private var wanted = 0

  /// Whether the end of the rows is near those shown, or there are no rows.
  var isEndNear: Bool {
    count == 0 || !shown.isEmpty && count - shown.upperBound < Self.screensAhead * shown.count
  }
  /// Whether there are fewer rows than are wanted.
  var isLacking: Bool { count < wanted }

  mutating func supply(_ count: Int) { self.count = count }

  /// - Returns: whether other rows were shown before.
  mutating func show(_ rows: Range<Int>) -> Bool {
    defer { shown = rows }
    return rows != shown
  }

  /// - Returns: whether another number was wanted before.
  mutating func want(_ rows: Int) -> Bool {
    defer { wanted = rows }
    return rows != wanted
  }
}
