import Geometry
import Pixels

/// The size of a terminal, limited to what can be drawn.
///
/// Sizes come from a system call, replies and the environment, and any of them may be wrong:
/// ncurses counts rows and columns in 16 bits, and a screen costs memory for each cell.
struct TerminalWindow: Hashable {
  /// The most columns that are drawn. `2,000`.
  static let columnLimit = 2000
  /// The most rows that are drawn. `1,000`.
  static let rowLimit = 1000

  /// Columns and rows to draw on: 1 or more each, and no more than the limits.
  let cells: Size
  /// The pixels of one cell; `nil` if they are unknown.
  private(set) var cell: PixelSize?
  private let columns: Int
  private let rows: Int

  /// A window of the reported `columns` and `rows`, with `pixels` in all; `nil` if `columns` or
  /// `rows` is 0, which means that it is unknown.
  init?(columns: Int, rows: Int, pixels: PixelSize) {
    guard columns > 0, rows > 0 else { return nil }
    (self.columns, self.rows) = (columns, rows)
    cells = Size(width: min(columns, Self.columnLimit), height: min(rows, Self.rowLimit))
    cell = cell(of: pixels)
  }

  /// A window of unknown size: by `COLUMNS` and `LINES`, else by the terminal's description, else
  /// 80 columns and 24 rows.
  init(environment: [String: String], entry: TerminfoEntry) {
    func count(_ variable: String, _ capability: String, else usual: Int) -> Int {
      let told = [environment[variable].flatMap { Int($0) }, entry.number(capability)]
      return told.lazy.compactMap { $0 }.first { $0 > 0 } ?? usual
    }
    columns = count("COLUMNS", "cols", else: 80)
    rows = count("LINES", "lines", else: 24)
    cells = Size(width: min(columns, Self.columnLimit), height: min(rows, Self.rowLimit))
    cell = nil
  }

  /// The size of a cell if all cells together have `pixels`.
  func cell(of pixels: PixelSize) -> PixelSize? {
    .cell(width: pixels.width / columns, height: pixels.height / rows)
  }
}

extension PixelSize {
  /// The longest side of a terminal's cell, in pixels. Each of 80 by 24 cells on a screen of 7,680
  /// by 4,320 has 96 by 180.
  static let maximumCellSide = 255

  /// The size of a cell as a terminal or its driver reports it; `nil` if no cell can have it.
  /// Pictures are rendered as large as the cells they cover, so a wrong size could cost any amount
  /// of memory.
  static func cell(width: Int, height: Int) -> PixelSize? {
    let sides = 1...maximumCellSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    return PixelSize(width: width, height: height)
  }
}
