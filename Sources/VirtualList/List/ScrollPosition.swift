/// A line of the list: a row, and a line of it.
public struct ScrollPosition: Hashable, Comparable, Sendable {
  public var row: Int
  public var line: Int

  public static let top = ScrollPosition(row: 0, line: 0)

  public init(row: Int, line: Int) {
    self.row = row
    self.line = line
  }

  public static func < (a: ScrollPosition, b: ScrollPosition) -> Bool {
    a.row != b.row ? a.row < b.row : a.line < b.line
  }
}
