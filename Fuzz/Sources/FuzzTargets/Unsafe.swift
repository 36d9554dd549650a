/// What no text that is shown, printed or remembered may hold.
enum Unsafe {
  /// The first code point that a terminal could obey, or that hides something from the reader.
  static func scalar(in text: String, allowsLineBreaks: Bool = true) -> Unicode.Scalar? {
    text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x0A: !allowsLineBreaks
      case 0..<0x20, 0x7F...0x9F: true
      case 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0x10EEEE: true
      default: false
      }
    }
  }

  static func check(
    _ text: String, _ what: String, allowsLineBreaks: Bool = true
  ) throws(Finding) {
    guard let scalar = scalar(in: text, allowsLineBreaks: allowsLineBreaks) else { return }
    throw Finding(
      description: "\(what) holds U+\(String(scalar.value, radix: 16)): \(text.debugDescription)")
  }
}
