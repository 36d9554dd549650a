/// A position in terminal cells: `x` in columns from the left, `y` in rows from the top.
public struct Point: Hashable, Sendable {
  /// Columns from the left; negative left of the origin.
  public var x: Int
  /// Rows from the top; negative above the origin.
  public var y: Int

  /// The upper left corner.
  public static let zero = Point(x: 0, y: 0)

  /// A position by its column and row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// This point moved by `dx` columns and `dy` rows.
  public func offset(dx: Int, dy: Int) -> Point { Point(x: x + dx, y: y + dy) }
}
