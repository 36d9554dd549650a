/// An extent in terminal cells: `width` in columns, `height` in rows.
public struct Size: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public static let zero = Size(width: 0, height: 0)

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// True where there is no cell at all.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}
