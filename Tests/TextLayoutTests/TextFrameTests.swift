import Geometry
import Testing

@testable import TextLayout

/// What stands on the page, by example.
@Suite struct TextFrameTests {
  /// The rows as a reader sees them: bars, marker, text.
  private func page(_ frame: TextFrame) -> [String] {
    frame.lines.indices.map { index in
      let line = frame.lines[index]
      let bars = String(repeating: "│ ", count: line.quoteDepth)
      let room = line.indent - 2 * line.quoteDepth
      let gap = String(repeating: " ", count: room - TextMetrics().width(of: line.marker))
      return bars + gap + line.marker
        + frame.fragments(ofLine: index).map { String($0.text) }.joined()
    }
  }

  private func page(_ text: StyledText, _ width: Int, _ maximumLines: Int? = nil) -> [String] {
    page(TextFrame(text, width: width, maximumLines: maximumLines, metrics: TextMetrics()))
  }

  private func text(_ build: (inout StyledText) -> Void) -> StyledText {
    var text = StyledText()
    build(&text)
    return text
  }

  private func paragraph(
    _ string: String, _ configure: (inout StyledText.ParagraphStyle) -> Void
  ) -> StyledText {
    text {
      var style = StyledText.ParagraphStyle()
      configure(&style)
      $0.beginParagraph(style)
      $0.append(string)
    }
  }

  @Test func paragraphsStandApart() {
    #expect(page(StyledText("one two\n\nthree"), 5) == ["one", "two", "", "three"])
  }

  @Test func emptyTextHasNoLines() {
    #expect(page(StyledText(""), 10).isEmpty)
    #expect(page(text { $0.beginParagraph() }, 10).isEmpty)
    let frame = TextFrame(StyledText(), width: 10)
    #expect(frame.firstCharacter(ofLine: 3) == 0)
    #expect(frame.line(containing: 7) == 0)
    #expect(frame.size == .zero)
    #expect(frame.fragments(ofLine: 0).isEmpty)
  }

  @Test func hardBreaksAreKept() {
    #expect(page(StyledText("a\nb"), 10) == ["a", "b"])
    #expect(page(text { $0.append("\n\na\n\nb\n\n") }, 10) == ["", "", "a", "", "b"])
  }

  @Test func listsAndQuotes() {
    let list = text {
      var style = StyledText.ParagraphStyle()
      style.indent = 4
      style.marker = "• "
      $0.beginParagraph(style)
      $0.append("ebb and flow")
      style.spacingBefore = 0
      style.marker = "10. "
      $0.beginParagraph(style)
      $0.append("slack")
    }
    #expect(page(list, 16) == ["  • ebb and flow", "10. slack"])
    #expect(page(list, 15) == ["  • ebb and", "    flow", "10. slack"])
    let quote = text {
      var style = StyledText.ParagraphStyle()
      style.quoteDepth = 1
      $0.beginParagraph(style)
      $0.append("high water")
      style.quoteDepth = 2
      $0.beginParagraph(style)
      $0.append("low water now")
    }
    #expect(page(quote, 14) == ["│ high water", "│ ", "│ │ low water", "│ │ now"])
  }

  @Test func aMarkerWiderThanTheIndentMovesTheText() {
    let item = paragraph("item") {
      $0.indent = 2
      $0.marker = "100. "
    }
    #expect(page(item, 20) == ["100. item"])
  }

  @Test func decorationsGiveWayInNarrowColumns() {
    let deep = paragraph("deep water") {
      $0.indent = 20
      $0.quoteDepth = 3
      $0.marker = "- "
    }
    #expect(page(deep, 12) == ["│ deep water"])
    #expect(page(deep, 5) == ["deep", "water"])
  }

  @Test func anEmptyItemOfAListIsShown() {
    #expect(page(paragraph("") { $0.marker = "• " }, 20) == ["• "])
  }

  @Test func aRuleIsAsWideAsTheText() {
    let ruled = text {
      $0.append("Ebb")
      $0.beginParagraph()
      $0.append("───", style: TextStyle(role: .secondary))
      var style = StyledText.ParagraphStyle()
      style.quoteDepth = 1
      $0.beginParagraph(style)
      $0.append("───", style: TextStyle(role: .secondary))
      $0.beginParagraph()
      $0.append("───")
    }
    let rule = String(repeating: "─", count: 12)
    #expect(page(ruled, 12) == ["Ebb", "", rule, "", "│ " + rule.dropLast(2), "", "───"])
    // In a narrow frame bars give way, as they do for words.
    #expect(page(ruled, 8) == ["Ebb", "", "────────", "", "────────", "", "───"])
    #expect(page(ruled, 12, 3) == ["Ebb", "", "───…"])
    let frame = TextFrame(ruled, width: 8, metrics: TextMetrics())
    let places = frame.lines.map(\.firstCharacter)
    #expect(places == places.sorted() && Set(places).count == places.count)
    #expect(
      frame.fragments(ofLine: 2) == [.init(text: "────────", style: TextStyle(role: .secondary))])
  }

  @Test func preformattedTextKeepsItsSpaces() {
    let code = paragraph("if x {\n\treturn 1234567\n}\n") { $0.isPreformatted = true }
    #expect(page(code, 16) == ["if x {", "        return ↵", "1234567", "}"])
  }

  @Test func longWordsAreBrokenAnywhere() {
    #expect(page(StyledText("a abcdefgh b"), 4) == ["a", "abcd", "efgh", "b"])
    #expect(
      page(StyledText("see https://tide.example/harbour"), 10)
        == ["see", "https://", "tide.examp", "le/harbour"])
  }

  @Test func spacesThatBeginALineIndentIt() {
    #expect(page(text { $0.append("  ab cd\n  abcdef") }, 6) == ["  ab", "cd", "  abcd", "ef"])
  }

  @Test func softHyphensShowWhereTheyBreak() {
    let word = StyledText("Hafen\u{AD}pegel\u{AD}stand")
    #expect(page(word, 12) == ["Hafen\u{AD}pegel\u{AD}-", "stand"])
    #expect(page(word, 9) == ["Hafen\u{AD}-", "pegel\u{AD}-", "stand"])
    #expect(page(word, 15) == ["Hafen\u{AD}pegel\u{AD}stand"])
  }

  @Test func wideCharactersNeverStraddleTheEdge() {
    #expect(page(StyledText("潮の満ち引き"), 5) == ["潮の", "満ち", "引き"])
    #expect(page(StyledText("a潮"), 2) == ["a", "潮"])
  }

  @Test func oneColumnIsEnough() {
    #expect(page(StyledText("潮a😀"), 1) == ["□", "a", "□"])
    #expect(page(StyledText("🇩🇪"), 1) == ["🇩", "🇪"])
    #expect(page(StyledText("ab"), 0) == ["a", "b"])
    #expect(page(StyledText("ab"), -5) == ["a", "b"])
  }

  @Test func clustersWiderThanTheLineAreTakenApart() {
    let long = "क" + String(repeating: "ा", count: 7)
    let frame = TextFrame(StyledText(long), width: 3, metrics: TextMetrics())
    #expect(frame.lines.map(\.width) == [3, 3, 2])
  }

  @Test func truncation() {
    let text = StyledText("one two three four\n\nfive")
    #expect(page(text, 9) == ["one two", "three", "four", "", "five"])
    #expect(page(text, 9, 5) == ["one two", "three", "four", "", "five"])
    #expect(page(text, 9, 4) == ["one two", "three", "four…"])
    #expect(page(text, 9, 3) == ["one two", "three", "four…"])
    #expect(page(text, 9, 2) == ["one two", "three fo…"])
    #expect(page(text, 9, 1) == ["one two…"])
    #expect(page(text, 1, 1) == ["…"])
    #expect(page(text, 9, 0) == page(text, 9))
    #expect(page(StyledText("abcdef"), 3, 1) == ["ab…"])
    #expect(page(StyledText("潮の満ち"), 5, 1) == ["潮の…"])
    #expect(page(StyledText("潮の満ち"), 6, 1) == ["潮の…"])
    #expect(page(StyledText("a\nb"), 6, 1) == ["a…"])
    let frame = TextFrame(text, width: 9, maximumLines: 2, metrics: TextMetrics())
    #expect(frame.lines.map(\.isTruncated) == [false, true])
    #expect(frame.line(containing: 10_000) == 1)
  }

  @Test func fragmentsFollowTheRuns() {
    let link = TextStyle(role: .link, link: 0)
    let text = text {
      $0.append("see the ")
      $0.append("tide table", style: link)
      $0.append(" now")
    }
    let frame = TextFrame(text, width: 12, metrics: TextMetrics())
    #expect(
      frame.lines.indices.map(frame.fragments(ofLine:)) == [
        [.init(text: "see the ", style: .body), .init(text: "tide", style: link)],
        [.init(text: "table", style: link), .init(text: " now", style: .body)],
      ])
  }

  @Test func placesCountEmptyRowsBytesAndEnds() {
    let frame = TextFrame(StyledText("ab cd\n\nef"), width: 3, metrics: TextMetrics())
    // The first paragraph: one for its empty row (not shown), five bytes, one for its end.
    #expect(frame.lines.map(\.firstCharacter) == [1, 4, 7, 8])
  }

  @Test func measuring() {
    let text = StyledText("one two three")
    #expect(TextFrame(text, width: 8).size == Size(width: 7, height: 2))
    #expect(TextFrame(text, width: 8, maximumLines: 1).size == Size(width: 8, height: 1))
    #expect(TextFrame(StyledText(), width: 8).size == .zero)
  }
}
