import Geometry
import Pixels

/// How large a terminal is, brought to what can be drawn on.
///
/// Sizes come from a call of the system, replies and the environment, and any of them may be wrong:
/// ncurses counts rows and columns in 16 bits, and a screen costs memory for each cell.
struct TerminalWindow: Hashable {
  /// Columns that are drawn at most. `2,000`.
  static let columnLimit = 2000
  /// Rows that are drawn at most. `1,000`.
  static let rowLimit = 1000

  /// Columns and rows to draw on: 1 or more each, and no more than the limits.
  let cells: Size
  /// Pixels of one cell; nil where they are not told.
  private(set) var cell: PixelSize?
  private let columns: Int
  private let rows: Int

  /// Of `columns` and `rows` as they are told; nil where one of them is not, which is 0. `pixels`
  /// are those of all of them.
  init?(columns: Int, rows: Int, pixels: PixelSize) {
    guard columns > 0, rows > 0 else { return nil }
    (self.columns, self.rows) = (columns, rows)
    cells = Size(width: min(columns, Self.columnLimit), height: min(rows, Self.rowLimit))
    cell = cell(of: pixels)
  }

  /// Where the terminal does not tell: as `COLUMNS` and `LINES` say, else as its kind has them by
  /// its description, else 80 columns and 24 rows.
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

  /// The size of a cell where all of them have `pixels` together.
  func cell(of pixels: PixelSize) -> PixelSize? {
    .cell(width: pixels.width / columns, height: pixels.height / rows)
  }
}
