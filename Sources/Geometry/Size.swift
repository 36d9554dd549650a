/// An extent in terminal cells: `width` in columns, `height` in rows.
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// No cell.
  public static let zero = Size(width: 0, height: 0)

  /// An extent of so many columns and rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// True where there is no cell at all.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}
