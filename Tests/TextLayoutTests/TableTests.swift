import Testing

@testable import TextLayout

@Suite struct TableTests {
  private func table(_ rows: [[String]], hasHeader: Bool = false) -> StyledText {
    var text = StyledText("before")
    var sources: [StyledText.TableSource] = []
    for (index, row) in rows.enumerated() {
      var cells: [Range<Int>] = []
      for cell in row {
        let start = text.paragraphs.count
        if !cell.isEmpty {
          text.beginParagraph()
          text.append(cell)
        }
        cells.append(start..<text.paragraphs.count)
      }
      sources.append(.cells(cells, isHeader: hasHeader && index == 0))
    }
    text.makeTable(from: 1, rows: sources, style: StyledText.ParagraphStyle())
    text.beginParagraph()
    text.append("after")
    return text
  }

  private func lines(_ text: StyledText, _ width: Int, limit: Int? = nil) -> [String] {
    let frame = TextFrame(text, width: width, maximumLines: limit, metrics: TextMetrics())
    for (line, next) in zip(frame.lines, frame.lines.dropFirst()) {
      #expect(line.firstCharacter < next.firstCharacter)
    }
    for line in frame.lines { #expect(line.indent + line.width <= width) }
    return frame.lines.indices.map { frame.fragments(ofLine: $0).map(\.text).joined() }
  }

  private let tides = [["Port", "High water"], ["Brest", "6.1 m"], ["", "5.4 m"]]

  @Test func columnsAreAsWideAsTheirCells() {
    #expect(
      lines(table(tides), 40) == [
        "before", "", "Port  │ High water", "Brest │ 6.1 m", "      │ 5.4 m", "", "after",
      ])
  }

  @Test func cellsWrapWhereColumnsShareTheRoom() {
    #expect(
      lines(table(tides), 15) == [
        "before", "", "Port  │ High", "      │ water", "Brest │ 6.1 m", "      │ 5.4 m", "",
        "after",
      ])
  }

  @Test func cellsStandBelowOneAnotherWhereTheyDoNotFit() {
    #expect(
      lines(table(tides, hasHeader: true), 12) == [
        "before", "", "Port: Brest", "High water:", "  6.1 m", "", "Port:", "High water:",
        "  5.4 m", "", "after",
      ])
    #expect(
      lines(table(tides), 10) == [
        "before", "", "Port", "High water", "", "Brest", "6.1 m", "", "5.4 m", "", "after",
      ])
  }

  @Test func wideCharactersTakeTwoColumns() {
    #expect(
      lines(table([["潮", "a"], ["sea", "b"]]), 20)
        == ["before", "", "潮  │ a", "sea │ b", "", "after"])
  }

  /// What stands at a place of one width stands on the line of that place at another.
  @Test func placesDoNotDependOnTheWidth() {
    let text = table(tides, hasHeader: true)
    let ends = (6...60).map { width in
      TextFrame(text, width: width, metrics: TextMetrics()).lines.last?.firstCharacter
    }
    #expect(Set(ends).count == 1)
    for width in 6...60 { _ = lines(text, width) }
  }

  @Test func aTableIsCut() {
    #expect(lines(table(tides), 40, limit: 3).last == "Port  │ High water…")
    #expect(lines(table(tides), 18, limit: 3).last?.hasSuffix("…") == true)
    for limit in 1...8 {
      for width in 1...20 { _ = lines(table(tides, hasHeader: true), width, limit: limit) }
    }
  }

  /// A line of code that is too long goes on behind a mark.
  @Test func longCodeIsMarked() {
    var text = StyledText()
    var style = StyledText.ParagraphStyle()
    style.isPreformatted = true
    text.beginParagraph(style)
    text.append("let tide = high + low\nlet x", style: TextStyle(role: .code))
    #expect(lines(text, 10) == ["let tide ↵", "= high + ↵", "low", "let x"])
    #expect(lines(text, 21) == ["let tide = high + low", "let x"])
    _ = lines(text, 1)
  }
}
