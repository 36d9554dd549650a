/// Rows of one kind that follow each other and that nobody has measured.
struct RowRun: Hashable {
  /// Their estimate class, `0..<16`.
  var kind = 0
  /// Rows.
  var count: Int
  /// Cells that the text of all of them takes, or a number in proportion to it; nil where that is
  /// not known.
  var textLength: Int?
}
