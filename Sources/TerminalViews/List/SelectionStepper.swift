import VirtualList

/// The movements of j and k:
///
/// 1. They start from the marked row: if the last selected row is off the screen, from the nearest
///    visible one.
/// 2. A selected row that continues beyond the edge scrolls first: by its remaining lines, but at
///    most so far that the last lines read (`pageOverlap`) stay on the screen.
/// 3. Otherwise the neighbour is selected, and the list scrolls just far enough to show all of it;
///    of one taller than the screen it shows as much as fits, from its first line going down, to
///    its last going up. Rows without height are skipped.
/// 4. Several presses at once have the same result as one after another, frame by frame. By rule 3
///    a row that fits on the screen takes one press, and the view moves no further than the row's
///    far edge requires: so the rows between need only fit, and only the position of the last one
///    is determined. A row is measured for that only if the data source cannot tell that it fits
///    (`listView(_:heightBoundForRowAt:)`).
@MainActor struct SelectionStepper {
  enum Direction: Int {
    case down = 1
    case up = -1
  }

  let list: ListView
  let model: ListModel
  let binder: CellBinder
  let direction: Direction

  private var step: Int { direction.rawValue }

  func take(_ presses: Int) {
    var left = presses
    while left > 0 {
      let passed = passFittingRows(atMost: left)
      left -= passed
      if passed == 0 {
        // If one press changes nothing, neither will the next.
        guard press() else { return }
        left -= 1
      }
    }
  }

  /// Selects the row at a distance of `rows`, however much of the rows between shows.
  func pass(_ rows: UInt, to alignment: ScrollAlignment) {
    guard let start = list.selection.frame?.row else { return }
    let room = direction == .down ? model.count - 1 - start : start
    var row = start + step * Int(min(rows, UInt(max(0, room))))
    while row != start, height(ofRow: row) == 0 { row -= step }
    list.selection.select(row)
    let isTall = alignment == .nearest && height(ofRow: row) > model.viewportHeight
    list.scrollToRow(at: IndexPath(row: row), at: isTall ? .top : alignment)
  }

  /// Performs one press.
  /// - Returns: whether it had an effect.
  private func press() -> Bool {
    guard let shown = list.selection.frame else { return false }
    // Keeps it selected even if another row comes onto the screen.
    list.selection.select(shown.row)
    let hidden = hiddenLines(of: shown)
    if hidden > 0 {
      let lines = min(hidden, max(1, model.viewportHeight - list.pageOverlap))
      return list.scroll(byLines: step * lines) != 0
    }
    var next = shown.row + step
    while (0..<model.count).contains(next), height(ofRow: next) == 0 { next += step }
    guard (0..<model.count).contains(next) else { return false }
    select(next)
    return true
  }

  /// Rule 4: selects the farthest row that at most `presses` presses reach if each takes one row.
  /// - Returns: the presses this took; 0 if the next one has to be handled by itself.
  private func passFittingRows(atMost presses: Int) -> Int {
    guard let shown = list.selection.frame, hiddenLines(of: shown) <= 0 else { return 0 }
    let room = direction == .down ? model.count - 1 - shown.row : shown.row
    var passed = 0
    while passed < min(presses, room), fits(shown.row + step * (passed + 1)) { passed += 1 }
    guard passed > 0 else { return 0 }
    select(shown.row + step * passed)
    return passed
  }

  /// Whether a row has lines, and no more than the screen has.
  private func fits(_ row: Int) -> Bool {
    if model.knownHeight(ofRow: row) == nil,
      let bound = list.dataSource?.listView(list, heightBoundForRowAt: IndexPath(row: row)),
      bound <= model.viewportHeight
    {
      return true
    }
    let height = height(ofRow: row)
    return height > 0 && height <= model.viewportHeight
  }

  /// The lines of a row beyond the edge; 0 or less if there are none.
  private func hiddenLines(of shown: ListModel.VisibleRow) -> Int {
    direction == .down ? shown.maxY - model.viewportHeight : -shown.y
  }

  private func height(ofRow row: Int) -> Int {
    model.measuredHeight(ofRow: row, in: binder)
  }

  private func select(_ row: Int) {
    list.selection.select(row)
    let isTall = height(ofRow: row) > model.viewportHeight
    let alignment: ScrollAlignment = isTall ? (direction == .down ? .top : .bottom) : .nearest
    list.scrollToRow(at: IndexPath(row: row), at: alignment)
  }
}
