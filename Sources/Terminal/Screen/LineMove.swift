import CNcurses
import Geometry

/// Lines that stand some rows further up or down than in the frame before, between two rows of the
/// screen, and how the terminal is told to move them.
///
/// ncurses would have to compare all cells of the screen to find them, and does not know where
/// sixels stand, with which no lines can be moved.
struct LineMove: Hashable {
  /// The rows among which lines move; what leaves them is gone.
  let rows: ClosedRange<Int>
  /// By how many rows they move up; negative for down.
  let shift: Int

  /// The move that brings most of `old` where it stands in `new`, if there is one: from the first
  /// row that is nearly what would move there, and more so than what stands there, to the last. A
  /// row at an edge is often not quite the same, for a scroll bar stands still beside it. A row at
  /// the edge that lines come from moves only where that leaves less to be drawn: what stands there
  /// afterwards is blank.
  ///
  /// - Complexity: that of `rowsMoved(since:)`, and O(cells) where nothing but a few rows has
  ///   moved.
  init?(from old: Canvas, to new: Canvas) {
    let shift = new.rowsMoved(since: old)
    guard shift != 0, old.size == new.size else { return nil }
    let height = new.size.height
    let rows = max(0, -shift)..<min(height, height - shift)
    func moves(_ row: Int) -> Bool {
      let likeness = Self.likeness(new, row, old, row + shift)
      return likeness * 4 >= new.size.width * 3 && likeness > Self.likeness(new, row, old, row)
    }
    guard var first = rows.first(where: moves), var last = rows.last(where: moves) else {
      return nil
    }
    /// A row where lines come from behind the region's end, as from a status line, which stays.
    func comesFromOutside(_ row: Int) -> Bool {
      let other = row + shift
      let moved = Self.likeness(new, row, old, other) + Self.blanks(new, other)
      return moved < Self.blanks(new, row) + Self.likeness(new, other, old, other)
    }
    if shift > 0 {
      while last > first, comesFromOutside(last) { last -= 1 }
    } else {
      while first < last, comesFromOutside(first) { first += 1 }
    }
    self.rows = min(first, first + shift)...max(last, last + shift)
    self.shift = shift
  }

  /// How many cells of two rows are the same.
  private static func likeness(_ a: Canvas, _ row: Int, _ b: Canvas, _ other: Int) -> Int {
    let width = a.size.width
    return a.cells.withUnsafeBufferPointer { first in
      b.cells.withUnsafeBufferPointer { second in
        (0..<width).count { first[row * width + $0] == second[other * width + $0] }
      }
    }
  }

  private static func blanks(_ canvas: Canvas, _ row: Int) -> Int {
    let width = canvas.size.width
    return canvas.cells[row * width..<(row + 1) * width].count { $0 == CanvasCell() }
  }

  /// The row that stood before the move where `row` stands after it; nil for one that was blank.
  func row(before row: Int) -> Int? {
    guard rows.contains(row) else { return row }
    return rows.contains(row + shift) ? row + shift : nil
  }

  /// What a terminal is sent that moves lines in regions, in no style, and whose cursor is to be
  /// where it was.
  ///
  /// Lines are deleted or inserted at the top of the region. The cursor is not saved by the
  /// terminal: some have one place for that, where what the shell is given back stands.
  func bytes(cursor: Point) -> [UInt8] {
    let top = rows.lowerBound == 0 ? "" : "\(rows.lowerBound + 1);1"
    let count = abs(shift) == 1 ? "" : "\(abs(shift))"
    return Array(
      ("\u{1B}[m\u{1B}[\(rows.lowerBound + 1);\(rows.upperBound + 1)r\u{1B}[\(top)H"
        + "\u{1B}[\(count)\(shift > 0 ? "M" : "L")\u{1B}[r\(cursor.sequence)").utf8)
  }

  /// Has ncurses know that the terminal does it: it need not look at the lines that have moved.
  @MainActor func carryOut() {
    for window in [curses_current_screen(), curses_next_screen()] {
      scrollok(window, true)
      wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound))
      wscrl(window, Int32(shift))
      wsetscrreg(window, 0, getmaxy(window) - 1)
      scrollok(window, false)
      wtouchln(window, Int32(rows.lowerBound), Int32(rows.count), 0)
    }
  }
}

extension Point {
  /// What puts the cursor of a terminal that knows regions or sixels there.
  var sequence: String { "\u{1B}[\(y + 1);\(x + 1)H" }
}
