/// Rows of one kind that follow each other and that nobody has measured.
public struct RowRun: Hashable, Sendable {
  public var kind: Int
  public var count: Int
  /// Cells that the text of all of them takes, or a number in proportion to it; nil where that is
  /// not known.
  public var textLength: Int?

  public init(kind: Int = 0, count: Int, textLength: Int? = nil) {
    self.kind = kind
    self.count = count
    self.textLength = textLength
  }
}
