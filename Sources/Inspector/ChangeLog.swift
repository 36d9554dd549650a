import TerminalViews
import TextLayout

/// The last layout change, as a line that stays until the next one, and the growth of rows above
/// the reader.
@MainActor struct ChangeLog {
  /// The last change; empty before the first.
  private(set) var last = ""
  private var watch = LayoutChangeDetector()
  private var width = 0
  /// The top edge as of the last frame; `nil` if the reader has moved since.
  private var top: (row: Int, line: Int)?
  /// Lines that were added and removed above the top edge.
  private var grown = 0
  private var shrunk = 0

  /// Notes that the reader moved: lines above the top edge no longer compare.
  mutating func noteMove() { top = nil }

  /// Notes that a row was resized.
  mutating func note(_ resize: ListView.RowResize) {
    var lines = 0
    if resize.row < resize.anchorRow {
      lines = resize.to - resize.from
    } else if resize.row == resize.anchorRow, let top, top.row == resize.row {
      lines = resize.anchorLine - top.line
      self.top?.line = resize.anchorLine
    }
    if lines > 0 { grown += lines } else { shrunk -= lines }
  }

  /// Call it in each frame, after the list's layout.
  mutating func observe(_ list: ListView, inspected: Int?) {
    let (old, new) = (width, list.rowWidth)
    width = new
    top = list.topPosition
    let changes = watch.observe(list)
    let columns = old == new || old == 0 ? "" : "\(old) → \(new) columns: "
    let first =
      changes.first { $0.row == inspected } ?? changes.first { !$0.constraints.isEmpty }
      ?? changes.first
    if let first {
      let others = changes.count - 1
      last =
        columns + first.sentence
        + (others > 0 ? "; \(others.counted("other row")) changed, too" : "")
    } else if !columns.isEmpty {
      last = columns + "no row in sight changed"
    }
  }

  /// "rows above grew by 37 lines, what you read moved by 0"; empty if no row above changed.
  func growth(drift: Int) -> String {
    let parts = [("grew", grown), ("shrank", shrunk)].filter { $0.1 > 0 }
      .map { "\($0.0) by \($0.1.counted("line"))" }
    guard !parts.isEmpty else { return "" }
    return "rows above \(parts.joined(separator: " and ")), what you read moved by \(drift)"
  }
}
