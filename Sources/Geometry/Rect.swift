/// A rectangle of terminal cells. `maxX` and `maxY` are the first column and row past it.
public struct Rect: Hashable, Sendable {
  /// The upper left cell.
  public var origin: Point
  /// The extent from there; a width or height below 1 holds no cell.
  public var size: Size

  /// The empty rectangle at the origin.
  public static let zero = Rect(origin: .zero, size: .zero)

  /// A rectangle by its upper left cell and its extent.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle by its upper left cell and its extent.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The first column.
  public var minX: Int { origin.x }
  /// The first row.
  public var minY: Int { origin.y }
  /// The column after the last one.
  public var maxX: Int { origin.x + size.width }
  /// The row after the last one.
  public var maxY: Int { origin.y + size.height }
  /// The width in columns.
  public var width: Int { size.width }
  /// The height in rows.
  public var height: Int { size.height }

  /// Whether it holds no cell.
  public var isEmpty: Bool { size.isEmpty }

  /// Whether the cell at `point` is in this rectangle.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// The cells that are in both; `.zero` if there are none.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// This rectangle reduced by `insets`; its size is never negative.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }

  /// This rectangle moved by `dx` columns and `dy` rows.
  public func offset(dx: Int, dy: Int) -> Rect {
    Rect(origin: origin.offset(dx: dx, dy: dy), size: size)
  }
}
