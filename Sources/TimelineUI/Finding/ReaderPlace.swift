import TerminalApp
import TerminalViews
import TimelineStore
import VirtualList

/// The reader's place in a list, to return to it after the rows have changed.
@MainActor struct ReaderPlace {
  /// The row at the top edge, and its line there.
  private let top: (id: RowID, row: Int, line: Int)?
  private let selected: RowID?
  private let isFollowing: Bool

  /// The current place.
  init(of pane: ListPane, in store: TimelineStore) {
    let list = pane.listView
    top = list.topPosition.flatMap { position in
      position.row < store.count
        ? (store.rowID(at: position.row), position.row, position.line) : nil
    }
    selected = list.indexPathForSelectedRow.flatMap {
      $0.row < store.count ? store.rowID(at: $0.row) : nil
    }
    isFollowing = list.isFollowing
  }

  /// Scrolls back to the same line and selects the same row.
  func restore(in pane: ListPane, of store: TimelineStore) {
    let list = pane.listView
    if let row = selected.flatMap(store.row(of:)) { pane.select(row: row) }
    guard !isFollowing else { return list.scrollToEnd() }
    guard let top, store.count > 0 else { return }
    let row = min(store.row(of: top.id) ?? top.row, store.count - 1)
    list.scrollToRow(at: IndexPath(row: row), at: .line(-top.line))
  }
}

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
