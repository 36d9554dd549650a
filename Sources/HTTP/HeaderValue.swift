import System

/// The parts of the values of header fields: elements of lists, and parameters.
enum HeaderValue {
  /// The parts between `separator`s outside of quotes and of `<…>`, without blanks around them; at
  /// least one.
  ///
  /// - Complexity: O(n) in the bytes.
  static func parts(of value: Substring, separator: Unicode.Scalar) -> [Substring] {
    var parts: [Substring] = []
    var start = value.startIndex
    // The byte that ends the quotation or the address at hand.
    var closing: UInt8?
    var isEscaped = false
    for index in value.utf8.indices {
      let byte = value.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if let end = closing {
        isEscaped = byte == UInt8(ascii: "\\") && end == UInt8(ascii: "\"")
        if byte == end { closing = nil }
      } else if byte == UInt8(ascii: "\"") {
        closing = byte
      } else if byte == UInt8(ascii: "<") {
        closing = UInt8(ascii: ">")
      } else if byte == UInt8(ascii: separator) {
        parts.append(trimmed(value[start..<index]))
        start = value.utf8.index(after: index)
      }
    }
    return parts + [trimmed(value[start...])]
  }

  /// The name in lower case, and the value behind `=` without quotes; `nil` without a `=`.
  static func parameter(_ part: Substring) -> (name: String, value: String?) {
    let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = trimmed(halves[0]).lowercased()
    return (name, halves.count > 1 ? unquoted(trimmed(halves[1])) : nil)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    text.trimmed { $0 == " " || $0 == "\t" }
  }

  /// Without quotes and the escapes in them; some servers write single quotes.
  private static func unquoted(_ text: Substring) -> String {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if character == quote, !isEscaped { break }
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { result.append(character) }
    }
    return String(trimmed(result[...]))
  }
}
