/// The words at a place, to find it again in a text that has changed.
extension TextFrame {
  /// The number of first characters to look for if the whole is not found.
  private static let fewest = 12

  /// The text of a paragraph from a place on, up to its line break, 48 characters at most; empty on
  /// an empty row and in a table.
  ///
  /// - Complexity: O(log n) in lines, O(n) in the bytes of the paragraph.
  public func words(at character: Int) -> String {
    guard !lines.isEmpty else { return "" }
    let line = lines[line(containing: character)]
    guard !line.isSpacing, line.cells.isEmpty, text.paragraphs.indices.contains(line.paragraph)
    else {
      return ""
    }
    let string = text.paragraphs[line.paragraph].string
    let byte = line.range.lowerBound + max(0, character - line.firstCharacter)
    guard byte < string.utf8.count else { return "" }
    let start = string.utf8.index(string.startIndex, offsetBy: byte)
    return String(string[start...].prefix(48).prefix { !$0.isNewline })
  }

  /// The place nearest to `character` at which the text has `words`, or at least their beginning;
  /// `nil` if there is none.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  public func character(ofWords words: String, near character: Int) -> Int? {
    guard !words.isEmpty else { return nil }
    if self.words(at: character).hasPrefix(words) { return character }
    let beginning = String(words.prefix(Self.fewest))
    for wanted in beginning == words ? [words] : [words, beginning] {
      let found = characters(of: Array(wanted.utf8))
      if let nearest = found.min(by: { abs($0 - character) < abs($1 - character) }) {
        return nearest
      }
    }
    return nil
  }

  /// Every place at which the text has `wanted`.
  private func characters(of wanted: [UInt8]) -> [Int] {
    var found: [Int] = []
    var last = -1
    for line in lines where !line.isSpacing && line.cells.isEmpty && line.paragraph != last {
      last = line.paragraph
      let base = line.firstCharacter - line.range.lowerBound
      let bytes = Array(text.paragraphs[line.paragraph].string.utf8)
      guard bytes.count >= wanted.count else { continue }
      for start in 0...(bytes.count - wanted.count)
      where bytes[start] == wanted[0] && bytes[start..<start + wanted.count].elementsEqual(wanted) {
        found.append(base + start)
      }
    }
    return found
  }
}
