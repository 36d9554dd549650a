/// A position in terminal cells: `x` in columns from the left, `y` in rows from the top.
public struct Point: Hashable, Sendable {
  public var x: Int
  public var y: Int

  public static let zero = Point(x: 0, y: 0)

  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// This point moved by `dx` columns and `dy` rows.
  public func offset(dx: Int, dy: Int) -> Point { Point(x: x + dx, y: y + dy) }
}
