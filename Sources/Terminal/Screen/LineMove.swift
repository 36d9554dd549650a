import CNcurses
import Geometry

/// Lines within a region of the screen that are some rows higher or lower than in the previous
/// frame, and the sequence with which the terminal moves them.
///
/// ncurses would have to compare all cells of the screen to find them, and does not know the
/// positions of sixels, with which no lines can be moved.
struct LineMove: Hashable {
  /// The rows among which lines move; lines that leave them are lost.
  let rows: ClosedRange<Int>
  /// The number of rows by which they move up; negative for down.
  let shift: Int

  /// The move that brings most of `old` to its place in `new`, if there is one. It reaches from the
  /// first to the last row that equals the row moved there in at least three quarters of its cells,
  /// and in more than it equals the row already there. Rows at an edge often differ a little,
  /// because a scroll bar beside them stays in place. A row at the edge that lines come from moves
  /// only if less has to be drawn then: it is blank after the move.
  ///
  /// - Complexity: that of `verticalShift(since:)`, and O(cells) if only a few rows have moved.
  init?(from old: Canvas, to new: Canvas) {
    let shift = new.verticalShift(since: old)
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
    /// Whether less has to be drawn without `row`, because the line that would move there stays in
    /// place beyond the region, such as a status line.
    func isCheaperExcluded(_ row: Int) -> Bool {
      let other = row + shift
      let moved = Self.likeness(new, row, old, other) + Self.blanks(new, other)
      return moved < Self.blanks(new, row) + Self.likeness(new, other, old, other)
    }
    if shift > 0 {
      while last > first, isCheaperExcluded(last) { last -= 1 }
    } else {
      while first < last, isCheaperExcluded(first) { first += 1 }
    }
    self.rows = min(first, first + shift)...max(last, last + shift)
    self.shift = shift
  }

  /// The number of equal cells in two rows.
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

  /// The row before the move of the line that is at `row` after it; `nil` if `row` is then blank.
  func row(before row: Int) -> Int? {
    guard rows.contains(row) else { return row }
    return rows.contains(row + shift) ? row + shift : nil
  }

  /// The bytes that move the lines on a terminal with scroll regions, in plain style, and return
  /// the cursor to `cursor`; `nil` if the next output moves it first.
  ///
  /// Lines are deleted or inserted at the top of the region. The terminal does not save the cursor:
  /// some have one place for it, which holds the position to restore for the shell.
  func bytes(cursor: Point?) -> [UInt8] {
    let top = rows.lowerBound == 0 ? "" : "\(rows.lowerBound + 1);1"
    let count = abs(shift) == 1 ? "" : "\(abs(shift))"
    return Array(
      ("\u{1B}[m\u{1B}[\(rows.lowerBound + 1);\(rows.upperBound + 1)r\u{1B}[\(top)H"
        + "\u{1B}[\(count)\(shift > 0 ? "M" : "L")\u{1B}[r\(cursor?.sequence ?? "")").utf8)
  }

  /// Whether `output` begins by moving the cursor to a row and a column.
  static func beginsWithCursorMove(_ output: [UInt8]) -> Bool {
    guard output.starts(with: [0x1B, UInt8(ascii: "[")]) else { return false }
    return output.dropFirst(2).first { !(0x30...0x3B).contains($0) } == UInt8(ascii: "H")
  }

  /// Applies the move to ncurses' screens, so that it need not compare the moved lines.
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
  /// The sequence that moves the cursor here on a terminal that supports regions or sixels.
  var sequence: String { "\u{1B}[\(y + 1);\(x + 1)H" }
}
