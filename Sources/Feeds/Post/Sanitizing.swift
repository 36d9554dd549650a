import System
import TextLayout

/// Sanitized strings in the forms that readers need.
enum Sanitizing {
  /// One line with white space collapsed to single spaces: feeds break names and titles over
  /// indented lines.
  ///
  /// - Complexity: O(n) in the bytes; a single pass over them if nothing has to change.
  static func collapsed(_ string: String) -> String {
    var clean = Sanitizer.line(string)
    if clean.withUTF8(isCollapsed) { return clean }
    return clean.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether all white space is single spaces between words. `false` may be wrong: only the first
  /// bytes of some characters are examined.
  private static func isCollapsed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous = UInt8(ascii: " ")
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: " "): if previous == byte { return false }
      case ..<0x20: return false
      // The first bytes of U+0085, U+00A0, U+1680, U+2000 to U+205F and U+3000.
      case 0xC2: if bytes[index + 1] == 0x85 || bytes[index + 1] == 0xA0 { return false }
      case 0xE1: if bytes[index + 1] == 0x9A { return false }
      case 0xE2:
        let next = (bytes[index + 1], bytes[index + 2])
        if next.0 == 0x81 || next.0 == 0x80 && (next.1 < 0x8B || next.1 == 0xAF) { return false }
      case 0xE3: if bytes[index + 1] == 0x80 && bytes[index + 2] == 0x80 { return false }
      default: break
      }
      previous = byte
    }
    return previous != UInt8(ascii: " ") || bytes.isEmpty
  }

  /// A 64-bit FNV-1a hash (Fowler, Noll and Vo) in hexadecimal digits. Unlike Swift's own hash it
  /// is the same in every run, so an id derived from content is stable.
  static func hash(_ parts: [String]) -> String {
    var hash = StableHash()
    for part in parts { hash.combine(part) }
    return String(hash.low, radix: 16)
  }
}
