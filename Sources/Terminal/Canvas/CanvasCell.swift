import System
import TextLayout

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
  /// From the lowest bit: five bits of attributes, two of width, 25 of the link. A cell therefore
  /// has 16 bytes without padding, and rows are filled, copied and compared as bytes.
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

  /// The number of its link, from a ``LinkGroup``; 0 if it has none.
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
    CanvasCell(CellCode(scalar: 0), style: style, width: 0)
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

  /// The leading cell of a glyph.
  public init(_ glyph: Glyph, style: Style) {
    self.init(CellCode(glyph.scalars), style: style, width: UInt8(clamping: glyph.width))
  }

  /// The code points without the zeros that end them.
  public var unicodeScalars: [Unicode.Scalar] {
    let scalars = scalars
    let all = [scalars.0, scalars.1, scalars.2, scalars.3, scalars.4]
    return all.prefix { $0 != 0 }.compactMap(Unicode.Scalar.init)
  }

  /// Whether `count` cells of both buffers, from these indices on, are equal.
  ///
  /// A frame compares every row with the previous one, often without finding a difference, so cells
  /// are compared by their bytes, none of which is padding.
  ///
  /// - Precondition: both ranges lie inside their buffers.
  /// - Complexity: O(count).
  static func areEqual(
    _ a: UnsafeBufferPointer<CanvasCell>, at i: Int, _ b: UnsafeBufferPointer<CanvasCell>,
    at j: Int, count: Int
  ) -> Bool {
    precondition(i >= 0 && j >= 0 && i + count <= a.count && j + count <= b.count)
    guard let first = a.baseAddress, let second = b.baseAddress else { return count == 0 }
    return memcmp(first + i, second + j, count * MemoryLayout<CanvasCell>.stride) == 0
  }
}

extension UnsafeBufferPointer<CanvasCell> {
  /// The number of cells compared at once while all are equal.
  private static var block: Int { 16 }

  /// The first column in which this row differs from another; `count` if there is none.
  ///
  /// - Precondition: both rows have the same length.
  /// - Complexity: O(count).
  func firstDifference(from other: UnsafeBufferPointer<CanvasCell>) -> Int {
    var first = 0
    while count - first > Self.block,
      CanvasCell.areEqual(self, at: first, other, at: first, count: Self.block)
    {
      first += Self.block
    }
    while first < count, self[first] == other[first] { first += 1 }
    return first
  }

  /// The columns from the first to the last that differ from `old`, extended to whole wide
  /// characters; empty if the rows are equal.
  ///
  /// - Precondition: both rows have the same length.
  /// - Complexity: O(count).
  func changedColumns(since old: UnsafeBufferPointer<CanvasCell>) -> Range<Int> {
    var first = firstDifference(from: old)
    guard first < count else { return 0..<0 }
    var end = count
    while end - first > Self.block,
      CanvasCell.areEqual(
        self, at: end - Self.block, old, at: end - Self.block, count: Self.block)
    {
      end -= Self.block
    }
    while end > first, self[end - 1] == old[end - 1] { end -= 1 }
    // A wide character can only be written whole.
    while first > 0, self[first].width == 0 || old[first].width == 0 { first -= 1 }
    while end < count, self[end].width == 0 || old[end].width == 0 { end += 1 }
    return first..<end
  }
}
