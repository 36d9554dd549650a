/// A line of the list: a row, and a line within it.
public struct ScrollPosition: Hashable, Comparable, Sendable {
  /// The row, from 0.
  public var row: Int
  /// The line of the row, from 0.
  public var line: Int

  /// The first line of the list.
  public static let top = ScrollPosition(row: 0, line: 0)

  /// Creates a position from a row and a line within it.
  public init(row: Int, line: Int) {
    self.row = row
    self.line = line
  }

  public static func < (a: ScrollPosition, b: ScrollPosition) -> Bool {
    a.row != b.row ? a.row < b.row : a.line < b.line
  }
}
