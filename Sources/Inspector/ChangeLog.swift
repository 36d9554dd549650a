import TerminalViews
import TextLayout

/// The last layout change, as a line of text that stays until the next one, and the growth of the
/// rows above the list's top edge.
@MainActor struct ChangeLog {
  /// The last change; empty before the first.
  private(set) var last = ""
  private var detector = LayoutChangeDetector()
  private var width = 0
  /// The position at the list's top edge in the last frame; `nil` if the user has scrolled since.
  private var top: (row: Int, line: Int)?
  /// Lines that were added and removed above the top edge.
  private var grown = 0
  private var shrunk = 0

  /// Records that the user scrolled, after which the last top edge can no longer be compared.
  mutating func noteMove() { top = nil }

  /// Records that a row was resized, and counts its lines above the top edge.
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
    let changes = detector.observe(list)
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

  /// "rows above grew by 37 lines, what you read moved by 0 lines"; empty if no row above changed.
  func growth(drift: Int) -> String {
    let parts = [("grew", grown), ("shrank", shrunk)].filter { $0.1 > 0 }
      .map { "\($0.0) by \($0.1.counted("line"))" }
    guard !parts.isEmpty else { return "" }
    return "rows above \(parts.joined(separator: " and ")), "
      + "what you read moved by \(drift.counted("line"))"
  }
}
