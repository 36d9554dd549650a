import System
import TextLayout

/// Text without markup, in which addresses, `#tags` and `@names` get their styles.
enum PlainText {
  /// Splits `text` into paragraphs at blank lines; single line breaks stay.
  ///
  /// - Complexity: O(n) in the bytes.
  static func styled(_ text: String) -> StyledText {
    guard text.containsByte(0x23) || text.containsByte(0x40) || text.containsByte(0x3A) else {
      return StyledText(text)
    }
    var result = StyledText()
    for paragraph in StyledText(text).paragraphs {
      result.beginParagraph(paragraph.style)
      append(paragraph.string, to: &result)
    }
    return result
  }

  /// The first ``FeedLimits/textLines`` lines of `text`, without the last line break, and why the
  /// rest is missing; `nil` if nothing is.
  ///
  /// - Complexity: O(n) in the bytes.
  static func bounded(_ text: String) -> (String, String?) {
    var left = FeedLimits.textLines
    guard text.utf8.count > left else { return (text, nil) }
    let end = text.utf8.firstIndex { byte in
      if byte == 0x0A { left -= 1 }
      return left == 0
    }
    guard let end, text.utf8.index(after: end) < text.utf8.endIndex else { return (text, nil) }
    return (String(text[..<end]), "more than \(FeedLimits.textLines) lines: the rest is left out")
  }

  private static func append(_ string: String, to result: inout StyledText) {
    let bytes = string.utf8
    var plainStart = bytes.startIndex
    var index = bytes.startIndex
    var previous: UInt8 = 0x20
    while index < bytes.endIndex {
      let byte = bytes[index]
      if !isWord(previous), byte == 0x23 || byte == 0x40 || byte == 0x68,
        let (end, style) = mark(in: string, at: index, result: &result)
      {
        if let style {
          result.append(String(string[plainStart..<index]))
          result.append(String(string[index..<end]), style: style)
          plainStart = end
        }
        previous = bytes[bytes.index(before: end)]
        index = end
      } else {
        previous = byte
        index = bytes.index(after: index)
      }
    }
    result.append(String(string[plainStart...]))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == 0x5F || byte == 0x26 || byte == 0x2F || byte >= 128
  }

  /// The maximum length of an address, in bytes.
  private static let addressBytes = 8_192

  /// The end and style of the address, tag or name that begins at `start`; `nil` if none does. Text
  /// that only resembles one has no style, and need not be examined again.
  ///
  /// - Complexity: O(n) in the characters up to the end that is returned.
  private static func mark(
    in string: String, at start: String.Index, result: inout StyledText
  ) -> (String.Index, TextStyle?)? {
    let rest = string[start...]
    if rest.hasPrefix("http://") || rest.hasPrefix("https://") {
      var address = rest.prefix { !$0.isWhitespace && $0 != "<" && $0 != ">" && $0 != "\"" }
      let end = address.endIndex
      while let last = address.last, ".,;:!?'”’）。、」".contains(last) { address.removeLast() }
      if address.last == ")", !address.contains("(") { address.removeLast() }
      guard address.utf8.count > 10, address.utf8.count <= addressBytes else { return (end, nil) }
      let link = result.addLink(String(address))
      return (address.endIndex, TextStyle(role: .link, link: link))
    }
    guard rest.first == "#" || rest.first == "@" else { return nil }
    let isTag = rest.first == "#"
    let name = rest.dropFirst().prefix {
      $0.isLetter || $0.isNumber || $0 == "_" || (!isTag && ($0 == "@" || $0 == "." || $0 == "-"))
    }
    let trimmed =
      isTag ? name : name.dropLast(name.reversed().prefix { $0 == "." || $0 == "-" }.count)
    guard trimmed.contains(where: \.isLetter) else {
      return name.isEmpty ? nil : (name.endIndex, nil)
    }
    return (trimmed.endIndex, TextStyle(role: .tag))
  }
}
