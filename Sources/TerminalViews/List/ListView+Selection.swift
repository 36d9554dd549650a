import VirtualList

/// How j and k move:
///
/// 1. With the selection off the screen, the nearest row that shows is selected, and nothing
///    scrolls.
/// 2. A selected row that goes on beyond the edge scrolls first: by as much as there is to come, at
///    most so far that the last lines seen (`pageOverlap`) stay on the screen.
/// 3. Otherwise the neighbour is selected, and scrolled to just so far that it shows whole; of one
///    that is taller than the screen, as much as fits, from its first line going down, to its last
///    going up. Rows without height are no neighbours.
/// 4. Several presses at once end where one after another would, frame by frame. By 3 a row that
///    fits on the screen takes one press, and the view moves no further than its far edge asks for:
///    so of rows passed it matters only that they fit, and only where the last one stands is looked
///    at. A row is measured for that only where the data source cannot tell that it fits
///    (`listView(_:heightBoundOfRow:)`).
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
  }

  /// So many presses of j.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectNext(_ presses: Int = 1) { select(by: 1, presses: presses) }

  /// So many presses of k.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectPrevious(_ presses: Int = 1) { select(by: -1, presses: presses) }

  private func select(by step: Int, presses: Int) {
    guard presses > 0, synchronize() else { return }
    var left = presses
    while left > 0 {
      let passed = passFittingRows(by: step, atMost: left)
      left -= passed
      if passed == 0 {
        // Where one press changes nothing, neither will the next.
        guard press(step) else { return }
        left -= 1
      }
    }
  }

  /// One press.
  /// - Returns: whether it did anything.
  private func press(_ step: Int) -> Bool {
    guard let first = model.visible.first, let last = model.visible.last else { return false }
    guard let shown = selectedFrame else {
      let isAbove = (selection?.row ?? 0) < first.row
      selectRow(at: IndexPath(row: isAbove ? first.row : last.row))
      return true
    }
    let hidden = hiddenLines(of: shown, towards: step)
    if hidden > 0 {
      return scroll(byLines: step * min(hidden, max(1, model.viewportHeight - pageOverlap))) != 0
    }
    var next = shown.row + step
    while (0..<model.count).contains(next), model.measuredHeight(ofRow: next, in: environment) == 0
    {
      next += step
    }
    guard (0..<model.count).contains(next) else { return false }
    selectRow(at: IndexPath(row: next))
    show(next, downward: step > 0)
    return true
  }

  /// Rule 4: selects the farthest row that this many presses come to if each takes one row.
  /// - Returns: the presses this took; 0 where the next one has to be looked at by itself.
  private func passFittingRows(by step: Int, atMost presses: Int) -> Int {
    guard let shown = selectedFrame, hiddenLines(of: shown, towards: step) <= 0 else { return 0 }
    let room = step > 0 ? model.count - 1 - shown.row : shown.row
    var passed = 0
    while passed < min(presses, room), fits(shown.row + step * (passed + 1)) { passed += 1 }
    guard passed > 0 else { return 0 }
    let row = shown.row + step * passed
    selectRow(at: IndexPath(row: row))
    show(row, downward: step > 0)
    return passed
  }

  /// Whether a row has lines, and no more than the screen.
  private func fits(_ row: Int) -> Bool {
    if model.tree.measuredHeight(ofRow: row) == nil,
      let bound = dataSource?.listView(self, heightBoundOfRow: row), bound <= model.viewportHeight
    {
      return true
    }
    let height = model.measuredHeight(ofRow: row, in: environment)
    return height > 0 && height <= model.viewportHeight
  }

  /// Where the selected row stands, if it shows.
  private var selectedFrame: ListModel.VisibleRow? {
    selection.flatMap { selection in model.visible.first { $0.row == selection.row } }
  }

  /// Lines of a row that are still to come in a direction; not above 0 where there are none.
  private func hiddenLines(of shown: ListModel.VisibleRow, towards step: Int) -> Int {
    step > 0 ? shown.maxY - model.viewportHeight : -shown.y
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
