import TestSupport
import Testing

@testable import TextLayout

/// Wrapping against a naive model and against what must hold for any text.
@Suite struct TextFrameWrappingTests {
  private func shown(_ frame: TextFrame) -> [NaiveWrapper.Line] {
    frame.lines.indices.map { index in
      NaiveWrapper.Line(
        text: frame.fragments(ofLine: index).map { String($0.text) }.joined(),
        width: frame.lines[index].width)
    }
  }

  private func oneParagraph(_ text: String, preformatted: Bool = false) -> StyledText {
    var styled = StyledText()
    var style = StyledText.ParagraphStyle()
    style.isPreformatted = preformatted
    styled.beginParagraph(style)
    styled.append(text)
    return styled
  }

  @Test(arguments: Rounds.seeds(24))
  func agreesWithTheModel(seed: UInt64) {
    var random = RandomText(seed: seed)
    for round in 0..<20 {
      let pieces = round % 2 == 0 ? RandomText.ascii : RandomText.mixed
      var text = random.text(of: pieces, count: 25)
      if random.int(0...3) == 0 { text += "\n" + random.text(of: pieces, count: 6) }
      text = Sanitizer.text(text)
      guard !text.isEmpty else { continue }
      let width = random.int(6...40)
      let frame = TextFrame(oneParagraph(text), width: width, metrics: TextMetrics())
      #expect(
        shown(frame) == NaiveWrapper(width: width).wrap(text),
        "seed \(seed), width \(width): \(text.debugDescription)")
    }
  }

  @Test(arguments: Rounds.seeds(24))
  func holdsForAnyText(seed: UInt64) {
    var random = RandomText(seed: seed)
    for _ in 0..<15 {
      var styled = StyledText()
      for _ in 0..<random.int(0...4) {
        var style = StyledText.ParagraphStyle()
        style.indent = random.int(-1...8)
        style.quoteDepth = random.int(0...3)
        style.marker = ["", "", "• ", "100. "][random.int(0...3)]
        style.isPreformatted = random.int(0...3) == 0
        style.spacingBefore = random.int(0...2)
        styled.beginParagraph(style)
        for role in [TextStyle.Role.body, .link, .tag] {
          let text = random.text(of: RandomText.mixed + ["\n", "\n\n"], count: 8)
          styled.append(text, style: TextStyle(role: role))
        }
      }
      let width = random.int(1...30)
      let limit = random.int(0...2) == 0 ? random.int(1...6) : nil
      let frame = TextFrame(styled, width: width, maximumLines: limit, metrics: TextMetrics())
      check(frame, limit: limit, "seed \(seed), width \(width), limit \(limit ?? 0)")
    }
  }

  private func check(_ frame: TextFrame, limit: Int?, _ comment: Comment) {
    let metrics = TextMetrics()
    if let limit { #expect(frame.lines.count <= limit, comment) }
    var shownEnd: [Int: Int] = [:]
    for (index, line) in frame.lines.enumerated() {
      // No line is wider than the width, and its width is what drawing it takes.
      #expect(line.indent + line.width <= frame.width, comment)
      let fragments = frame.fragments(ofLine: index)
      let drawn = fragments.reduce(0) { $0 + metrics.width(of: $1.text) }
      #expect(drawn == line.width, comment)
      #expect(metrics.width(of: line.marker) + 2 * line.quoteDepth <= line.indent, comment)
      // Places rise and find their lines again.
      let place = frame.firstCharacter(ofLine: index)
      #expect(frame.line(containing: place) == index, comment)
      if index > 0 {
        #expect(frame.firstCharacter(ofLine: index - 1) < place, comment)
        #expect(frame.line(containing: place - 1) == index - 1, comment)
      }
      // Only what may hang is left out between lines.
      guard !line.isSpacing else { continue }
      let string = frame.text.paragraphs[line.paragraph].string
      expectOnlyHanging(
        string, (shownEnd[line.paragraph] ?? 0)..<line.range.lowerBound, comment)
      shownEnd[line.paragraph] = line.range.upperBound
    }
    if frame.lines.last?.isTruncated != true {
      for (index, paragraph) in frame.text.paragraphs.enumerated() {
        let end = shownEnd[index] ?? 0
        expectOnlyHanging(paragraph.string, end..<paragraph.string.utf8.count, comment)
      }
    }
    #expect(frame.lines.dropLast().allSatisfy { !$0.isTruncated }, comment)
  }

  private func expectOnlyHanging(_ string: String, _ range: Range<Int>, _ comment: Comment) {
    for character in string.slice(utf8: range) {
      #expect(
        character == "\n" || character == " " || character == "\u{3000}"
          || TextMetrics().width(of: character) == 0, comment)
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func preformattedTextFillsEachLine(seed: UInt64) {
    var random = RandomText(seed: seed)
    let metrics = TextMetrics()
    for _ in 0..<20 {
      var text = Substring(Sanitizer.text(random.text(of: RandomText.mixed, count: 12)))
      while text.last == " " { text.removeLast() }
      let width = random.int(6...30)
      var expected: [NaiveWrapper.Line] = [NaiveWrapper.Line(text: "", width: 0)]
      // A column is left for the mark of a line that goes on.
      let isShort = metrics.width(of: text) <= width
      let room = isShort ? width : width - 1
      for character in text {
        let columns = metrics.width(of: character)
        let last = expected.count - 1
        if expected[last].width + columns > room {
          expected.append(NaiveWrapper.Line(text: String(character), width: columns))
        } else {
          expected[last].text.append(character)
          expected[last].width += columns
        }
      }
      guard !text.isEmpty else { continue }
      for line in expected.indices.dropLast() {
        expected[line].text += "↵"
        expected[line].width += 1
      }
      let frame = TextFrame(
        oneParagraph(String(text), preformatted: true), width: width, metrics: metrics)
      #expect(shown(frame) == expected, "seed \(seed), width \(width): \(text)")
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func aPlaceSurvivesAResize(seed: UInt64) {
    var random = RandomText(seed: seed)
    var source: [String] = []
    for _ in 0..<3 { source.append(random.text(of: RandomText.mixed, count: 30)) }
    let text = StyledText(source.joined(separator: "\n\n"))
    let frame = TextFrame(text, width: random.int(5...60), metrics: TextMetrics())
    let other = TextFrame(text, width: random.int(5...60), metrics: TextMetrics())
    for line in frame.lines.indices {
      let place = frame.firstCharacter(ofLine: line)
      let found = other.line(containing: place)
      // The line found is the one that holds the place.
      #expect(other.firstCharacter(ofLine: found) <= place, "seed \(seed)")
      if found + 1 < other.lines.count {
        #expect(other.firstCharacter(ofLine: found + 1) > place, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func truncationKeepsTheFirstLinesAndFillsTheLast(seed: UInt64) {
    var random = RandomText(seed: seed)
    let metrics = TextMetrics()
    for _ in 0..<10 {
      let text = oneParagraph(random.text(of: RandomText.mixed, count: 30))
      let width = random.int(4...30)
      let limit = random.int(1...5)
      let full = TextFrame(text, width: width, metrics: metrics)
      let short = TextFrame(text, width: width, maximumLines: limit, metrics: metrics)
      let comment: Comment = "seed \(seed), width \(width), limit \(limit): \(text.plainText)"
      if full.lines.count <= limit {
        #expect(short.lines == full.lines, comment)
        continue
      }
      #expect(Array(short.lines.dropLast()) == Array(full.lines.prefix(limit - 1)), comment)
      guard let last = short.lines.last else { continue }
      #expect(last.isTruncated && short.lines.count == limit, comment)
      // The next character that shows something would not have fitted before the ellipsis.
      let string = text.paragraphs[0].string
      let rest = string.slice(utf8: last.range.upperBound..<string.utf8.count)
      var columns = last.width
      for character in rest {
        columns += metrics.width(of: character)
        if character != " ", character != "\u{3000}", metrics.width(of: character) > 0 { break }
      }
      #expect(columns > width, comment)
    }
  }
}
