import ImageLoading
import Pixels

/// The first frame of an animated WebP file, as a file of its own (RFC 9649, 2.7.1.1): libwebp
/// decodes only still pictures.
struct WebPFrame {
  /// The position on the canvas, in pixels.
  let x: Int
  let y: Int
  let size: PixelSize
  let file: [UInt8]

  private static let animationFlag = 0x02
  private static let alphaFlag: UInt8 = 0x10

  /// `nil` if the file is not animated.
  static func first(
    in bytes: [UInt8], canvas: PixelSize
  ) throws(ImageError) -> WebPFrame? {
    let header = HeaderBytes(bytes)
    guard header.has("VP8X", at: 12), let flags = header.byte(20), flags & animationFlag != 0,
      let firstLength = header.little32(16)
    else { return nil }
    var place = 20 + firstLength + firstLength % 2
    while let length = header.little32(place + 4) {
      guard header.has("ANMF", at: place) else {
        place += 8 + length + length % 2
        continue
      }
      let payload = place + 8
      guard length >= 16, payload + length <= bytes.count,
        let x = header.little24(payload), let y = header.little24(payload + 3),
        let width = header.little24(payload + 6), let height = header.little24(payload + 9)
      else { break }
      let size = PixelSize(width: width + 1, height: height + 1)
      guard x * 2 + size.width <= canvas.width, y * 2 + size.height <= canvas.height else {
        throw .corrupted(format: .webp, reason: "a frame beyond the canvas")
      }
      let chunks = bytes[payload + 16..<payload + length]
      return WebPFrame(
        x: x * 2, y: y * 2, size: size, file: still(chunks, width: width, height: height))
    }
    throw .corrupted(format: .webp, reason: "an animation without a frame")
  }

  private static func still(_ chunks: ArraySlice<UInt8>, width: Int, height: Int) -> [UInt8] {
    func little(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("RIFF".utf8) + little(4 + 18 + chunks.count, 4) + Array("WEBPVP8X".utf8)
    file += little(10, 4) + [alphaFlag, 0, 0, 0] + little(width, 3) + little(height, 3)
    file += chunks
    return file
  }
}
