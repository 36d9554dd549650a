import CPictureEncoding
import Glibc

/// A picture of 4000x3000 pixels with the kind of content that a photograph has: large soft shapes,
/// edges and a little grain. The same seed gives the same picture.
struct LargePicture {
  let name: String
  let bytes: [UInt8]

  private static let width = 4_000
  private static let height = 3_000

  /// As a JPEG, a progressive one, a PNG and a WebP.
  static func all(seed: UInt64) -> [LargePicture] {
    let pixels = pixels(seed: seed)
    return [
      LargePicture(name: "baseline.jpeg", bytes: jpeg(pixels, flags: TJFLAG_FASTDCT)),
      LargePicture(
        name: "progressive.jpeg", bytes: jpeg(pixels, flags: TJFLAG_FASTDCT | TJFLAG_PROGRESSIVE)),
      LargePicture(name: "photograph.png", bytes: png(pixels)),
      LargePicture(name: "photograph.webp", bytes: webp(pixels)),
    ]
  }

  private static func pixels(seed: UInt64) -> [UInt8] {
    var state = seed &* 2 &+ 1
    func chance() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    func fraction() -> Double { Double(chance() >> 11) / Double(1 << 53) }
    // A coarse grid of colours, between which the picture is drawn, is what is soft in it.
    let (columns, rows) = (41, 31)
    let grid = (0..<(columns * rows * 3)).map { _ in fraction() * 200 + 20 }
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height {
      let (row, down) = (y / 100, Double(y % 100) / 100)
      for x in 0..<width {
        let (column, right) = (x / 100, Double(x % 100) / 100)
        // Edges at a slant, and grain that all colours share.
        let edge = (x * 3 + y * 5) % 1_700 < 850 ? 18.0 : -18.0
        let grain = Double(chance() % 5) - 2
        for color in 0..<3 {
          let at = (row * columns + column) * 3 + color
          let upper = grid[at] * (1 - right) + grid[at + 3] * right
          let lower = grid[at + columns * 3] * (1 - right) + grid[at + columns * 3 + 3] * right
          let value = upper * (1 - down) + lower * down + edge + grain
          pixels[(y * width + x) * 3 + color] = UInt8(max(0, min(255, value)))
        }
      }
    }
    return pixels
  }

  private static func jpeg(_ pixels: [UInt8], flags: Int32) -> [UInt8] {
    let encoder = tjInitCompress()
    defer { tjDestroy(encoder) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    tjCompress2(
      encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &output, &count,
      Int32(TJSAMP_420.rawValue), 90, flags)
    defer { tjFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }

  private static func png(_ pixels: [UInt8]) -> [UInt8] {
    var output: UnsafeMutableRawPointer?
    var count = 0
    guard encode_png(pixels, UInt32(width), UInt32(height), &output, &count) == 1 else { return [] }
    defer { free(output) }
    return Array(UnsafeRawBufferPointer(start: output, count: count))
  }

  private static func webp(_ pixels: [UInt8]) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    let count = WebPEncodeRGB(pixels, Int32(width), Int32(height), Int32(width * 3), 85, &output)
    defer { WebPFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
