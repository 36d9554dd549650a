import FoundationEssentials
import System

/// A picture inside its URL (RFC 2397).
struct DataURL {
  let mediaType: String?
  let bytes: [UInt8]

  static func isDataURL(_ url: String) -> Bool {
    url.utf8.count >= 5 && url.prefix(5).lowercased() == "data:"
  }

  /// Maximum bytes between `data:` and the comma.
  private static let maximumHead = 8_192

  /// - Parameter maximumBytes: the maximum of decoded bytes.
  /// - Throws: `invalidDataURL`; `http(.tooLarge)` if there are more bytes.
  init(_ url: String, maximumBytes: Int) throws(ImageError) {
    let text = url.utf8.dropFirst(5)
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      throw .invalidDataURL(reason: "it has no comma")
    }
    guard text[..<comma].count <= Self.maximumHead else {
      throw .invalidDataURL(reason: "its media type is too long")
    }
    let head = String(decoding: text[..<comma], as: UTF8.self).lowercased()
    let body = text[text.index(after: comma)...]
    // Three characters may stand for one byte, and base64 takes four for three.
    guard body.count / 3 <= maximumBytes else { throw .http(.tooLarge(limit: maximumBytes)) }
    let parts = head.split(separator: ";", omittingEmptySubsequences: false)
    mediaType = parts.first.flatMap { $0.isEmpty ? nil : String($0) }
    let plain = try Self.percentDecoded(body)
    if parts.dropFirst().last == "base64" {
      var symbols = plain.filter { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
      while symbols.last == UInt8(ascii: "=") { symbols.removeLast() }
      while symbols.count % 4 != 0 { symbols.append(UInt8(ascii: "=")) }
      guard let decoded = Data(base64Encoded: Data(symbols)) else {
        throw .invalidDataURL(reason: "its base64 is broken")
      }
      bytes = [UInt8](decoded)
    } else {
      bytes = plain
    }
    guard bytes.count <= maximumBytes else { throw .http(.tooLarge(limit: maximumBytes)) }
  }

  private static func percentDecoded(
    _ text: Substring.UTF8View
  ) throws(ImageError) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue
      else { throw .invalidDataURL(reason: "a % without two hexadecimal digits") }
      out.append(high << 4 | low)
    }
    return out
  }
}
