/// The lines of a table row: cells side by side, or below one another if they do not fit.
///
/// 1. A line has the part of each cell that is on that line. Below one another, each cell begins a
///    line with the name of its column; the header itself is left out then.
/// 2. The places of lines grow: a line has that of the cell with the most lines, one with only a
///    name the place before the cell.
struct TableRowLayout {
  struct Line {
    var cells: [TextFrame.Cell]
    /// UTF-8 offset of its place.
    var offset: Int
    var width: Int
  }

  let row: TableRow
  let string: String
  let bytes: UnsafeBufferPointer<UInt8>
  let available: Int
  /// `nil` if the cells are below one another.
  let widths: [Int]?

  var lines: [Line] { widths.map(sideBySide) ?? records }

  private func spans(of cell: Range<Int>, width: Int) -> [LineWrapper.Span] {
    var spans: [LineWrapper.Span] = []
    guard !cell.isEmpty else { return spans }
    let wrapper = LineWrapper(
      string: string, bytes: bytes, available: max(1, width), isPreformatted: false)
    _ = wrapper.wrapHardLines(cell) { span in
      spans.append(span)
      return true
    }
    return spans
  }

  private func sideBySide(_ widths: [Int]) -> [Line] {
    let cells = zip(row.cells, widths).map { spans(of: $0, width: $1) }
    let tallest = cells.max { $0.count < $1.count } ?? []
    return (0..<max(1, tallest.count)).map { index in
      var line = Line(cells: [], offset: index == 0 ? 0 : tallest[index].range.lowerBound, width: 0)
      var column = 0
      for (cell, width) in zip(cells, widths) {
        if index < cell.count {
          line.cells.append(TextFrame.Cell(cell[index], column: column))
          line.width = column + cell[index].width
        } else {
          line.cells.append(TextFrame.Cell(at: column))
          if column > 0 { line.width = column - 1 }
        }
        column += width + TableColumns.barWidth
      }
      return line
    }
  }

  private var records: [Line] {
    let columns = row.columns.columns
    let hasLabels = columns.contains { !$0.label.isEmpty }
    guard !row.isHeader || !hasLabels else { return [] }
    var lines: [Line] = []
    for (cell, column) in zip(row.cells, columns) {
      let label = column.label.isEmpty ? "" : column.label + ": "
      guard !cell.isEmpty || !label.isEmpty else { continue }
      let labelWidth = TextMetrics().width(of: label)
      let isBeside = labelWidth > 0 && labelWidth + column.minimum <= available
      let indent = hasLabels ? min(2, max(0, available - 8)) : 0
      if isBeside, case let spans = spans(of: cell, width: available - labelWidth), spans.count <= 1
      {
        let name = column.label + ":"
        let value = spans.first.map { TextFrame.Cell($0, column: labelWidth, label: label) }
        lines.append(
          Line(
            cells: [value ?? TextFrame.Cell(at: 0, label: name)], offset: cell.lowerBound - 1,
            width: value.map { labelWidth + $0.width } ?? labelWidth - 1))
        continue
      }
      if !label.isEmpty {
        let name = TextMetrics().truncated(column.label + ":", toWidth: available)
        lines.append(
          Line(
            cells: [TextFrame.Cell(at: 0, label: name)], offset: cell.lowerBound - 1,
            width: TextMetrics().width(of: name)))
      }
      for span in spans(of: cell, width: available - indent) {
        lines.append(
          Line(
            cells: [TextFrame.Cell(span, column: indent)], offset: span.range.lowerBound,
            width: indent + span.width))
      }
    }
    return lines
  }
}
