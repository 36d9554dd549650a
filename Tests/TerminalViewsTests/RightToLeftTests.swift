import Geometry
import Terminal
import Testing
import TextLayout

@testable import TerminalViews

/// Right-to-left text is at the right edge if it is reordered here.
@MainActor @Suite struct RightToLeftTests {
  private func lines(_ text: StyledText, reorders: Bool = true, width: Int = 12) -> [String] {
    let frame = TextFrame(
      text, width: width, metrics: TextMetrics(reordersRightToLeft: reorders))
    var canvas = Canvas(size: Size(width: width, height: frame.lines.count))
    TextDrawing.draw(
      frame, in: &canvas, at: .zero, lines: frame.lines.indices, theme: .standard)
    return (0..<canvas.size.height).map { canvas.text(row: $0) }
  }

  @Test func paragraphsAlignToTheirStart() {
    let text = StyledText("abc\n\nאבג\n\nא abc\n\nabc א")
    #expect(
      lines(text) == [
        "abc         ", "            ", "         גבא", "            ", "       abc א",
        "            ", "abc א       ",
      ])
  }

  /// Terminals that reorder text themselves receive it unchanged.
  @Test func withoutReorderingTextStaysLeft() {
    #expect(lines(StyledText("אבג"), reorders: false) == ["אבג         "])
  }

  @Test func markersAndBarsStandAtTheRightAsWell() {
    var text = StyledText()
    var style = StyledText.ParagraphStyle()
    style.indent = 4
    style.marker = "1. "
    text.beginParagraph(style)
    text.append("אבג")
    let line = String(repeating: " ", count: 17) + "גבא .1 "
    #expect(lines(text, width: 24) == [line])
    var quote = StyledText()
    style = StyledText.ParagraphStyle()
    style.quoteDepth = 1
    quote.beginParagraph(style)
    quote.append("אבג")
    #expect(lines(quote) == ["       גבא ▕"])
  }

  @Test func codeKeepsItsColumns() {
    var text = StyledText()
    var style = StyledText.ParagraphStyle()
    style.isPreformatted = true
    text.beginParagraph(style)
    text.append("אבג")
    #expect(lines(text) == ["גבא         "])
  }

  @Test func explicitAlignmentIsKept() {
    let label = Label()
    label.text = StyledText("abc")
    label.alignment = .center
    label.frame = Rect(x: 0, y: 0, width: 9, height: 1)
    var canvas = Canvas(size: label.frame.size)
    label.draw(in: &canvas, at: .zero)
    #expect(canvas.text(row: 0) == "   abc   ")
  }
}
