import CNcurses

/// Brings ncurses' window from one frame to the next. What then goes to the terminal is ncurses' to
/// find.
///
/// It writes into the screen that ncurses compares with what the terminal shows, not into a window
/// of which ncurses would first make a copy; and of a row only what lies between the first cell
/// that differs and the last.
@MainActor struct WindowWriter {
  var encoder: CellEncoder
  private var encodedRow: [cchar_t] = []

  init(encoder: CellEncoder) { self.encoder = encoder }

  /// Writes the cells of `frame` that differ from those of the frame that stands there; all of them
  /// where that has another size or is nil.
  ///
  /// - Complexity: O(cells) to compare, more for rows that differ.
  mutating func write(_ frame: Canvas, since previous: Canvas?) {
    let (width, height) = (frame.size.width, frame.size.height)
    if encodedRow.count != width + 1 {
      encodedRow = Array(repeating: cchar_t(), count: width + 1)
    }
    // Taken out of `self` meanwhile, which the encoder needs whole.
    var output: [cchar_t] = []
    swap(&output, &encodedRow)
    defer { swap(&output, &encodedRow) }
    let window = curses_next_screen()
    let old = previous?.size == frame.size ? previous : nil
    // Rows that only moved are moved inside ncurses' window, which is cheaper than encoding them.
    let shift = old.map { frame.rowsMoved(since: $0) } ?? 0
    if shift != 0 {
      scrollok(window, true)
      wscrl(window, Int32(shift))
      scrollok(window, false)
    }
    frame.cells.withUnsafeBufferPointer { cells in
      output.withUnsafeMutableBufferPointer { output in
        for y in 0..<height {
          let row = UnsafeBufferPointer(rebasing: cells[(y * width)..<((y + 1) * width)])
          var columns = 0..<width
          if let old, (0..<height).contains(y + shift) {
            columns = old.cells.withUnsafeBufferPointer { old in
              let start = (y + shift) * width
              return row.changedColumns(
                since: UnsafeBufferPointer(rebasing: old[start..<(start + width)]))
            }
            if columns.isEmpty { continue }
          }
          let count = encoder.encode(row, columns, into: output)
          mvwadd_wchnstr(
            window, Int32(y), Int32(columns.lowerBound), output.baseAddress, Int32(count))
        }
      }
    }
  }
}
