import Pixels

/// A picture cut into strips of sixels, each exactly as high as a row of cells.
///
/// Whole strips are made beforehand; part of one, as beside a panel that covers the rest, is made when
/// it is asked for.
final class SixelPicture: Sendable {
  /// The size of a cell in pixels that it was made for.
  let cell: PixelSize
  let columns: Int
  let rows: Int
  private let palette: SixelPalette
  /// An entry of the palette for each pixel.
  private let indices: [UInt8]
  private let strips: [[UInt8]]

  /// - Parameters:
  ///   - pixels: the picture at its size on the screen: whole cells.
  ///   - background: what is translucent is laid over; where it is nil, pixels are drawn or not, at
  ///     half opacity. What is transparent is never drawn.
  /// - Complexity: O(pixels), after finding the colours.
  init(_ pixels: PixelBuffer, cell: PixelSize, background: RGB?) {
    self.cell = cell
    columns = pixels.size.width / max(1, cell.width)
    rows = pixels.size.height / max(1, cell.height)
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
    let width = columns * cell.width
    var encoder = SixelEncoder(colors: found.colors, width: width)
    let rows = rows
    strips = indices.withUnsafeBufferPointer { indices in
      (0..<rows).map { row in
        encoder.encode(
          indices, stride: width, x: 0..<width,
          y: (row * cell.height)..<((row + 1) * cell.height))
      }
    }
  }

  /// What it takes, in bytes.
  var byteCount: Int { strips.reduce(indices.count + 40_000) { $0 + $1.count } }

  /// The bytes that draw these columns of a row where the cursor stands; empty outside the picture.
  ///
  /// - Complexity: O(1) for a whole row, else O(pixels of the part).
  func strip(row: Int, columns part: Range<Int>) -> [UInt8] {
    guard (0..<rows).contains(row) else { return [] }
    let part = part.clamped(to: 0..<columns)
    if part == 0..<columns { return strips[row] }
    guard !part.isEmpty else { return [] }
    let (left, right) = (part.lowerBound * cell.width, part.upperBound * cell.width)
    var encoder = SixelEncoder(colors: palette.colors, width: right - left)
    return indices.withUnsafeBufferPointer {
      encoder.encode(
        $0, stride: columns * cell.width, x: left..<right,
        y: (row * cell.height)..<((row + 1) * cell.height))
    }
  }

  /// Each pixel either opaque or, with an alpha of 0, not drawn.
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
        // Below this nobody sees a difference, and the terminal's own background stays.
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
