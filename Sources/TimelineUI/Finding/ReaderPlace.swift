import TerminalApp
import TerminalViews
import TimelineStore
import VirtualList

/// Where the reader was in a list, to be brought back there whatever rows it has then.
@MainActor struct ReaderPlace {
  /// The row at the top edge, and its line there.
  private let top: (id: RowID, row: Int, line: Int)?
  private let selected: RowID?
  private let isFollowing: Bool

  /// Where the reader is now.
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

  /// Brings the reader back to the same line, with the same row selected.
  func restore(in pane: ListPane, of store: TimelineStore) {
    let list = pane.listView
    if let row = selected.flatMap(store.row(of:)) { pane.select(row: row) }
    guard !isFollowing else { return list.scrollToEnd() }
    guard let top, store.count > 0 else { return }
    let row = min(store.row(of: top.id) ?? top.row, store.count - 1)
    list.scrollToRow(at: IndexPath(row: row), at: .line(-top.line))
  }
}

/// The posts on the screen by their rows in the source, with the lines they stand on: what is kept
/// on its line when other posts are shown.
@MainActor struct ShownRows {
  /// From the top: the row in the source, and its first line below the top edge.
  let rows: [(sourceRow: Int, line: Int)]
  /// The one that the reader is at; nil where none shows.
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

  /// Puts the post that the reader was at on its line again; where it is not shown, another one
  /// that was on the screen, or the one next to it.
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
