/// A visible screen: its cells, and the content of pictures drawn by the terminal in them.
public struct DrawnScreen: Sendable {
  public let snapshot: ScreenSnapshot
  /// By row and column, a number for the content of a painted picture there; `nil` without one.
  public let pictures: [[UInt64?]]

  public init(_ snapshot: ScreenSnapshot) {
    self.snapshot = snapshot
    pictures = []
  }

  init(_ snapshot: ScreenSnapshot, pictures: [[PaintedCell?]], cellWidth: Int, cellHeight: Int) {
    self.snapshot = snapshot
    var known: [[UInt8]: PaintedPixels] = [:]
    self.pictures = pictures.map { row in
      row.map { cell in
        guard let cell else { return nil }
        let pixels =
          known[cell.strip]
          ?? PaintedPixels(cell.strip, cellWidth: cellWidth, cellHeight: cellHeight)
        known[cell.strip] = pixels
        return pixels.cell(
          row: cell.row, column: cell.column, cellWidth: cellWidth, cellHeight: cellHeight)
      }
    }
  }

  /// The value in ``pictures`` for a cell of `size` that is entirely `color`, in red, green and blue.
  public static func flat(_ color: [UInt8], size: TerminalSize) -> UInt64 {
    PaintedPixels.flatCell(color, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
  }

  func picture(row: Int, column: Int) -> UInt64? {
    guard pictures.indices.contains(row), pictures[row].indices.contains(column) else {
      return nil
    }
    return pictures[row][column]
  }
}

/// The differences between two screens that should look the same.
///
/// Only visible properties are compared: not the colour of a blank, nor whether it is bold or
/// italic, and of a wide character only its left half.
public struct ScreenDifference: CustomStringConvertible {
  public struct Cell: Hashable {
    public var row: Int
    public var column: Int
    public var first: String
    public var second: String
  }

  public private(set) var cells: [Cell] = []
  private let first: DrawnScreen
  private let second: DrawnScreen
  private var others: [String] = []

  public var isEmpty: Bool { cells.isEmpty && others.isEmpty }

  /// - Parameter rows: the rows to compare; both screens must have them.
  public init(_ first: DrawnScreen, _ second: DrawnScreen, rows: Range<Int>) {
    (self.first, self.second) = (first, second)
    let (a, b) = (first.snapshot, second.snapshot)
    guard a.rows == b.rows, a.columns == b.columns else {
      others.append("one has \(a.columns)x\(a.rows) cells, the other \(b.columns)x\(b.rows)")
      return
    }
    if a.isAlternate != b.isAlternate { others.append("only one is the alternate screen") }
    if a.isCursorVisible != b.isCursorVisible { others.append("only one shows the cursor") }
    for row in rows.clamped(to: 0..<a.rows) {
      for column in 0..<a.columns {
        let (cell, other) = (Self.seen(a.cells[row][column]), Self.seen(b.cells[row][column]))
        let picture = first.picture(row: row, column: column)
        let otherPicture = second.picture(row: row, column: column)
        guard cell != other || picture != otherPicture else { continue }
        cells.append(
          Cell(
            row: row, column: column, first: Self.text(cell, picture),
            second: Self.text(other, otherPicture)))
      }
    }
  }

  private static func seen(_ cell: ScreenCell) -> ScreenCell {
    // The right half of a wide character looks like the left half, whatever its own attributes are.
    if cell.width == 0 { return ScreenCell(text: cell.text, width: 0) }
    // Pictures are painted over no-break spaces, whose colours mark their positions for ncurses.
    guard cell.text == " " || cell.text == "\u{A0}" else { return cell }
    var blank = cell
    blank.isBold = false
    blank.isItalic = false
    if !cell.isReversed && !cell.isUnderlined { blank.foreground = .standard }
    return blank
  }

  private static func text(_ cell: ScreenCell, _ picture: UInt64?) -> String {
    var parts = [cell.text.debugDescription]
    if cell.foreground != .standard { parts.append("\(cell.foreground)") }
    if cell.background != .standard { parts.append("on \(cell.background)") }
    if cell.isBold { parts.append("bold") }
    if cell.isItalic { parts.append("italic") }
    if cell.isUnderlined { parts.append("underlined") }
    if cell.isReversed { parts.append("reversed") }
    if let link = cell.link { parts.append("to \(link)") }
    if let picture { parts.append("picture \(String(picture, radix: 16))") }
    return parts.joined(separator: " ")
  }

  /// Both screens, with marks below the cells that differ, and a description of the first of these.
  public var description: String {
    var lines = others
    let differing = Dictionary(grouping: cells, by: \.row)
    for row in 0..<max(first.snapshot.rows, second.snapshot.rows) {
      guard let cells = differing[row] else {
        lines.append("\(number(row))  \(first.snapshot.line(row))")
        continue
      }
      lines.append("\(number(row))- \(first.snapshot.line(row))")
      lines.append("\(number(row))+ \(second.snapshot.line(row))")
      let columns = Set(cells.map(\.column))
      let marks = (0...(columns.max() ?? 0)).map { columns.contains($0) ? "^" : " " }
      lines.append("     \(marks.joined())")
    }
    lines.append("\(cells.count) cells differ")
    for cell in cells.prefix(20) {
      lines.append("  row \(cell.row), column \(cell.column): \(cell.first) | \(cell.second)")
    }
    return lines.joined(separator: "\n")
  }

  private func number(_ row: Int) -> String {
    String(repeating: " ", count: max(0, 3 - String(row).count)) + String(row)
  }
}
