import VirtualList

/// How j and k move:
///
/// 1. They start from the row that is marked: with the one selected last off the screen, from the
///    nearest that shows.
/// 2. A selected row that goes on beyond the edge scrolls first: by as much as there is to come, at
///    most so far that the last lines seen (`pageOverlap`) stay on the screen.
/// 3. Otherwise the neighbour is selected, and scrolled to just so far that it shows whole; of one
///    that is taller than the screen, as much as fits, from its first line going down, to its last
///    going up. Rows without height are no neighbours.
/// 4. Several presses at once end where one after another would, frame by frame. By 3 a row that
///    fits on the screen takes one press, and the view moves no further than its far edge asks for:
///    so of rows passed it matters only that they fit, and only where the last one stands is looked
///    at. A row is measured for that only where the data source cannot tell that it fits
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
        // Where one press changes nothing, neither will the next.
        guard press() else { return }
        left -= 1
      }
    }
  }

  /// Selects the row that is so many further, whatever of those between is to be seen.
  func pass(_ rows: UInt, to alignment: ScrollAlignment) {
    guard let start = list.selectedFrame?.row else { return }
    let room = direction == .down ? model.count - 1 - start : start
    var row = start + step * Int(min(rows, UInt(max(0, room))))
    while row != start, height(ofRow: row) == 0 { row -= step }
    list.setSelection(row)
    let isTall = alignment == .nearest && height(ofRow: row) > model.viewportHeight
    list.scrollToRow(at: IndexPath(row: row), at: isTall ? .top : alignment)
  }

  /// One press.
  /// - Returns: whether it did anything.
  private func press() -> Bool {
    guard let shown = list.selectedFrame else { return false }
    // It stays selected where another comes onto the screen.
    list.setSelection(shown.row)
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

  /// Rule 4: selects the farthest row that this many presses come to if each takes one row.
  /// - Returns: the presses this took; 0 where the next one has to be looked at by itself.
  private func passFittingRows(atMost presses: Int) -> Int {
    guard let shown = list.selectedFrame, hiddenLines(of: shown) <= 0 else { return 0 }
    let room = direction == .down ? model.count - 1 - shown.row : shown.row
    var passed = 0
    while passed < min(presses, room), fits(shown.row + step * (passed + 1)) { passed += 1 }
    guard passed > 0 else { return 0 }
    select(shown.row + step * passed)
    return passed
  }

  /// Whether a row has lines, and no more than the screen.
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

  /// Lines of a row that are still to come; not above 0 where there are none.
  private func hiddenLines(of shown: ListModel.VisibleRow) -> Int {
    direction == .down ? shown.maxY - model.viewportHeight : -shown.y
  }

  private func height(ofRow row: Int) -> Int {
    model.measuredHeight(ofRow: row, in: binder)
  }

  private func select(_ row: Int) {
    list.setSelection(row)
    let isTall = height(ofRow: row) > model.viewportHeight
    let alignment: ScrollAlignment = isTall ? (direction == .down ? .top : .bottom) : .nearest
    list.scrollToRow(at: IndexPath(row: row), at: alignment)
  }
}
