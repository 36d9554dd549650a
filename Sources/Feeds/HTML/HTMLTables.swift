import System
import TextLayout

/// The open tables, and the paragraphs of each of their cells.
///
/// 1. The text of a cell is written as ordinary paragraphs; at the end of a table that holds data,
///    they become rows (`StyledText.makeTable`). A layout table stays blocks, one below another: a
///    table with lists, code, quotes, long texts, other tables, or pictures beside text in a row.
/// 2. A cell that spans several columns or rows leaves the others empty.
struct HTMLTables {
  fileprivate struct Cell {
    var paragraphs: Range<Int>
    var isHeader: Bool
  }

  fileprivate struct Row {
    /// `nil` for a place that a cell to the left or in a row above spans.
    var cells: [Cell?] = []
    /// Whether this is content between rows rather than a row.
    var isStray = false
    /// The number of columns that its cell spans, if it has only one; otherwise 0.
    var span = 0

    /// Whether it is content between rows, or its only cell spans several columns.
    var isWide: Bool { isStray || span > 1 && span == cells.count }
  }

  fileprivate struct Table {
    var first: Int
    var indent: Int
    var quoteDepth: Int
    var rows: [Row] = []
    /// For each column, the number of rows that a cell still spans, this one included.
    var reaches: [Int] = []
    /// The open cell.
    var cell: (start: Int, isHeader: Bool, columns: Int)?
    /// The end of the paragraphs that have been assigned to rows.
    var end: Int
    var containsTable = false
  }

  /// The maximum number of cells, including empty ones; a larger table stays blocks.
  private static let maximumCells = 100_000
  private static let maximumSpan = 64
  fileprivate static let maximumCellBytes = 1_000
  fileprivate static let maximumCellParagraphs = 4

  private var tables: [Table] = []

  var isOpen: Bool { !tables.isEmpty }

  mutating func begin(at place: Int, indent: Int, quoteDepth: Int) {
    if !tables.isEmpty { tables[tables.count - 1].containsTable = true }
    tables.append(Table(first: place, indent: indent, quoteDepth: quoteDepth, end: place))
  }

  mutating func beginRow(at place: Int) {
    guard let last = tables.indices.last else { return }
    endCell(at: place)
    tables[last].addContentBetweenRows(to: place)
    tables[last].beginRow()
  }

  mutating func beginCell(isHeader: Bool, _ attributes: HTMLAttributes, at place: Int) {
    guard let last = tables.indices.last else { return }
    endCell(at: place)
    if tables[last].rows.isEmpty || tables[last].rows.last?.isStray == true { beginRow(at: place) }
    let columns = attributes.number("colspan", in: 1...Self.maximumSpan) ?? 1
    let rows = attributes.number("rowspan", in: 1...Self.maximumSpan) ?? 1
    tables[last].begin(isHeader: isHeader, columns: columns, rows: rows, at: place)
  }

  mutating func endCell(at place: Int) {
    guard let last = tables.indices.last else { return }
    tables[last].endCell(at: place)
  }

  /// Ends the innermost table; its paragraphs become rows if it holds data.
  mutating func end(at place: Int, _ text: inout StyledText, _ media: inout HTMLMedia) {
    endCell(at: place)
    guard var table = tables.popLast() else { return }
    table.addContentBetweenRows(to: place)
    let columns = table.rows.reduce(0) { max($0, $1.cells.count) }
    guard !table.containsTable, columns > 0, columns * table.rows.count <= Self.maximumCells,
      place <= text.paragraphs.count, table.first < place
    else { return }
    var rows: [StyledText.TableSource] = []
    var sources: [Range<Int>] = []
    let places = media.pictures.compactMap(\.place)
    for row in table.rows {
      let cells = row.cells.compactMap { $0 }
      let all = cells.first.map { first in
        first.paragraphs.lowerBound..<(cells.last ?? first).paragraphs.upperBound
      }
      let range = all ?? table.first..<table.first
      guard !range.isEmpty || cells.contains(where: { !$0.paragraphs.isEmpty }) else { continue }
      let next = places.partitionPoint { $0 < range.lowerBound }
      let hasPicture = next < places.count && places[next] <= range.upperBound
      if row.isWide {
        rows.append(.paragraphs(range))
      } else {
        guard !hasPicture, cells.allSatisfy({ table.isPlain($0.paragraphs, in: text, columns) })
        else { return }
        let empty = range.lowerBound..<range.lowerBound
        let padded = row.cells + Array(repeating: nil, count: columns - row.cells.count)
        rows.append(
          .cells(
            padded.map { $0?.paragraphs ?? empty },
            isHeader: !cells.isEmpty && cells.allSatisfy(\.isHeader)))
      }
      sources.append(range)
    }
    guard rows.contains(where: { if case .cells = $0 { true } else { false } }),
      columns > 1 || rows.count > 1
    else { return }
    var style = StyledText.ParagraphStyle()
    style.indent = table.indent
    style.quoteDepth = table.quoteDepth
    let starts = text.makeTable(from: table.first, rows: rows, style: style)
    let end = text.paragraphs.count
    let ends = sources.map(\.upperBound)
    media.move(from: table.first) { old in
      let row = ends.partitionPoint { $0 <= old }
      return row < starts.count ? starts[row] : end
    }
  }
}

extension HTMLTables.Table {
  fileprivate mutating func beginRow() {
    rows.append(HTMLTables.Row())
    // Also in columns that the row before had no cells for.
    for column in reaches.indices { reaches[column] = max(0, reaches[column] - 1) }
    addSpannedCells()
  }

  private mutating func addSpannedCells() {
    guard let row = rows.indices.last else { return }
    while rows[row].cells.count < reaches.count, reaches[rows[row].cells.count] > 0 {
      rows[row].cells.append(nil)
    }
  }

  fileprivate mutating func begin(isHeader: Bool, columns: Int, rows count: Int, at place: Int) {
    guard let row = rows.indices.last else { return }
    let column = rows[row].cells.count
    if count > 1 {
      while reaches.count < column + columns { reaches.append(0) }
      for reached in column..<column + columns { reaches[reached] = count }
    }
    cell = (place, isHeader, columns)
  }

  fileprivate mutating func endCell(at place: Int) {
    guard let open = cell, let row = rows.indices.last else { return }
    cell = nil
    rows[row].cells.append(
      HTMLTables.Cell(paragraphs: open.start..<max(open.start, place), isHeader: open.isHeader))
    for _ in 1..<max(1, open.columns) { rows[row].cells.append(nil) }
    rows[row].span = rows[row].cells.count == open.columns ? open.columns : 0
    end = place
    addSpannedCells()
  }

  /// Adds the content between rows, such as a caption.
  fileprivate mutating func addContentBetweenRows(to place: Int) {
    guard place > end else { return }
    let stray = HTMLTables.Cell(paragraphs: end..<place, isHeader: false)
    rows.append(HTMLTables.Row(cells: [stray], isStray: true))
    end = place
  }

  /// Whether a cell contains nothing but a few short paragraphs.
  fileprivate func isPlain(_ cell: Range<Int>, in text: StyledText, _ columns: Int) -> Bool {
    guard cell.upperBound <= text.paragraphs.count,
      cell.count <= (columns == 1 ? 1 : HTMLTables.maximumCellParagraphs)
    else { return false }
    var bytes = 0
    for paragraph in text.paragraphs[cell] {
      let style = paragraph.style
      guard style.marker.isEmpty, style.table == nil, !style.isPreformatted,
        style.indent == indent, style.quoteDepth == quoteDepth
      else { return false }
      bytes += paragraph.string.utf8.count
    }
    return bytes <= HTMLTables.maximumCellBytes
  }
}
