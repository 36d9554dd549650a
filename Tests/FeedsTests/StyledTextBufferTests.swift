import TestSupport
import Testing
import TextLayout

@testable import Feeds

/// Text that is gathered in pieces equals text that is appended character by character.
@Suite struct StyledTextBufferTests {
  @Test(arguments: Rounds.seeds(4)) func textEqualsThatOfItsCharacters(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let styles = [TextStyle.body, TextStyle(role: .code), TextStyle(traits: .bold)]
    for _ in 0..<100 {
      var buffer = StyledTextBuffer()
      var expected = StyledText()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let style = styles.randomElement(using: &generator) ?? .body
        let word = ["", "a", "tide", "é", "潮 "].randomElement(using: &generator) ?? ""
        buffer.select(style)
        // A character may arrive in two pieces.
        let cut = Int.random(in: 0...word.utf8.count, using: &generator)
        buffer.append(word.utf8.prefix(cut))
        for byte in word.utf8.dropFirst(cut) { buffer.append(byte) }
        for character in word { expected.append(String(character), style: style) }
        if Int.random(in: 0..<8, using: &generator) == 0 {
          buffer.beginParagraph(StyledText.ParagraphStyle())
          expected.beginParagraph()
        }
      }
      buffer.flush()
      #expect(buffer.text == expected, "seed \(seed)")
    }
  }
}
