import Geometry

/// One cell of a canvas: up to five code points, as many as ncurses keeps, and how they look.
///
/// A character two columns wide is a leading cell of `width` 2 followed by a trailing cell of `width` 0.
public struct CanvasCell: Hashable, Sendable {
  /// Code points in order; the first zero ends them.
  public var scalars: (UInt32, UInt32, UInt32, UInt32, UInt32)
  public var style: Style
  /// Columns: 1 or 2, and 0 for the second half of a wide character.
  public var width: UInt8
  /// Fills the cell up to its stride: without gaps, rows of cells can be compared by their bytes.
  private let filler: UInt8 = 0

  /// The second half of a wide character of this style.
  public static func trailing(style: Style) -> CanvasCell {
    var cell = CanvasCell(" ", style: style, width: 0)
    cell.scalars.0 = 0
    return cell
  }

  /// A blank of this cell's style.
  var blank: CanvasCell { CanvasCell(" ", style: style) }

  public init(_ scalar: Unicode.Scalar = " ", style: Style = .plain, width: UInt8 = 1) {
    self.scalars = (scalar.value, 0, 0, 0, 0)
    self.style = style
    self.width = width
  }

  public static func == (a: CanvasCell, b: CanvasCell) -> Bool {
    a.scalars == b.scalars && a.style == b.style && a.width == b.width
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(scalars.0)
    hasher.combine(scalars.1)
    hasher.combine(style)
  }
}

/// A grid of cells that views draw into; the screen shows one.
public struct Canvas: Sendable {
  public private(set) var size: Size
  /// Row-major, `size.width * size.height` cells.
  public internal(set) var cells: [CanvasCell]

  public init(size: Size, filledWith cell: CanvasCell = CanvasCell()) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.cells = Array(repeating: cell, count: self.size.width * self.size.height)
  }

  /// The whole canvas as a rectangle at the origin.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// One cell, as it is: whoever sets half of a wide character sets the other half, too.
  public subscript(x: Int, y: Int) -> CanvasCell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }
}
