import Testing

@testable import TextLayout

@Suite struct StyledTextTests {
  @Test func equalStylesJoinIntoOneRun() {
    var text = StyledText()
    text.append("a")
    text.append("b")
    text.append("c", style: TextStyle(traits: .bold))
    #expect(text.paragraphs[0].runs.map(\.range) == [0..<2, 2..<3])
  }

  @Test func aCharacterIsNeverSplitBetweenRuns() {
    let bold = TextStyle(traits: .bold)
    var text = StyledText()
    text.append("e")
    text.append("\u{301}x", style: bold)
    text.append("\u{302}", style: TextStyle(role: .link))
    #expect(text.paragraphs[0].runs.map(\.range) == [0..<3, 3..<6])
    #expect(text.paragraphs[0].runs.map(\.style) == [.body, bold])
    #expect(text.paragraphs[0].string == "e\u{301}x\u{302}")
  }

  @Test func everythingIsSanitized() {
    var text = StyledText()
    var style = StyledText.ParagraphStyle()
    style.marker = "\u{1B}[31m•\n "
    text.beginParagraph(style)
    text.append("a\u{1B}[2Jb")
    let link = text.addLink("https://e.example/\u{7}\nx")
    #expect(text.paragraphs[0].style.marker == "• ")
    #expect(text.plainText == "ab")
    #expect(text.links[link] == "https://e.example/ x")
  }

  @Test func blankLinesSeparateParagraphs() {
    let text = StyledText("\n\na\r\nb\n \t\nc\n\n\n")
    #expect(text.paragraphs.map(\.string) == ["a\nb", "c"])
    #expect(text.plainText == "a\nb\n\nc")
    #expect(!text.isEmpty)
    #expect(StyledText(" \n ").isEmpty)
  }
}
