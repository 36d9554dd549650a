import FoundationEssentials
import Geometry
import Pixels

/// A picture as kitty's graphics protocol transmits it: a PNG in base64.
final class KittyPicture: Sendable {
  /// The most base64 bytes in one command, a limit of the protocol.
  static let chunk = 4096

  /// Columns and rows.
  let size: Size
  private let pixelSize: PixelSize
  private let payload: [UInt8]

  /// - Parameters:
  ///   - png: the picture as a PNG.
  ///   - pixelSize: its size in pixels.
  ///   - size: its columns and rows.
  /// - Complexity: O(bytes).
  init(png: [UInt8], pixelSize: PixelSize, size: Size) {
    self.size = size
    self.pixelSize = pixelSize
    payload = Array(Data(png).base64EncodedData())
  }

  var byteCount: Int { payload.count }
  /// The size in bytes of the decoded picture, which the terminal keeps: four bytes per pixel.
  var terminalByteCount: Int { pixelSize.width * pixelSize.height * 4 }

  /// The commands that transmit the picture with the image ID `number`, to be drawn in place of its
  /// Unicode placeholders. They request no reply.
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
        bytes +=
          "\u{1B}_Ga=T,U=1,q=2,f=100,i=\(number),c=\(size.width),r=\(size.height),m=\(more);"
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

  /// The command with which the terminal deletes the image with the ID `number`, and frees its
  /// data.
  static func deletion(number: UInt32) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\".utf8)
  }
}
