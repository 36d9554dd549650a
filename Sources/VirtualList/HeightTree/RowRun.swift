/// Rows of one kind that follow each other and that nobody has measured.
public struct RowRun: Hashable, Sendable {
  /// Their estimate class, `0..<16`.
  public var kind: Int
  /// Rows.
  public var count: Int
  /// Cells that the text of all of them takes, or a number in proportion to it; nil where that is
  /// not known.
  public var textLength: Int?

  /// A run of rows of one kind.
  public init(kind: Int = 0, count: Int, textLength: Int? = nil) {
    self.kind = kind
    self.count = count
    self.textLength = textLength
  }
}
