import TextLayout

/// The sanitizer in the shapes readers need.
enum Sanitizing {
  /// One line without white space at its ends.
  static func line(_ string: String) -> String {
    trimmed(Sanitizer.line(string))
  }

  /// One line, runs of white space made one space: names and titles broken over indented lines.
  static func collapsed(_ string: String) -> String {
    Sanitizer.line(string).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Sanitized, without white space at the ends.
  static func trimmed(_ string: String) -> String {
    let clean = Sanitizer.line(string)
    let utf8 = clean.utf8
    guard let first = utf8.firstIndex(where: { $0 > 32 }),
      let last = utf8.lastIndex(where: { $0 > 32 })
    else { return "" }
    return String(clean[first...last])
  }

  /// A 64-bit FNV-1a hash in hexadecimal digits (Fowler, Noll and Vo): the same in every run, unlike
  /// Swift's own, so that an id made up from content stays.
  static func hash(_ parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }
}
