import TerminalApp
import TerminalViews
import TimelineStore
import VirtualList

/// The posts on the screen by their rows in the source, with their lines: the posts to keep in
/// place when the filter changes.
@MainActor struct VisibleSourceRows {
  /// From the top: the row in the source, and its first line relative to the top edge.
  let rows: [(sourceRow: Int, line: Int)]
  /// The reader's row, else the first visible one; `nil` if no row is visible.
  private let current: (sourceRow: Int, line: Int)?

  init(in pane: ListPane, of store: TimelineStore) {
    let frames = pane.listView.visibleFrames.filter { $0.row < store.count }
    let rows = frames.map { (sourceRow: store.sourceRow(of: $0.row), line: $0.y) }
    let place = frames.firstIndex { $0.row == pane.currentRow }
    self.rows = rows
    current = place.map { rows[$0] } ?? rows.first
  }

  /// The rows in the source from the first to the last.
  var range: Range<Int> {
    guard let first = rows.first, let last = rows.last else { return 0..<64 }
    return first.sourceRow..<max(first.sourceRow, last.sourceRow) + 1
  }

  /// Puts the reader's post back on its line. If the post is not shown, puts another post there
  /// that was on the screen, or the nearest one.
  func keep(in pane: ListPane, of store: TimelineStore) {
    guard store.count > 0 else { return }
    let candidates = [current].compactMap { $0 } + rows
    for (row, line) in candidates {
      guard let shown = store.row(ofSource: row) else { continue }
      return put(shown, on: line, of: pane)
    }
    guard let shown = store.nearestRow(toSource: current?.sourceRow ?? 0) else { return }
    put(shown, on: max(0, current?.line ?? 0), of: pane)
  }

  private func put(_ row: Int, on line: Int, of pane: ListPane) {
    pane.select(row: row)
    pane.listView.scrollToRow(at: IndexPath(row: row), at: .line(line))
  }
}
