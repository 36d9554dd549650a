import Geometry
import Pixels

/// A picture in the colours of a palette, any block of whose cells can be drawn as one sequence of
/// sixels.
///
/// A block is assembled from bands of six lines. Bands counted from the picture's upper edge are
/// encoded in advance. The height of a cell is seldom a multiple of six lines, so a block that
/// begins further down usually needs bands of its own, which are encoded on demand.
final class SixelPicture: PaintedPicture {
  let cell: PixelSize
  let columns: Int
  let rows: Int
  let symbols: Canvas
  private let palette: SixelPalette
  /// The palette entry of each pixel.
  private let indices: [UInt8]
  /// The bands of the whole picture, from the upper edge on; the last one may be lower.
  private let bands: [SixelBand]

  /// - Parameters:
  ///   - pixels: the picture at its size on the screen: whole cells.
  ///   - background: blended with translucent pixels. If it is `nil`, pixels are drawn if they are
  ///     at least half opaque. Transparent pixels are never drawn.
  ///   - symbols: the style of the symbols that replace it while it moves.
  /// - Complexity: O(pixels), after finding the colours.
  init(_ pixels: PixelBuffer, cell: PixelSize, background: RGB?, symbols style: SymbolStyle) {
    self.cell = cell
    let columns = pixels.size.width / max(1, cell.width)
    let rows = pixels.size.height / max(1, cell.height)
    (self.columns, self.rows) = (columns, rows)
    symbols = SymbolRasterizer.canvas(
      for: pixels, size: Size(width: columns, height: rows), style: style)
    let flat = Self.flattened(pixels, over: background)
    let found = flat.withUnsafeBufferPointer { SixelPalette($0) }
    let count = flat.count / 4
    indices = [UInt8](unsafeUninitializedCapacity: count) { output, written in
      flat.withUnsafeBufferPointer { flat in
        for pixel in 0..<count {
          let at = pixel * 4
          output[pixel] =
            flat[at + 3] == 0
            ? SixelPalette.transparent : found.index(flat[at], flat[at + 1], flat[at + 2])
        }
      }
      written = count
    }
    palette = found
    let (width, height) = (columns * cell.width, rows * cell.height)
    var encoder = SixelEncoder(colorCount: found.colors.count, width: width)
    bands = indices.withUnsafeBufferPointer { indices in
      stride(from: 0, to: height, by: 6).map { top in
        encoder.band(indices, stride: width, x: 0..<width, y: top..<min(top + 6, height))
      }
    }
  }

  var byteCount: Int {
    let cells = symbols.cells.count * MemoryLayout<CanvasCell>.stride
    return bands.reduce(indices.count + 40_000 + cells) { $0 + $1.bytes.count }
  }

  /// The bytes that draw these rows and columns at the cursor; empty outside the picture.
  ///
  /// - Complexity: O(bytes) if all columns are requested and the bands exist, else O(pixels).
  func block(rows part: Range<Int>, columns columnPart: Range<Int>) -> [UInt8] {
    let part = part.clamped(to: 0..<rows)
    let columnPart = columnPart.clamped(to: 0..<columns)
    guard !part.isEmpty, !columnPart.isEmpty else { return [] }
    let x = (columnPart.lowerBound * cell.width)..<(columnPart.upperBound * cell.width)
    let y = (part.lowerBound * cell.height)..<(part.upperBound * cell.height)
    let drawn = columnPart == 0..<columns ? wholeBands(of: y) : encoded(x: x, y: y)
    return SixelEncoder.sequence(
      drawn, palette: palette.colors, width: x.count, height: y.count)
  }

  /// Bands as wide as the picture; those encoded in advance if they begin at the same lines.
  private func wholeBands(of y: Range<Int>) -> [SixelBand] {
    let all = 0..<(columns * cell.width)
    guard y.lowerBound % 6 == 0 else { return encoded(x: all, y: y) }
    // The lower edge of the visible part may cut the last band.
    let whole = y.upperBound == rows * cell.height ? y.count : y.count - y.count % 6
    let cut = (y.lowerBound + whole)..<y.upperBound
    let first = y.lowerBound / 6
    let made = Array(bands[first..<(first + (whole + 5) / 6)])
    return cut.isEmpty ? made : made + encoded(x: all, y: cut)
  }

  private func encoded(x: Range<Int>, y: Range<Int>) -> [SixelBand] {
    var encoder = SixelEncoder(colorCount: palette.colors.count, width: x.count)
    return indices.withUnsafeBufferPointer { indices in
      stride(from: y.lowerBound, to: y.upperBound, by: 6).map { top in
        encoder.band(
          indices, stride: columns * cell.width, x: x, y: top..<min(top + 6, y.upperBound))
      }
    }
  }

  /// The pixels, each either opaque or, with an alpha of 0, not drawn.
  private static func flattened(_ pixels: PixelBuffer, over background: RGB?) -> [UInt8] {
    if pixels.isOpaque { return pixels.bytes }
    var bytes = pixels.bytes
    let under = background.map { [Int($0.red), Int($0.green), Int($0.blue)] }
    bytes.withUnsafeMutableBufferPointer { bytes in
      for alphaAt in stride(from: 3, to: bytes.count, by: 4) where bytes[alphaAt] != 255 {
        let alpha = Int(bytes[alphaAt])
        guard let under else {
          bytes[alphaAt] = alpha >= 128 ? 255 : 0
          continue
        }
        // Below this no difference is visible, and the terminal's own background stays.
        bytes[alphaAt] = alpha >= 8 ? 255 : 0
        for part in 0..<3 {
          let at = alphaAt - 3 + part
          bytes[at] = UInt8((Int(bytes[at]) * alpha + under[part] * (255 - alpha) + 127) / 255)
        }
      }
    }
    return bytes
  }
}
