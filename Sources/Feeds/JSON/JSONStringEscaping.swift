import System
import TextLayout

/// Writes strings of JSON.
package enum JSONStringEscaping {
  /// `string` in quotes, with escapes for characters that JSON forbids, that a terminal showing the
  /// JSON could interpret, or that control bidirectional text. A character keeps at most as many
  /// combining marks as the screen shows.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func quoted(_ string: String) -> String {
    var bytes: [UInt8] = []
    append(string, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same to `result`.
  static func append(_ string: String, to result: inout [UInt8]) {
    var string = Sanitizer.boundingMarks(string)
    string.withUTF8 { bytes in
      result.append(UInt8(ascii: "\""))
      var copied = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if isPlain[Int(byte)] {
          index += 1
          continue
        }
        var length = 1
        var escaped: Unicode.Scalar?
        if byte < 0x80 {
          escaped = Unicode.Scalar(byte)
        } else {
          let (scalar, count) = UTF8Scalar.decode(bytes, at: index)
          length = count
          if steers(scalar.value) { escaped = scalar }
        }
        if let escaped {
          result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
          appendEscape(of: escaped, to: &result)
          copied = min(bytes.count, index + length)
        }
        index += length
      }
      if copied < bytes.count {
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied...]))
      }
      result.append(UInt8(ascii: "\""))
    }
  }

  /// Bytes that are copied without decoding: ASCII except quotes, backslashes and controls;
  /// continuation bytes; and first bytes of sequences that encode letters only.
  private static let isPlain: [Bool] = (0..<256).map { byte in
    switch byte {
    case 0x22, 0x5C, 0x7F: false
    case 0x20..<0x7F, 0x80..<0xC0: true
    // U+00C0 to U+05FF and U+0640 to U+07FF; U+3000 to U+CFFF.
    case 0xC3..<0xD8, 0xD9..<0xE0, 0xE3..<0xED: true
    default: false
    }
  }

  /// Whether a terminal could interpret the character, or it changes the direction of text around
  /// it.
  private static func steers(_ value: UInt32) -> Bool {
    switch value {
    case 0x61C, 0x200E, 0x200F: true
    default: Sanitizer.isForbidden(value)
    }
  }

  private static func appendEscape(of scalar: Unicode.Scalar, to result: inout [UInt8]) {
    switch scalar {
    case "\"": result += Array("\\\"".utf8)
    case "\\": result += Array("\\\\".utf8)
    case "\n": result += Array("\\n".utf8)
    case "\r": result += Array("\\r".utf8)
    case "\t": result += Array("\\t".utf8)
    default:
      for unit in String(scalar).utf16 { result += Array("\\u\(unit.hexadecimal)".utf8) }
    }
  }
}
