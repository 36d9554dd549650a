import System
import TextLayout

/// Names of people as feeds write them: with an address before or after the name, or in quotes.
enum PersonName {
  /// Extracts the name from `"sea@example.org (Sea Watch)"`, `"Sea Watch (sea@example.org)"` or
  /// `"Sea Watch <sea@example.org>"`; returns the address if there is no name.
  ///
  /// - Complexity: O(n) in the bytes.
  static func shown(_ text: String) -> String {
    let text = Sanitizing.collapsed(HTMLReader.decodingEntities(text))
    return withoutQuotes(beside("(", ")", in: text) ?? beside("<", ">", in: text) ?? text)
  }

  /// Splits `text` at a pair of brackets and returns the part that is not an address, inside or
  /// outside of them; `nil` if neither part is an address, or the other part is empty.
  private static func beside(_ open: Character, _ close: Character, in text: String) -> String? {
    // Most names contain neither bracket, and a byte is found faster than a character.
    guard text.containsByte(open.asciiValue ?? 0), let start = text.firstIndex(of: open),
      let end = text[start...].lastIndex(of: close)
    else { return nil }
    let inside = trimmed(text[text.index(after: start)..<end])
    let outside = [text[..<start], text[text.index(after: end)...]].map(trimmed)
      .filter { !$0.isEmpty }.joined(separator: " ")
    if isAddress(inside), !outside.isEmpty { return outside }
    return isAddress(outside) && !inside.isEmpty ? inside : nil
  }

  private static func isAddress(_ text: String) -> Bool {
    !text.contains(" ") && (text.contains("@") || text.contains("://"))
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.trimmed { $0 == " " })
  }

  private static func withoutQuotes(_ text: String) -> String {
    let bytes = text.utf8
    guard bytes.count > 2, let first = bytes.first, first == bytes.last,
      first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    else { return text }
    return trimmed(text.dropFirst().dropLast())
  }
}
