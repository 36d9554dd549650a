import ImageLoading
import Pixels

/// The size in the first chunk of a WebP file (RFC 9649, 2.5 to 2.7 and 3.4; RFC 6386, 9.1).
enum WebPHeader {
  static func read(_ bytes: HeaderBytes) -> ImageHeaderResult {
    guard bytes.count >= 16 else { return .needsMore }
    if bytes.has("VP8X", at: 12) {
      guard let width = bytes.little24(24), let height = bytes.little24(27) else {
        return .needsMore
      }
      return header(width + 1, height + 1)
    }
    if bytes.has("VP8L", at: 12) {
      guard let signature = bytes.byte(20), let bits = bytes.little32(21) else {
        return .needsMore
      }
      guard signature == 0x2F else { return .corrupted(.webp, reason: "no lossless signature") }
      return header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if bytes.has("VP8 ", at: 12) {
      guard let code = bytes.little24(23), let width = bytes.little16(26),
        let height = bytes.little16(28)
      else { return .needsMore }
      guard code == 0x2A_019D else { return .corrupted(.webp, reason: "no key frame") }
      return header(width & 0x3FFF, height & 0x3FFF)
    }
    return .corrupted(.webp, reason: "no picture chunk")
  }

  private static func header(_ width: Int, _ height: Int) -> ImageHeaderResult {
    guard width > 0, height > 0 else {
      return .corrupted(.webp, reason: "a picture of no size")
    }
    return .header(ImageHeader(format: .webp, size: PixelSize(width: width, height: height)))
  }
}
