import CNcurses

/// Lines that stand some rows further up or down than in the frame before, between two rows of the screen,
/// and how the terminal is told to move them.
///
/// For where ncurses must not do so by itself, because it does not know what stands on the screen besides
/// its cells.
struct LineMove: Hashable {
  /// The rows among which lines move; what leaves them is gone.
  let rows: ClosedRange<Int>
  /// By how many rows they move up; negative for down.
  let shift: Int

  /// Whether a terminal that calls itself this moves lines rightly once there were sixels: xterm keeps
  /// those that were overwritten, and shows pieces of them again where lines were moved or scrolled.
  static func isRight(version: String) -> Bool { !version.hasPrefix("XTerm") }

  /// The move that brings most of `old` where it stands in `new`, if there is one.
  ///
  /// - Complexity: that of `rowsMoved(since:)`.
  init?(from old: Canvas, to new: Canvas) {
    let shift = new.rowsMoved(since: old)
    guard shift != 0, old.size == new.size else { return nil }
    let (width, height) = (new.size.width, new.size.height)
    let moved = new.cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        (max(0, -shift)..<min(height, height - shift)).filter { row in
          CanvasCell.areEqual(new, at: row * width, old, at: (row + shift) * width, count: width)
            && !CanvasCell.areEqual(new, at: row * width, old, at: row * width, count: width)
        }
      }
    }
    guard let first = moved.first, let last = moved.last else { return nil }
    rows = min(first, first + shift)...max(last, last + shift)
    self.shift = shift
  }

  /// What a terminal is sent that knows regions: the cursor and the style come back to what they were.
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
