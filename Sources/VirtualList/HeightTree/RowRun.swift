/// Consecutive unmeasured rows of one kind.
struct RowRun: Hashable {
  /// Their estimate class, `0..<16`.
  var kind = 0
  /// The number of rows.
  var count: Int
  /// Cells of the text of all rows, or a number in proportion to it; `nil` if unknown.
  var textLength: Int?
}
