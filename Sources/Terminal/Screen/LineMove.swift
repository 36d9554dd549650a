import CNcurses

/// Lines that stand some rows further up or down than in the frame before, between two rows of the
/// screen, and how the terminal is told to move them.
///
/// For where ncurses must not do so by itself, because it does not know what stands on the screen
/// besides its cells.
struct LineMove: Hashable {
  /// The rows among which lines move; what leaves them is gone.
  let rows: ClosedRange<Int>
  /// By how many rows they move up; negative for down.
  let shift: Int

  /// The move that brings most of `old` where it stands in `new`, if there is one: from the first
  /// row that is nearly what would move there, and more so than what stands there, to the last. A
  /// row at an edge is often not quite the same, for a scroll bar stands still beside it.
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
    guard let first = rows.first(where: moves), let last = rows.last(where: moves) else {
      return nil
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

  /// What a terminal is sent that knows regions: the cursor and the style come back to what they
  /// were.
  ///
  /// Lines are deleted or inserted at the top of the region.
  var bytes: [UInt8] {
    let top = rows.lowerBound + 1
    let lines = shift > 0 ? "\u{1B}[\(shift)M" : "\u{1B}[\(-shift)L"
    return Array(
      "\u{1B}7\u{1B}[m\u{1B}[\(top);\(rows.upperBound + 1)r\u{1B}[\(top);1H\(lines)\u{1B}[r\u{1B}8"
        .utf8)
  }

  /// Tells ncurses that the terminal has done it.
  @MainActor func noteDone() {
    let screen = curses_current_screen()
    scrollok(screen, true)
    wsetscrreg(screen, Int32(rows.lowerBound), Int32(rows.upperBound))
    wscrl(screen, Int32(shift))
    wsetscrreg(screen, 0, getmaxy(screen) - 1)
    scrollok(screen, false)
  }
}
