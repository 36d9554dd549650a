extension TextFrame {
  /// What stands on a line after its indent, from left to right, hyphen or ellipsis included: the
  /// order of the text, or, with `TextMetrics.reordersRightToLeft`, the order it is seen in.
  ///
  /// - Complexity: O(log r + n) in the paragraph's runs and the line's bytes.
  public func fragments(ofLine index: Int) -> [Fragment] {
    guard lines.indices.contains(index) else { return [] }
    let line = lines[index]
    let paragraph = text.paragraphs[line.paragraph]
    let runs = paragraph.runs
    var fragments: [Fragment] = []
    var run = Self.run(at: line.range.lowerBound, in: runs)
    while run < runs.count, runs[run].range.lowerBound < line.range.upperBound {
      let range = runs[run].range.clamped(to: line.range)
      if !range.isEmpty {
        fragments.append(
          Fragment(text: paragraph.string.slice(utf8: range), style: runs[run].style))
      }
      run += 1
    }
    if width - line.indent == 1 { Self.substituteWide(&fragments) }
    if !line.ending.isEmpty {
      let style = fragments.last?.style ?? runs.last?.style ?? .body
      fragments.append(Fragment(text: Substring(line.ending), style: style))
    }
    if metrics.reordersRightToLeft { Self.reorder(&fragments, paragraph.string) }
    return fragments
  }

  /// Puts a line that holds right-to-left text into the order it is seen in.
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
      text.append(order.seen(part.character, at: index))
    }
    if let style { fragments.append(Fragment(text: Substring(text), style: style)) }
  }

  /// Index of the run that holds `offset`.
  private static func run(at offset: Int, in runs: [StyledText.Run]) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// In a line of one column there is no room for characters of two: □ stands for each.
  private static func substituteWide(_ fragments: inout [Fragment]) {
    let metrics = TextMetrics()
    for index in fragments.indices where metrics.width(of: fragments[index].text) > 1 {
      fragments[index].text = Substring(Glyph.substitute.string)
    }
  }
}
