import System
import TextLayout

/// JSON's strings, written and repaired.
package enum JSONText {
  /// `string` with quotes around it and what JSON forbids escaped, and so is what a terminal that shows
  /// the JSON could obey, and what steers bidirectional text.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func quoted(_ string: String) -> String {
    var string = string
    return string.withUTF8 { bytes in
      var result: [UInt8] = [UInt8(ascii: "\"")]
      result.reserveCapacity(bytes.count + 2)
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        var length = 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
        case 0x0A: result += Array("\\n".utf8)
        case 0x09: result += Array("\\t".utf8)
        case 0x20..<0x7F: result.append(byte)
        default:
          let scalar: Unicode.Scalar
          (scalar, length) = UTF8Scalar.decode(bytes, at: index)
          if steers(scalar.value) {
            appendEscape(of: scalar, to: &result)
          } else {
            result.append(contentsOf: bytes[index..<min(bytes.count, index + length)])
          }
        }
        index += length
      }
      result.append(UInt8(ascii: "\""))
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// Whether a terminal could obey it, or it turns what stands around it.
  private static func steers(_ value: UInt32) -> Bool {
    switch value {
    case 0x61C, 0x200E, 0x200F: true
    default: Sanitizer.isForbidden(value)
    }
  }

  private static func appendEscape(of scalar: Unicode.Scalar, to result: inout [UInt8]) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      result += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
    }
  }

  /// Turns escapes of surrogates that stand alone (`\ud800`) into `\ufffd`: no decoder takes them.
  ///
  /// - Complexity: O(n) in the bytes.
  static func replaceLoneSurrogates(in bytes: inout [UInt8]) {
    // Most items hold none: looked for by the C library.
    guard let first = bytes.withUnsafeBytes({ escape(in: $0) }) else { return }
    var index = first
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let unit = unit(in: bytes, at: index), 0xD800...0xDFFF ~= unit else {
        index += 2
        continue
      }
      if unit < 0xDC00, let low = self.unit(in: bytes, at: index + 6), 0xDC00...0xDFFF ~= low {
        index += 12
      } else {
        bytes.replaceSubrange((index + 2)..<(index + 6), with: Array("fffd".utf8))
        index += 6
      }
    }
  }

  private static func escape(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, 0x5C, bytes.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - base
  }

  /// The number of a `\uXXXX` at `index`.
  private static func unit(in bytes: [UInt8], at index: Int) -> Int? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var value = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      switch byte {
      case 48...57: value = value * 16 + Int(byte - 48)
      case 65...70: value = value * 16 + Int(byte - 55)
      case 97...102: value = value * 16 + Int(byte - 87)
      default: return nil
      }
    }
    return value
  }
}
