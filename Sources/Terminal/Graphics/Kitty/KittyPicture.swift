import CPNG
import FoundationEssentials
import Geometry
import Pixels

/// A picture as a terminal with kitty's graphics is sent it: a PNG, or plain pixels should libpng
/// refuse, in base64.
final class KittyPicture: Sendable {
  /// Base64 bytes in one command at most, as the protocol asks for.
  static let chunk = 4096

  /// Columns and rows.
  let size: Size
  private let pixelSize: PixelSize
  /// Opened with the first picture.
  private static let library = png_library()?.pointee
  private let payload: [UInt8]
  private let isPNG: Bool

  /// - Complexity: O(pixels), with the constant of a fast deflate.
  init(_ pixels: PixelBuffer, size: Size) {
    self.size = size
    pixelSize = pixels.size
    let png = Self.png(pixels)
    isPNG = png != nil
    payload = Array(Data(png ?? pixels.bytes).base64EncodedData())
  }

  var byteCount: Int { payload.count }
  /// What the terminal keeps.
  var terminalByteCount: Int { pixelSize.width * pixelSize.height * 4 }

  /// The commands that give the terminal this picture as `number`, to be drawn in place of
  /// placeholders, and ask for no reply.
  ///
  /// - Complexity: O(bytes).
  func transmission(number: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + payload.count / Self.chunk * 16 + 128)
    var rest = payload[...]
    var isFirst = true
    repeat {
      let part = rest.prefix(Self.chunk)
      rest = rest.dropFirst(Self.chunk)
      let more = rest.isEmpty ? 0 : 1
      if isFirst {
        let format =
          isPNG ? "f=100" : "f=32,s=\(pixelSize.width),v=\(pixelSize.height)"
        bytes +=
          "\u{1B}_Ga=T,U=1,q=2,\(format),i=\(number),c=\(size.width),r=\(size.height),m=\(more);"
          .utf8
      } else {
        bytes += "\u{1B}_Gq=2,m=\(more);".utf8
      }
      bytes += part
      bytes += "\u{1B}\\".utf8
      isFirst = false
    } while !rest.isEmpty
    return bytes
  }

  /// The command that makes the terminal forget the picture called `number`.
  static func deletion(number: UInt32) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\".utf8)
  }

  /// nil where libpng refuses, or is not installed.
  private static func png(_ pixels: PixelBuffer) -> [UInt8]? {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(pixels.size.width)
    image.height = png_uint_32(pixels.size.height)
    image.format = tideline_png_format_rgba()
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    // Room for what does not shrink at all.
    var count = png_alloc_size_t(
      pixels.bytes.count + pixels.bytes.count / 100 + pixels.size.height + 4096)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard let library,
      library.png_image_write_to_memory(&image, &bytes, &count, 0, pixels.bytes, 0, nil) != 0
    else { return nil }
    return Array(bytes.prefix(Int(count)))
  }
}
