import VirtualList

/// How j and k move:
///
/// 1. With the selection off the screen, the nearest row that shows is selected, and nothing
///    scrolls.
/// 2. A selected row that goes on beyond the edge scrolls first: by as much as there is to come, at
///    most so far that the last lines seen (`pageOverlap`) stay on the screen.
/// 3. Otherwise the neighbour is selected, and scrolled to just so far that it shows whole; of one
///    that is taller than the screen, as much as fits, from its first line going down, to its last
///    going up.
extension ListView {
  /// The selected row; nil where there is none.
  public var indexPathForSelectedRow: IndexPath? { selection.map { IndexPath(row: $0.row) } }

  /// Selects a row, without scrolling; one that does not exist is reported.
  public func selectRow(at indexPath: IndexPath) {
    guard synchronize() else { return }
    guard (0..<model.count).contains(indexPath.row) else {
      onUpdateError?(.rowOutOfRange(row: indexPath.row, count: model.count))
      return
    }
    setSelection(indexPath.row)
    delegate?.listView(self, didSelectRowAt: indexPath)
  }

  public func selectNext() { select(downward: true) }
  public func selectPrevious() { select(downward: false) }

  private func select(downward: Bool) {
    guard synchronize(), let first = model.visible.first, let last = model.visible.last else {
      return
    }
    guard let selected = selection?.row,
      let shown = model.visible.first(where: { $0.row == selected })
    else {
      let isAbove = (selection?.row ?? 0) < first.row
      selectRow(at: IndexPath(row: isAbove ? first.row : last.row))
      return
    }
    let hidden = downward ? shown.maxY - model.viewportHeight : -shown.y
    if hidden > 0 {
      let step = min(hidden, max(1, model.viewportHeight - pageOverlap))
      scroll(byLines: downward ? step : -step)
      return
    }
    let next = selected + (downward ? 1 : -1)
    guard (0..<model.count).contains(next) else { return }
    selectRow(at: IndexPath(row: next))
    show(next, downward: downward)
  }

  private func show(_ row: Int, downward: Bool) {
    let height = model.measuredHeight(ofRow: row, in: environment)
    guard height > model.viewportHeight else {
      scrollToRow(at: IndexPath(row: row), at: .nearest)
      return
    }
    scrollToRow(at: IndexPath(row: row), at: downward ? .top : .bottom)
  }

  func setSelection(_ row: Int?) {
    if let old = selection { live[old.row]?.cell.isSelected = false }
    selection = row.map { ($0, environment.rowID(at: $0)) }
    if let row { live[row]?.cell.isSelected = true }
    changed()
  }
}
