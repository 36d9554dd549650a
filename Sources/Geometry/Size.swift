/// An extent in terminal cells: `width` in columns, `height` in rows.
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// No cells.
  public static let zero = Size(width: 0, height: 0)

  /// An extent of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether it holds no cell.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}
