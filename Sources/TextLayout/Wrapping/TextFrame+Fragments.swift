import System

extension TextFrame {
  /// The contents of a line after its indent, from left to right, including hyphen or ellipsis: in
  /// the order of the text, or in visual order with `TextMetrics.reordersRightToLeft`.
  ///
  /// - Complexity: O(log r + n) in the paragraph's runs and the line's bytes.
  public func fragments(ofLine index: Int) -> [Fragment] {
    guard lines.indices.contains(index) else { return [] }
    let line = lines[index]
    let paragraph = text.paragraphs[line.paragraph]
    guard line.cells.isEmpty else { return fragments(of: line, paragraph) }
    var fragments = Self.fragments(of: line.range, in: paragraph)
    if width - line.indent == 1 { Self.substituteWide(&fragments) }
    if !line.ending.isEmpty {
      let isMark = line.ending == Self.continuation
      let style = fragments.last?.style ?? paragraph.runs.last?.style ?? .body
      fragments.append(
        Fragment(
          text: Substring(line.ending), style: isMark ? TextStyle(role: .secondary) : style))
    }
    if metrics.reordersRightToLeft { Self.reorder(&fragments, paragraph.string) }
    return fragments
  }

  /// Whether a line is at the right edge, with bars and marker right of it: one of a paragraph that
  /// reads from right to left, if it is reordered here. Code and tables keep their columns.
  ///
  /// - Complexity: O(n) in the bytes before the paragraph's first letter.
  public func startsAtRight(line index: Int) -> Bool {
    guard metrics.reordersRightToLeft, lines.indices.contains(index), lines[index].cells.isEmpty
    else { return false }
    let paragraph = text.paragraphs[lines[index].paragraph]
    return !paragraph.style.isPreformatted && paragraph.style.table == nil
      && BidiOrder.isRightToLeft(paragraph.string)
  }

  /// The marker of a line as shown: in right-to-left order if the line starts at the right.
  public func marker(ofLine index: Int) -> String {
    guard lines.indices.contains(index) else { return "" }
    let marker = lines[index].marker
    guard !marker.isEmpty, startsAtRight(line: index) else { return marker }
    let characters = Array(marker)
    return String(BidiOrder(characters, isRightToLeft: true).visual.map { characters[$0] })
  }

  /// The mark of a preformatted line that goes on.
  static let continuation = "↵"

  private static func fragments(
    of part: Range<Int>, in paragraph: StyledText.Paragraph
  ) -> [Fragment] {
    let runs = paragraph.runs
    var fragments: [Fragment] = []
    var run = runs.partitionPoint { $0.range.upperBound <= part.lowerBound }
    while run < runs.count, runs[run].range.lowerBound < part.upperBound {
      let range = runs[run].range.clamped(to: part)
      if !range.isEmpty {
        fragments.append(
          Fragment(text: paragraph.string.slice(utf8: range), style: runs[run].style))
      }
      run += 1
    }
    return fragments
  }

  /// Cells at their columns, with bars between those side by side.
  private func fragments(of line: Line, _ paragraph: StyledText.Paragraph) -> [Fragment] {
    var fragments: [Fragment] = []
    var column = 0
    for (index, cell) in line.cells.enumerated() {
      let bar = index > 0 ? TableColumns.bar : ""
      let gap = cell.column - column - (index > 0 ? TableColumns.barWidth : 0)
      if !cell.label.isEmpty {
        fragments.append(Fragment(text: Substring(cell.label), style: TextStyle(traits: .bold)))
      } else if gap > 0 || index > 0 {
        let blanks = String(repeating: " ", count: max(0, gap))
        fragments.append(
          Fragment(text: Substring(blanks + bar), style: TextStyle(role: .secondary)))
      }
      var own = Self.fragments(of: cell.range, in: paragraph)
      if cell.endsInHyphen, let style = own.last?.style {
        own.append(Fragment(text: "-", style: style))
      }
      if metrics.reordersRightToLeft {
        Self.reorder(&own, String(paragraph.string.slice(utf8: cell.range)))
      }
      fragments += own
      column = cell.column + cell.width
    }
    // No space after the bar before an empty cell.
    if let last = line.cells.last, last.range.isEmpty, let bar = fragments.last,
      bar.text.hasSuffix(TableColumns.bar)
    {
      fragments[fragments.count - 1].text = bar.text.dropLast()
    }
    if !line.ending.isEmpty {
      fragments.append(
        Fragment(text: Substring(line.ending), style: fragments.last?.style ?? .body))
    }
    return fragments
  }

  /// Puts a line that has right-to-left text into visual order.
  private static func reorder(_ fragments: inout [Fragment], _ paragraph: String) {
    let isRightToLeft = BidiOrder.isRightToLeft(paragraph)
    guard isRightToLeft || fragments.contains(where: { BidiOrder.mayReorder($0.text) }) else {
      return
    }
    let parts = fragments.flatMap { fragment in
      fragment.text.map { (character: $0, style: fragment.style) }
    }
    let order = BidiOrder(parts.map(\.character), isRightToLeft: isRightToLeft)
    fragments = []
    var text = ""
    var style: TextStyle?
    for index in order.visual {
      let part = parts[index]
      if let style, style != part.style {
        fragments.append(Fragment(text: Substring(text), style: style))
        text = ""
      }
      style = part.style
      text.append(order.drawn(part.character, at: index))
    }
    if let style { fragments.append(Fragment(text: Substring(text), style: style)) }
  }

  /// Replaces characters of two columns, which do not fit in a line of one column, with □.
  private static func substituteWide(_ fragments: inout [Fragment]) {
    let metrics = TextMetrics()
    for index in fragments.indices where metrics.width(of: fragments[index].text) > 1 {
      fragments[index].text = Substring(Glyph.substitute.string)
    }
  }
}
