import ImageLoading
import Pixels

/// The IHDR chunk, which comes first (PNG specification, third edition, 11.2.1).
enum PNGHeader {
  static func read(_ bytes: HeaderBytes) -> ImageHeaderResult {
    guard let width = bytes.big32(16), let height = bytes.big32(20) else { return .needsMore }
    guard bytes.has("IHDR", at: 12) else { return .corrupted(.png, reason: "no IHDR chunk") }
    // The format allows no larger numbers of four bytes.
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      return .corrupted(.png, reason: "an image of no possible size")
    }
    return .header(ImageHeader(format: .png, size: PixelSize(width: width, height: height)))
  }
}
