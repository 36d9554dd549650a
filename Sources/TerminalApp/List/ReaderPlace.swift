import TerminalViews
import VirtualList

/// The reader's place in a list, to return to it after the rows have changed.
@MainActor package struct ReaderPlace {
  /// The row at the top edge, and the line of it that is there.
  private let top: (id: RowID, row: Int, line: Int)?
  private let selected: RowID?
  private let isFollowing: Bool

  /// The current place.
  package init(of pane: ListPane) {
    let list = pane.listView
    top = list.topPosition.flatMap { position in
      pane.rowID(at: position.row).map { ($0, position.row, position.line) }
    }
    selected = list.indexPathForSelectedRow.flatMap { pane.rowID(at: $0.row) }
    isFollowing = list.isFollowing
  }

  /// Whether `other` has the same line at the top edge and the same selected row.
  func isSame(as other: ReaderPlace) -> Bool {
    top?.id == other.top?.id && top?.line == other.top?.line && selected == other.selected
  }

  /// Selects the same row, and scrolls back to the same line, or to the end if the list followed
  /// it.
  package func restore(in pane: ListPane) {
    let list = pane.listView
    if let row = selected.flatMap(pane.row(of:)) { pane.select(row: row) }
    guard !isFollowing else { return list.scrollToEnd() }
    guard let top, pane.rowCount > 0 else { return }
    let row = min(pane.row(of: top.id) ?? top.row, pane.rowCount - 1)
    list.scrollToRow(at: IndexPath(row: row), at: .line(-top.line))
  }
}

extension ListPane {
  /// The identity of a row; `nil` if there is no such row.
  func rowID(at row: Int) -> RowID? {
    guard (0..<rowCount).contains(row) else { return nil }
    return listView.dataSource?.listView(listView, rowIDForRowAt: IndexPath(row: row))
  }

  /// The row with an identity; `nil` if it is not known.
  func row(of id: RowID) -> Int? {
    listView.dataSource?.listView(listView, indexPathFor: id)?.row
  }
}
