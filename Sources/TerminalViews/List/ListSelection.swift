import VirtualList

/// The selected row of a list and the mark of its cell. Rules:
///
/// 1. While the last selected row is off the screen, the nearest visible one takes its place
///    (`frame`): it has the mark, and keys act on it.
/// 2. After each layout (`mark`) only the cell of that row has the mark.
/// 3. Both rows are remembered with their identities, by which a reload finds them again.
@MainActor final class ListSelection {
  private unowned let list: ListView
  private let cells: CellStore
  private let binder: CellBinder
  private var last: (row: Int, id: RowID)?
  /// The row that got the mark in the last frame; `nil` after a selection.
  private var marked: (row: Int, id: RowID)?
  private weak var markedCell: ListViewCell?

  init(list: ListView, cells: CellStore, binder: CellBinder) {
    self.list = list
    self.cells = cells
    self.binder = binder
  }

  /// The last selected row, visible or not.
  var lastRow: Int? { last?.row }

  /// The position of the selected row, or of the visible row nearest to it; `nil` if no row is
  /// visible.
  ///
  /// - Complexity: O(visible rows)
  var frame: ListModel.VisibleRow? {
    let (row, spacing) = (lastRow ?? 0, list.rowSpacing)
    func isNearer(_ a: ListModel.VisibleRow, _ b: ListModel.VisibleRow) -> Bool {
      (a.row - row).magnitude < (b.row - row).magnitude
    }
    // A row of which only the spacing shows, at the top edge, has nothing to mark.
    return list.visibleFrames.lazy.filter { $0.y + max(1, $0.height - spacing) > 0 }
      .min(by: isNearer) ?? list.visibleFrames.min(by: isNearer)
  }

  /// The selected row with its identity from before the data source changed; the last selected row
  /// if a row of unknown identity has taken its place since the last frame.
  var beforeReload: (row: Int, id: RowID)? {
    if let marked, marked.row == frame?.row { marked } else { last }
  }

  func select(_ row: Int?) {
    guard row != nil || last != nil else { return }
    last = row.map { ($0, binder.rowID(at: $0)) }
    marked = nil
    list.changed()
  }

  /// Gives the mark to the selected row's cell.
  func mark() {
    let row = frame?.row
    let cell = row.flatMap { cells[$0] }
    if cell !== markedCell { markedCell?.isSelected = false }
    cell?.isSelected = true
    markedCell = cell
    marked = row.map { ($0, binder.rowID(at: $0)) }
  }
}
