import Geometry

/// One cell of a canvas: up to five code points, the limit of ncurses, and their style.
///
/// A character two columns wide is a leading cell of `width` 2 followed by a trailing cell of
/// `width` 0.
public struct CanvasCell: Hashable, Sendable {
  /// The largest link number that a cell can hold.
  static let maximumLink: UInt32 = 1 << 25 - 1

  var code: CellCode
  private var foreground: Color
  private var background: Color
  /// From the lowest bit: five bits of attributes, two of width, the others of the link. So a cell
  /// has 16 bytes without gaps, and rows are filled, copied and compared as bytes.
  private var packed: UInt32

  /// Its colours and attributes.
  public var style: Style {
    get {
      Style(
        foreground: foreground, background: background,
        attributes: Style.Attributes(rawValue: UInt16(packed & 0x1F)))
    }
    set {
      foreground = newValue.foreground
      background = newValue.background
      packed = packed & ~0x1F | UInt32(newValue.attributes.rawValue) & 0x1F
    }
  }

  /// Columns: 1 or 2, and 0 for the second half of a wide character.
  public var width: UInt8 {
    get { UInt8(packed >> 5 & 3) }
    set { packed = packed & ~(3 << 5) | UInt32(min(newValue, 2)) << 5 }
  }

  /// The number of its link, from a ``LinkGroup``; 0 for none.
  public internal(set) var link: UInt32 {
    get { packed >> 7 }
    set { packed = packed & 0x7F | (newValue <= Self.maximumLink ? newValue << 7 : 0) }
  }

  /// Code points in order; the first zero ends them.
  public var scalars: (UInt32, UInt32, UInt32, UInt32, UInt32) {
    get { code.scalars }
    set { code = CellCode(newValue) }
  }

  /// The second half of a wide character of this style.
  public static func trailing(style: Style) -> CanvasCell {
    var cell = CanvasCell(" ", style: style, width: 0)
    cell.code = CellCode(scalar: 0)
    return cell
  }

  /// A blank of this cell's style; plain for a picture's cell.
  var blank: CanvasCell { CanvasCell(" ", style: isPicture ? Style() : style) }

  /// A cell of one code point, by default a blank.
  public init(_ scalar: Unicode.Scalar = " ", style: Style = .plain, width: UInt8 = 1) {
    self.init(CellCode(scalar: scalar.value), style: style, width: width)
  }

  init(_ code: CellCode, style: Style, width: UInt8) {
    self.code = code
    foreground = style.foreground
    background = style.background
    packed = UInt32(style.attributes.rawValue) & 0x1F | UInt32(min(width, 2)) << 5
  }
}

/// A grid of cells that views draw into, and that a screen shows.
public struct Canvas: Sendable {
  /// Columns and rows.
  public private(set) var size: Size
  /// The cells, row by row: `size.width * size.height`.
  public internal(set) var cells: [CanvasCell]
  /// The cells that drawing may change: all of them, unless a view draws into its part.
  public private(set) var clip: Rect

  /// A canvas of equal cells, by default blanks; a negative width or height counts as 0.
  ///
  /// - Complexity: O(cells).
  public init(size: Size, filledWith cell: CanvasCell = CanvasCell()) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.cells = Array(repeating: cell, count: self.size.width * self.size.height)
    clip = Rect(origin: .zero, size: self.size)
  }

  /// Calls `body`, whose drawing is clipped to `rect` as well.
  public mutating func clipped(to rect: Rect, _ body: (inout Canvas) -> Void) {
    let outer = clip
    clip = outer.intersection(rect)
    body(&self)
    clip = outer
  }

  /// Makes it a canvas of this size and of blanks, in its present memory if that is enough.
  ///
  /// - Complexity: O(n) in the cells.
  package mutating func reset(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    clip = bounds
    let count = self.size.width * self.size.height
    if cells.count > count { cells.removeLast(cells.count - count) }
    cells.withUnsafeMutableBufferPointer { $0.update(repeating: CanvasCell()) }
    if cells.count < count {
      cells.append(contentsOf: repeatElement(CanvasCell(), count: count - cells.count))
    }
  }

  /// The whole canvas as a rectangle at the origin.
  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// One cell. Setting half of a wide character leaves the other half to the caller.
  public subscript(x: Int, y: Int) -> CanvasCell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }
}
