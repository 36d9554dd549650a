/// A row of a table: a paragraph whose characters are divided into cells.
///
/// The paragraph's string has the cells one after another with a bar between them, so that code
/// that ignores tables shows, finds and copies them as a line. A ``TextFrame`` lays them out in
/// columns.
public struct TableRow: Hashable, Sendable {
  /// UTF-8 offsets of the cells in the paragraph's string, in order; an empty cell is an empty
  /// range.
  public internal(set) var cells: [Range<Int>]
  /// Whether its cells name the columns.
  public internal(set) var isHeader: Bool
  /// The columns that all rows of the table share.
  public internal(set) var columns: TableColumns
}

/// The columns of a table: their preferred widths and their names.
public final class TableColumns: Hashable, Sendable {
  /// A column of a table.
  struct Column: Hashable, Sendable {
    /// The terminal columns of its widest line.
    var natural = 0
    /// The terminal columns of its longest word (`longestWord` at most).
    var minimum = 0
    /// Its name in the table's header; empty if it has none.
    var label = ""
  }

  let columns: [Column]

  init(_ columns: [Column]) { self.columns = columns }

  public static func == (one: TableColumns, other: TableColumns) -> Bool {
    one === other || one.columns == other.columns
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(columns) }

  /// The separator of two cells.
  static let bar = " │ "
  static let barWidth = 3
  /// Words count up to this many columns in `minimum`; longer ones may be broken.
  static let longestWord = 24
  /// The maximum number of columns side by side.
  static let limit = 64

  /// The widths of the columns in `available` terminal columns: the preferred ones, or shares of
  /// the room; `nil` if the words do not fit side by side or the columns are too many.
  ///
  /// - Complexity: O(n) in the columns.
  func widths(within available: Int) -> [Int]? {
    guard columns.count <= Self.limit else { return nil }
    let room = available - Self.barWidth * (columns.count - 1)
    let natural = columns.reduce(0) { $0 + $1.natural }
    if natural <= room { return columns.map(\.natural) }
    let minimum = columns.reduce(0) { $0 + $1.minimum }
    guard minimum <= room else { return nil }
    // The remaining room is shared in proportion to what each column lacks.
    var left = room - minimum
    var wanted = natural - minimum
    return columns.map { column in
      let wish = column.natural - column.minimum
      let share = wanted > 0 ? left * wish / wanted : 0
      left -= share
      wanted -= wish
      return column.minimum + share
    }
  }
}

extension StyledText {
  /// A part of a table: a row, or paragraphs between rows.
  public enum TableSource: Hashable, Sendable {
    /// Cells, each with the indices of its paragraphs.
    case cells([Range<Int>], isHeader: Bool)
    /// The indices of paragraphs between rows; they are kept unchanged.
    case paragraphs(Range<Int>)
  }

  /// Makes a table of the paragraphs from `first` on: one paragraph per row, in which the
  /// paragraphs of a cell are lines. The first row keeps the spacing of the first paragraph, the
  /// others have none.
  ///
  /// - Parameters:
  ///   - rows: in order; paragraphs that none of them names are dropped.
  ///   - style: indent and quotation of the rows.
  /// - Returns: the index of the first paragraph of each row.
  /// - Complexity: O(n) in the bytes of these paragraphs.
  @discardableResult
  public mutating func makeTable(
    from first: Int, rows: [TableSource], style: ParagraphStyle
  ) -> [Int] {
    guard paragraphs.indices.contains(first) else { return rows.map { _ in paragraphs.count } }
    let source = paragraphs[first...]
    let columns = TableColumns(Self.columns(of: rows, in: source))
    var made: [Paragraph] = []
    var starts: [Int] = []
    for row in rows {
      starts.append(first + made.count)
      switch row {
      case .paragraphs(let range): made += source[range.clamped(to: source.indices)]
      case .cells(let cells, let isHeader):
        var own = style
        own.marker = ""
        own.isPreformatted = false
        own.spacingBefore = made.isEmpty ? source[first].style.spacingBefore : 0
        var paragraph = Paragraph(style: own)
        var ranges: [Range<Int>] = []
        for cell in cells {
          if !ranges.isEmpty {
            paragraph.append(TableColumns.bar, style: TextStyle(role: .secondary))
          }
          let start = paragraph.string.utf8.count
          for (index, inner) in source[cell.clamped(to: source.indices)].enumerated() {
            if index > 0 { paragraph.append("\n", style: .body) }
            for run in inner.runs {
              paragraph.append(String(inner.string.slice(utf8: run.range)), style: run.style)
            }
          }
          ranges.append(start..<paragraph.string.utf8.count)
        }
        paragraph.style.table = TableRow(cells: ranges, isHeader: isHeader, columns: columns)
        made.append(paragraph)
      }
    }
    paragraphs.replaceSubrange(first..., with: made)
    return starts
  }

  private static func columns(
    of rows: [TableSource], in source: ArraySlice<Paragraph>
  ) -> [TableColumns.Column] {
    var columns: [TableColumns.Column] = []
    for case .cells(let cells, let isHeader) in rows {
      for (index, cell) in cells.enumerated() {
        if index == columns.count { columns.append(TableColumns.Column()) }
        for paragraph in source[cell.clamped(to: source.indices)] {
          columns[index].measure(paragraph.string)
          if isHeader, columns[index].label.isEmpty {
            columns[index].label = paragraph.string.split(separator: "\n").joined(separator: " ")
          }
        }
      }
    }
    return columns
  }
}

extension TableColumns.Column {
  /// Widens the column for a text. - Complexity: O(n) in the bytes.
  fileprivate mutating func measure(_ text: String) {
    let metrics = TextMetrics()
    for line in text.split(separator: "\n") {
      let width = metrics.width(of: line)
      if width > natural { natural = width }
      guard width > minimum, minimum < TableColumns.longestWord else { continue }
      for word in line.split(separator: " ") {
        minimum = max(minimum, min(TableColumns.longestWord, metrics.width(of: word)))
      }
    }
  }
}
