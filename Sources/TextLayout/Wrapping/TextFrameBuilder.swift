/// Builds the lines of a `TextFrame`, paragraph after paragraph, up to a limit.
struct TextFrameBuilder {
  /// The columns of text below which indents shrink.
  static let minimumTextWidth = 10

  let width: Int
  /// The maximum number of rows; `nil` for all.
  let limit: Int?
  private(set) var lines: [TextFrame.Line] = []
  /// The place of the next paragraph.
  private var place = 0
  private var previousQuoteDepth: Int?
  /// The columns of the table last laid out, and their widths.
  private var table: (columns: TableColumns, available: Int, widths: [Int]?)?

  init(width: Int, limit: Int?) {
    self.width = width
    self.limit = limit
  }

  /// Appends the lines of `text`; to be called once.
  mutating func add(_ text: StyledText) {
    for (index, paragraph) in text.paragraphs.enumerated() {
      // An empty paragraph is an accident of its source, unless it is an item of a list.
      guard !paragraph.string.isEmpty || !paragraph.style.marker.isEmpty else { continue }
      guard add(paragraph, index) else {
        truncate(text)
        return
      }
    }
  }

  /// False if the limit was reached before the paragraph's end.
  private mutating func add(_ paragraph: StyledText.Paragraph, _ index: Int) -> Bool {
    let style = paragraph.style
    let decoration = Decoration(style, width: width)
    let spacing = max(0, style.spacingBefore)
    if let previousQuoteDepth {
      let depth = min(previousQuoteDepth, decoration.quoteDepth)
      for row in 0..<spacing {
        let line = TextFrame.Line(
          paragraph: index, indent: depth * 2, quoteDepth: depth, firstCharacter: place + row,
          isSpacing: true)
        guard append(line) else { return false }
      }
    }
    if let row = style.table { return add(row, of: paragraph, index, decoration, spacing) }
    previousQuoteDepth = decoration.quoteDepth
    let base = place + spacing
    var string = paragraph.string
    place = base + string.utf8.count + 1
    if paragraph.isRule {
      let columns = width - decoration.indent
      return append(
        TextFrame.Line(
          paragraph: index, indent: decoration.indent, marker: decoration.marker,
          quoteDepth: decoration.quoteDepth, width: columns,
          ending: String(repeating: "─", count: columns), firstCharacter: base))
    }
    var marker = decoration.marker
    return string.withUTF8 { bytes in
      // Line breaks at its end are ignored.
      var end = bytes.count
      while end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      let wrapper = LineWrapper(
        string: paragraph.string, bytes: bytes, available: width - decoration.indent,
        isPreformatted: style.isPreformatted)
      return wrapper.wrapHardLines(0..<end) { span in
        let line = TextFrame.Line(
          paragraph: index, range: span.range, indent: decoration.indent, marker: marker,
          quoteDepth: decoration.quoteDepth, width: span.width + (span.goesOn ? 1 : 0),
          ending: span.goesOn ? TextFrame.continuation : span.endsInHyphen ? "-" : "",
          firstCharacter: base + span.range.lowerBound)
        marker = ""
        return append(line)
      }
    }
  }

  /// A row's places do not depend on how its cells are arranged: one is kept for an empty row
  /// before it, one for the name of its first column.
  private mutating func add(
    _ row: TableRow, of paragraph: StyledText.Paragraph, _ index: Int, _ decoration: Decoration,
    _ spacing: Int
  ) -> Bool {
    let isFirst = previousQuoteDepth == nil
    previousQuoteDepth = decoration.quoteDepth
    let available = width - decoration.indent
    if table?.columns !== row.columns || table?.available != available {
      table = (row.columns, available, row.columns.widths(within: available))
    }
    let base = place + spacing + 2
    var string = paragraph.string
    let lines = string.withUTF8 { bytes in
      TableRowLayout(
        row: row, string: paragraph.string, bytes: bytes, available: available,
        widths: table?.widths
      ).lines
    }
    let separates =
      table?.widths == nil && spacing == 0 && !isFirst && !lines.isEmpty
      && self.lines.last?.isSpacing == false
    if separates {
      let line = TextFrame.Line(
        paragraph: index, indent: decoration.quoteDepth * 2, quoteDepth: decoration.quoteDepth,
        firstCharacter: base - 2, isSpacing: true)
      guard append(line) else { return false }
    }
    place = base + string.utf8.count + 1
    for row in lines {
      let ranges = row.cells.map(\.range).filter { !$0.isEmpty }
      let start = ranges.first?.lowerBound ?? max(0, row.offset)
      let line = TextFrame.Line(
        paragraph: index, range: start..<(ranges.last?.upperBound ?? start),
        indent: decoration.indent, quoteDepth: decoration.quoteDepth, width: row.width,
        firstCharacter: base + row.offset, cells: row.cells)
      guard append(line) else { return false }
    }
    return true
  }

  private mutating func append(_ line: TextFrame.Line) -> Bool {
    if let limit, lines.count >= limit { return false }
    lines.append(line)
    return true
  }

  /// Makes the last line that shows text end in "…".
  private mutating func truncate(_ text: StyledText) {
    while lines.last?.isSpacing == true { lines.removeLast() }
    guard var line = lines.popLast() else { return }
    guard line.cells.isEmpty else {
      while line.indent + line.width >= width, !line.cells.isEmpty {
        line.cells.removeLast()
        line.width = line.cells.last.map { $0.column + $0.width } ?? 0
      }
      line.width += 1
      line.ending = "…"
      lines.append(line)
      return
    }
    let paragraph = text.paragraphs[line.paragraph]
    var string = paragraph.string
    let available = width - line.indent
    string.withUTF8 { bytes in
      var end = line.range.lowerBound
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      let wrapper = LineWrapper(
        string: paragraph.string, bytes: bytes, available: available,
        isPreformatted: paragraph.style.isPreformatted)
      let span = wrapper.fill(line.range.lowerBound..<end, limit: available - 1)
      line.range = span.range
      line.width = span.width + 1
      line.ending = "…"
    }
    lines.append(line)
  }

  /// The decoration before a paragraph's lines, cut to the room that there is.
  private struct Decoration {
    var indent: Int
    var quoteDepth: Int
    var marker: String

    init(_ style: StyledText.ParagraphStyle, width: Int) {
      let metrics = TextMetrics()
      let bars = 2 * min(max(0, style.quoteDepth), width)
      let wanted = bars + max(min(max(0, style.indent), width), metrics.width(of: style.marker))
      indent = min(wanted, max(0, width - TextFrameBuilder.minimumTextWidth))
      quoteDepth = min(bars, indent) / 2
      let room = indent - 2 * quoteDepth
      marker = metrics.width(of: style.marker) <= room ? style.marker : ""
    }
  }
}

extension LineWrapper {
  /// Wraps `range` including its hard breaks. In a preformatted line that is too long, a column is
  /// left for the mark that it goes on.
  func wrapHardLines(_ range: Range<Int>, _ emit: (Span) -> Bool) -> Bool {
    var start = range.lowerBound
    while true {
      var stop = start
      while stop < range.upperBound, bytes[stop] != UInt8(ascii: "\n") { stop += 1 }
      guard isPreformatted ? wrapMarked(start..<stop, emit) : wrap(start..<stop, emit) else {
        return false
      }
      if stop >= range.upperBound { return true }
      start = stop + 1
    }
  }

  private func wrapMarked(_ range: Range<Int>, _ emit: (Span) -> Bool) -> Bool {
    var first: Span?
    var isWhole = true
    _ = wrap(range) { span in
      isWhole = first == nil
      first = first ?? span
      return isWhole
    }
    if isWhole, let first { return emit(first) }
    let narrow = LineWrapper(
      string: string, bytes: bytes, available: max(1, available - 1), isPreformatted: true)
    // In less room a wide character would not fit beside the mark.
    guard available > 2 else { return wrap(range, emit) }
    var held: Span?
    let isDone = narrow.wrap(range) { span in
      defer { held = span }
      guard var line = held else { return true }
      line.goesOn = true
      return emit(line)
    }
    return isDone && (held.map(emit) ?? true)
  }
}
