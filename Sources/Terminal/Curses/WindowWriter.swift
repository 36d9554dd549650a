import CNcurses

/// Updates ncurses' screen from one frame to the next; ncurses then determines the bytes for the
/// terminal.
///
/// It writes into the screen that ncurses compares with the terminal's content, not into a window,
/// which ncurses would have to copy first. Of a row it writes only the columns from the first that
/// differs to the last.
@MainActor struct WindowWriter {
  var encoder: CellEncoder
  private var encodedRow: [cchar_t] = []

  init(encoder: CellEncoder) { self.encoder = encoder }

  /// Writes the cells of `frame` that differ from those of `previous`; all of them if that is `nil`
  /// or has another size.
  ///
  /// - Parameter move: the terminal's move of lines before it receives them; `nil` for none.
  ///
  /// - Complexity: O(cells) to compare, more for rows that differ.
  mutating func write(_ frame: Canvas, since previous: Canvas?, after move: LineMove?) {
    let (width, height) = (frame.size.width, frame.size.height)
    if encodedRow.count != width + 1 {
      encodedRow = Array(repeating: cchar_t(), count: width + 1)
    }
    // Moved out of `self`, because the encoder's call needs exclusive access to it.
    var output: [cchar_t] = []
    swap(&output, &encodedRow)
    defer { swap(&output, &encodedRow) }
    let window = curses_next_screen()
    let old = previous?.size == frame.size ? previous : nil
    move?.carryOut()
    for y in 0..<height {
      var columns = 0..<width
      let before = if let move { move.row(before: y) } else { Int?(y) }
      if let old, let before {
        columns = frame.changedColumns(ofRow: y, since: old, row: before)
        if columns.isEmpty { continue }
      }
      frame.cells.withUnsafeBufferPointer { cells in
        output.withUnsafeMutableBufferPointer { output in
          let row = UnsafeBufferPointer(rebasing: cells[(y * width)..<((y + 1) * width)])
          let count = encoder.encode(row, columns, into: output)
          mvwadd_wchnstr(
            window, Int32(y), Int32(columns.lowerBound), output.baseAddress, Int32(count))
        }
      }
    }
  }
}

extension Canvas {
  /// The columns in which a row differs from a row of another canvas of the same width.
  ///
  /// - Complexity: O(columns).
  fileprivate func changedColumns(ofRow row: Int, since old: Canvas, row before: Int) -> Range<Int>
  {
    let width = size.width
    return cells.withUnsafeBufferPointer { cells in
      old.cells.withUnsafeBufferPointer { old in
        UnsafeBufferPointer(rebasing: cells[(row * width)..<((row + 1) * width)]).changedColumns(
          since: UnsafeBufferPointer(rebasing: old[(before * width)..<((before + 1) * width)]))
      }
    }
  }
}
