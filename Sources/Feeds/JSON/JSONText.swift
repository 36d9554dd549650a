import TextLayout

/// JSON's strings, written.
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
}
