import ImageLoading
import Pixels

/// The size of a GIF file's logical screen (GIF89a, 18); or, if a side of that is 0, as some
/// writers leave it, the right and bottom edges of the first frame.
enum GIFHeader {
  static func read(_ bytes: HeaderBytes) -> ImageHeaderResult {
    guard let width = bytes.little16(6), let height = bytes.little16(8),
      let flags = bytes.byte(10)
    else { return .needsMore }
    if width > 0, height > 0 { return header(width, height) }
    var place = 13 + tableLength(flags)
    while true {
      guard let kind = bytes.byte(place) else { return .needsMore }
      switch kind {
      case 0x2C:
        guard let left = bytes.little16(place + 1), let top = bytes.little16(place + 3),
          let width = bytes.little16(place + 5), let height = bytes.little16(place + 7)
        else { return .needsMore }
        guard width > 0, height > 0 else {
          return .corrupted(.gif, reason: "a frame of no size")
        }
        return header(left + width, top + height)
      case 0x21:
        place += 2
        while true {
          guard let length = bytes.byte(place) else { return .needsMore }
          place += 1 + length
          if length == 0 { break }
        }
      default:
        return .corrupted(.gif, reason: "no frame")
      }
    }
  }

  private static func header(_ width: Int, _ height: Int) -> ImageHeaderResult {
    .header(ImageHeader(format: .gif, size: PixelSize(width: width, height: height)))
  }

  /// The size in bytes of the global colour table that `flags` announce.
  private static func tableLength(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }
}
