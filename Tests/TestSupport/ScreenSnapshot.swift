/// A colour as the program set it.
public enum ScreenColor: Hashable, Sendable {
  case standard
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)

  /// The sum of red, green and blue, 0 to 765; `nil` for the terminal's own colours and the 16 that
  /// the user may define.
  public var brightness: Int? {
    switch self {
    case .rgb(let red, let green, let blue): return Int(red) + Int(green) + Int(blue)
    case .indexed(let index) where index >= 232: return 3 * (8 + 10 * (Int(index) - 232))
    case .indexed(let index) where index >= 16:
      // xterm's cube: red, green and blue are the digits to base 6.
      let number = Int(index) - 16
      return [number / 36, number / 6 % 6, number % 6].reduce(0) {
        $0 + ($1 == 0 ? 0 : 55 + 40 * $1)
      }
    case .standard, .indexed: return nil
    }
  }
}

/// One cell of a screen.
public struct ScreenCell: Hashable, Sendable {
  /// The cell's text: a blank if nothing was written; empty for the right half of a wide character.
  public var text = " "
  /// Columns it takes: 1 or 2; 0 for the right half of a wide character.
  public var width = 1
  public var foreground = ScreenColor.standard
  public var background = ScreenColor.standard
  public var isBold = false
  public var isItalic = false
  public var isUnderlined = false
  public var isReversed = false
  /// The cell's link as the terminal received it: `id=…;address`; `nil` for none, and on terminals
  /// without support for links.
  public var link: String?
}

/// A screen at one moment.
public struct ScreenSnapshot: Hashable, Sendable {
  /// Rows from the top, each as long as the screen is wide.
  public private(set) var cells: [[ScreenCell]]
  /// The rows as text without blanks at their ends.
  public private(set) var lines: [String]

  init(cells: [[ScreenCell]]) {
    self.init(cells: cells, lines: cells.map { Self.text(of: $0) })
  }

  /// - Parameter lines: the text of each row, as by ``text(of:)``.
  init(cells: [[ScreenCell]], lines: [String]) {
    (self.cells, self.lines) = (cells, lines)
  }

  /// One row as text without blanks at its end.
  static func text(of row: some Collection<ScreenCell>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(row.count)
    for cell in row { bytes.append(contentsOf: cell.text.utf8) }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sets the links of cells of one row.
  mutating func setLinks(_ links: [(column: Int, link: String)], inRow row: Int) {
    guard cells.indices.contains(row) else { return }
    for (column, link) in links where column < cells[row].count {
      cells[row][column].link = link
    }
  }

  /// One row as by ``line(_:)``, without the right edge, such as a scroll bar.
  public func lineWithoutEdge(_ row: Int) -> String {
    cells.indices.contains(row) ? Self.text(of: cells[row].dropLast()) : ""
  }

  /// The same screen without its right edge, such as a scroll bar.
  public var withoutLastColumn: ScreenSnapshot {
    var snapshot = ScreenSnapshot(cells: cells.map { Array($0.dropLast()) })
    (snapshot.cursorRow, snapshot.cursorColumn) = (cursorRow, cursorColumn)
    (snapshot.isCursorVisible, snapshot.isAlternate) = (isCursorVisible, isAlternate)
    snapshot.modes = modes
    return snapshot
  }
  public internal(set) var cursorRow = 0
  public internal(set) var cursorColumn = 0
  public internal(set) var isCursorVisible = true
  /// Whether the alternate screen is shown, as full-screen programs do.
  public internal(set) var isAlternate = false
  /// DEC private modes as last set (true) or reset (false) by the program, by number: 1049, 2004…
  public internal(set) var modes: [Int: Bool] = [:]

  public var columns: Int { cells.first?.count ?? 0 }
  public var rows: Int { cells.count }

  /// One row as text without blanks at its end; empty outside the screen.
  public func line(_ row: Int) -> String { lines.indices.contains(row) ? lines[row] : "" }

  /// All rows, separated by line feeds, without empty rows at the end.
  public var text: String {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Whether any row contains `text`.
  public func contains(_ text: String) -> Bool { row(containing: text) != nil }

  /// The first row that contains `text`.
  public func row(containing text: String) -> Int? {
    lines.firstIndex { ByteSearch.isFound(text, in: $0) }
  }

  /// The column in which `text` begins in `row`, counted in cells.
  public func column(of text: String, inRow row: Int) -> Int? {
    guard cells.indices.contains(row) else { return nil }
    return (0..<columns).first { column in
      cells[row][column].width > 0
        && cells[row][column...].lazy.map(\.text).joined().hasPrefix(text)
    }
  }
}
