@testable import TextLayout

extension FuzzTarget {
  /// Text wrapped to a width: nothing wider, nothing lost. The first bytes are the width, the limit
  /// of lines and how paragraphs stand.
  static let wrapping = FuzzTarget(
    "wrapping", modules: ["TextLayout"], longestInput: 512, briefRuns: 4000,
    seeds: wrappingSeeds.flatMap { text in
      [[10, 0, 0, 0], [2, 3, 5, 2], [40, 0, 9, 7]].map { $0 + Array(text.utf8) }
    }
  ) { bytes in
    var input = InputBytes(bytes)
    let width = 1 + input.number(below: 90)
    let limit = input.number(below: 4) == 3 ? 1 + input.number(below: 6) : nil
    var style = StyledText.ParagraphStyle()
    let choice = Int(input.byte())
    style.indent = choice % 9 - 1
    style.quoteDepth = choice / 9 % 4
    style.marker = ["", "", "• ", "100. "][choice / 36 % 4]
    style.isPreformatted = choice >= 144
    var styled = StyledText()
    for part in input.text.split(separator: "\u{1}", omittingEmptySubsequences: false) {
      styled.beginParagraph(style)
      styled.append(String(part))
      styled.append(String(part.reversed()), style: TextStyle(role: .link))
    }
    let frame = TextFrame(styled, width: width, maximumLines: limit, metrics: TextMetrics())
    try FrameChecks(frame: frame).check(limit: limit)
    let full = TextFrame(styled, width: width, metrics: TextMetrics())
    if let limit, full.lines.count <= limit {
      try require(full.lines == frame.lines, "a limit that is not reached changes lines")
    }
    // A place is found at any other width.
    let other = TextFrame(styled, width: width % 17 + 1, metrics: TextMetrics())
    for line in frame.lines.indices {
      let place = frame.firstCharacter(ofLine: line)
      let found = other.line(containing: place)
      try require(other.firstCharacter(ofLine: found) <= place, "a place is not found again")
    }
  }

  private static let wrappingSeeds = [
    "the quick brown fox jumps over lazy dogs", "soft\u{AD}hyphens and-hard ones,\u{200B}zero",
    "漢字かな交じり文、改行。 wide e\u{301}\u{302} 👩‍👩‍👧 🇩🇪", "a\nb\n\n\u{1}second  spaces   \n",
    "אבג abc עברית 123 (x)", "https://tideline.example/very/long/path?with=query",
    "\u{301}\u{200D}",
  ]
}

/// What holds for every frame.
private struct FrameChecks {
  let frame: TextFrame

  func check(limit: Int?) throws(Finding) {
    let metrics = TextMetrics()
    try require(frame.lines.count <= limit ?? .max, "more lines than the limit")
    var shownEnd: [Int: Int] = [:]
    for (index, line) in frame.lines.enumerated() {
      try require(line.indent + line.width <= frame.width, "line \(index) is too wide")
      let drawn = frame.fragments(ofLine: index).reduce(0) { $0 + metrics.width(of: $1.text) }
      try require(drawn == line.width, "line \(index) takes \(drawn), not \(line.width)")
      let mark = metrics.width(of: line.marker) + 2 * line.quoteDepth
      try require(mark <= line.indent, "line \(index) has no room for its marker")
      let place = frame.firstCharacter(ofLine: index)
      try require(frame.line(containing: place) == index, "line \(index) is not found")
      if index > 0 {
        try require(frame.firstCharacter(ofLine: index - 1) < place, "places do not rise")
      }
      guard !line.isSpacing else { continue }
      let start = shownEnd[line.paragraph] ?? 0
      try require(start <= line.range.lowerBound, "line \(index) shows something again")
      try checkHanging(frame.text.paragraphs[line.paragraph].string, start..<line.range.lowerBound)
      shownEnd[line.paragraph] = line.range.upperBound
    }
    try require(frame.lines.dropLast().allSatisfy { !$0.isTruncated }, "truncated in the middle")
    guard frame.lines.last?.isTruncated != true else { return }
    for (index, paragraph) in frame.text.paragraphs.enumerated() {
      try checkHanging(
        paragraph.string, (shownEnd[index] ?? 0)..<paragraph.string.utf8.count)
    }
  }

  /// Between lines only what may hang over an end is left out.
  private func checkHanging(_ string: String, _ range: Range<Int>) throws(Finding) {
    for character in string.slice(utf8: range) {
      let mayHang =
        character.unicodeScalars.allSatisfy { $0 == "\n" || ScalarClass.isHangingSpace($0.value) }
        || TextMetrics().width(of: character) == 0
      try require(mayHang, "\(String(character).debugDescription) is lost at width \(frame.width)")
    }
  }
}
