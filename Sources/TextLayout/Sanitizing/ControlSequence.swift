/// Finds whole escape sequences as ECMA-48 and xterm define them, so that none of their payload
/// remains in the text.
///
/// Only a complete sequence counts; otherwise the sanitizer removes the control character and keeps
/// the text. Misread Windows-1252 quotes also look like the introducers U+0090 to U+009F, so U+009B
/// counts only with parameters.
enum ControlSequence {
  private static let escape: UInt32 = 0x1B

  /// The index past the sequence that begins at `start`, or `nil` if none does.
  ///
  /// - Complexity: O(n) in its length. No search goes past the next introducer, so sanitizing stays
  ///   linear however many there are.
  static func end(in source: [Unicode.Scalar], from start: Int) -> Int? {
    switch source[start].value {
    case escape:
      guard start + 1 < source.count else { return nil }
      switch source[start + 1] {
      case "[": return controlEnd(in: source, from: start + 2, wantsParameters: false)
      case "]", "P", "X", "^", "_": return stringEnd(in: source, from: start + 2)
      default: return escapeEnd(in: source, from: start + 1)
      }
    case 0x9B: return controlEnd(in: source, from: start + 1, wantsParameters: true)
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F: return stringEnd(in: source, from: start + 1)
    default: return nil
    }
  }

  /// CSI: parameters 0x30–0x3F, intermediates 0x20–0x2F, final 0x40–0x7E.
  private static func controlEnd(
    in source: [Unicode.Scalar], from start: Int, wantsParameters: Bool
  ) -> Int? {
    var index = start
    while index < source.count, (0x30...0x3F).contains(source[index].value) { index += 1 }
    if wantsParameters, index == start { return nil }
    while index < source.count, (0x20...0x2F).contains(source[index].value) { index += 1 }
    guard index < source.count, (0x40...0x7E).contains(source[index].value) else { return nil }
    return index + 1
  }

  /// OSC, DCS, SOS, PM, APC: up to the string terminator or BEL. Control characters other than line
  /// breaks and tabs end the search: no terminal would accept the string.
  private static func stringEnd(in source: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start
    while index < source.count {
      switch source[index].value {
      case 0x07, 0x9C: return index + 1
      case escape:
        let isTerminator = index + 1 < source.count && source[index + 1] == "\\"
        return isTerminator ? index + 2 : nil
      case 0x09, 0x0A, 0x0D: index += 1
      case 0x00...0x1F, 0x7F...0x9F: return nil
      default: index += 1
      }
    }
    return nil
  }

  /// Other escapes: intermediates 0x20–0x2F and a final, or one of the finals that terminals know.
  private static func escapeEnd(in source: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start
    while index < source.count, (0x20...0x2F).contains(source[index].value) { index += 1 }
    guard index < source.count else { return nil }
    let final = source[index]
    if index > start { return (0x30...0x7E).contains(final.value) ? index + 1 : nil }
    switch final {
    case "7", "8", "=", ">", "c", "D", "E", "H", "M", "N", "O", "Z", "n", "o", "|", "}", "~", "\\":
      return index + 1
    default: return nil
    }
  }
}
