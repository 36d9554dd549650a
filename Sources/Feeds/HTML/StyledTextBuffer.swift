import TextLayout

/// A styled text to which characters are appended in pieces: those of one style are gathered and
/// become one run.
struct StyledTextBuffer {
  /// Complete after ``flush()``.
  var text = StyledText()
  private var bytes: [UInt8] = []
  private var style = TextStyle.body

  /// Selects the style of the characters that follow.
  mutating func select(_ style: TextStyle) {
    guard style != self.style else { return }
    flush()
    self.style = style
  }

  /// Appends a character of ASCII or a part of another character.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends characters in UTF-8.
  mutating func append(_ characters: some Sequence<UInt8>) { bytes.append(contentsOf: characters) }

  mutating func beginParagraph(_ paragraph: StyledText.ParagraphStyle) {
    flush()
    text.beginParagraph(paragraph)
  }

  /// Adds the gathered characters to the text.
  mutating func flush() {
    guard !bytes.isEmpty else { return }
    text.append(String(decoding: bytes, as: UTF8.self), style: style)
    bytes.removeAll(keepingCapacity: true)
  }
}
