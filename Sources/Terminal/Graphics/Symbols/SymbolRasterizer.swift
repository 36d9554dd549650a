import Geometry
import Pixels

/// Draws pictures with the quadrant and half blocks that every terminal font has.
///
/// A cell is two by two pixels of the picture scaled to twice the cells each way, and shows two
/// colours. Of the seven ways to part four pixels in two groups, and none, the one is taken that
/// leaves the least squared error when each group gets its mean; with the means fixed by the
/// partition, that is the one with the largest sum of |group sum|² / group size.
public enum SymbolRasterizer {
  /// What part of the picture is shown.
  public enum Mask: Hashable, Sendable {
    /// All of it.
    case none
    /// The ellipse that touches all sides: a circle where the cells' area is square in pixels.
    case circle
  }

  /// The picture in `size` cells, stretched to fill them; cells or quarters of cells where nothing of
  /// it is seen, which is where it is less than half opaque, keep the terminal's own background.
  ///
  /// Blank where `depth` allows no pictures.
  ///
  /// - Parameter mask: which part is shown.
  /// - Complexity: O(pixels + cells).
  public static func canvas(
    for picture: PixelBuffer, size: Size, depth: ColorDepth, mask: Mask = .none
  ) -> Canvas {
    var canvas = Canvas(size: size)
    guard depth.allowsPictures, !size.isEmpty, picture.size.width > 0, picture.size.height > 0
    else { return canvas }
    let grid = PixelSize(width: size.width * 2, height: size.height * 2)
    let thumbnail = picture.size == grid ? picture : picture.scaled(to: grid)
    let palette = depth == .indexed256 ? DitheredPalette() : nil
    thumbnail.bytes.withUnsafeBufferPointer { bytes in
      blocks.withUnsafeBufferPointer { blocks in
        canvas.cells.withUnsafeMutableBufferPointer { cells in
          var quarters = Quarters(bytes: bytes, gridWidth: grid.width)
          for y in 0..<size.height {
            for x in 0..<size.width {
              quarters.read(x: x, y: y)
              if mask == .circle { quarters.keepEllipse(x: x, y: y, size: size) }
              guard let drawing = quarters.drawing() else { continue }
              cells[y * size.width + x] = cell(
                drawing, blocks: blocks, palette: palette, x: x, y: y)
            }
          }
        }
      }
    }
    return canvas
  }

  @inline(__always)
  private static func cell(
    _ drawing: Quarters.Drawing, blocks: UnsafeBufferPointer<UInt32>, palette: DitheredPalette?,
    x: Int, y: Int
  ) -> CanvasCell {
    let foreground = color(drawing.foreground, palette: palette, x: x, y: y)
    var pattern = drawing.pattern
    var background = Color.default
    if let rest = drawing.background {
      background = color(rest, palette: palette, x: x + 2, y: y + 1)
      // One colour needs no block: a blank is shorter and the same.
      if pattern == 15 || background == foreground { pattern = 0 }
      if drawing.pattern == 15 { background = foreground }
    }
    var cell = CanvasCell(
      " ",
      style: Style(foreground: pattern == 0 ? .default : foreground, background: background))
    cell.code = CellCode(scalar: blocks[pattern])
    return cell
  }

  @inline(__always)
  private static func color(
    _ value: SIMD4<Int32>, palette: DitheredPalette?, x: Int, y: Int
  ) -> Color {
    if let palette { return palette.color(value, x: x, y: y) }
    return .rgb(UInt8(value.x), UInt8(value.y), UInt8(value.z))
  }

  /// The block that fills the quarters of a pattern: 1 upper left, 2 upper right, 4 lower left,
  /// 8 lower right.
  private static let blocks: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)
}

/// The four pixels of one cell.
private struct Quarters {
  /// How a cell is drawn; without `background` the rest of the cell is the terminal's own.
  struct Drawing {
    var pattern: Int
    var foreground: SIMD4<Int32>
    var background: SIMD4<Int32>?
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let gridWidth: Int
  private var a = SIMD4<Int32>(), b = SIMD4<Int32>(), c = SIMD4<Int32>(), d = SIMD4<Int32>()
  /// Quarters where the picture is seen.
  private var shown = 0

  init(bytes: UnsafeBufferPointer<UInt8>, gridWidth: Int) {
    self.bytes = bytes
    self.gridWidth = gridWidth
  }

  @inline(__always)
  mutating func read(x: Int, y: Int) {
    let upper = (y * 2 * gridWidth + x * 2) * 4
    let lower = upper + gridWidth * 4
    shown = 0
    a = pixel(upper, bit: 1)
    b = pixel(upper + 4, bit: 2)
    c = pixel(lower, bit: 4)
    d = pixel(lower + 4, bit: 8)
  }

  @inline(__always)
  private mutating func pixel(_ index: Int, bit: Int) -> SIMD4<Int32> {
    if bytes[index + 3] >= 128 { shown |= bit }
    return SIMD4(Int32(bytes[index]), Int32(bytes[index + 1]), Int32(bytes[index + 2]), 0)
  }

  /// Leaves out quarters whose middle lies outside the ellipse inscribed in `size`.
  mutating func keepEllipse(x: Int, y: Int, size: Size) {
    for quarter in 0..<4 {
      let column = Double(x * 2 + (quarter & 1)) + 0.5
      let row = Double(y * 2 + quarter >> 1) + 0.5
      let dx = column / Double(size.width) - 1
      let dy = row / Double(size.height) - 1
      if dx * dx + dy * dy > 1 { shown &= ~(1 << quarter) }
    }
  }

  /// nil where nothing is seen.
  @inline(__always)
  func drawing() -> Drawing? {
    if shown == 0 { return nil }
    if shown != 15 {
      var sum = SIMD4<Int32>()
      var count: Int32 = 0
      if shown & 1 != 0 { (sum, count) = (sum &+ a, count + 1) }
      if shown & 2 != 0 { (sum, count) = (sum &+ b, count + 1) }
      if shown & 4 != 0 { (sum, count) = (sum &+ c, count + 1) }
      if shown & 8 != 0 { (sum, count) = (sum &+ d, count + 1) }
      return Drawing(pattern: shown, foreground: Self.mean(sum, count), background: nil)
    }
    let all = a &+ b &+ c &+ d
    // All scores are twelve times |group sum|² / group size, summed over the groups.
    let whole = 3 &* Self.square(all)
    // An error of some two levels a pixel is not seen, and a blank is shorter.
    var best = whole + 12 * 20
    var pattern = 15
    var group = all
    func single(_ bits: Int, _ color: SIMD4<Int32>) {
      let rest = all &- color
      let score = 12 &* Self.square(color) &+ 4 &* Self.square(rest)
      // Patterns leave the last quarter out.
      if score > best { (best, pattern, group) = (score, bits, bits == 7 ? rest : color) }
    }
    func pair(_ bits: Int, _ sum: SIMD4<Int32>) {
      let score = 6 &* (Self.square(sum) &+ Self.square(all &- sum))
      if score > best { (best, pattern, group) = (score, bits, sum) }
    }
    pair(3, a &+ b)
    pair(5, a &+ c)
    pair(6, b &+ c)
    single(1, a)
    single(2, b)
    single(4, c)
    single(7, d)
    if pattern == 15 {
      let mean = Self.mean(all, 4)
      return Drawing(pattern: 15, foreground: mean, background: mean)
    }
    let count = Int32(pattern.nonzeroBitCount)
    return Drawing(
      pattern: pattern, foreground: Self.mean(group, count),
      background: Self.mean(all &- group, 4 - count))
  }

  @inline(__always)
  private static func mean(_ sum: SIMD4<Int32>, _ count: Int32) -> SIMD4<Int32> {
    switch count {
    case 1: sum
    case 2: (sum &+ 1) &>> 1
    case 4: (sum &+ 2) &>> 2
    default: (sum &+ 1) / 3
    }
  }

  @inline(__always)
  private static func square(_ value: SIMD4<Int32>) -> Int32 { (value &* value).wrappedSum() }
}
