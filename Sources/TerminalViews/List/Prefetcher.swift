import VirtualList

/// Prepares cells before they are needed, in idle time. Rules:
///
/// 1. First, rows within `overscan` of showing get their cells, bound as after a frame that
///    prepares its surroundings itself.
/// 2. Then come the rows beyond those in the direction of the last move, up to a page. Their cells
///    are configured, laid out, drawn and retained. Cells of rows that are no longer ahead of the
///    reader are released.
/// 3. Content that arrives meanwhile for a cell that does not show is laid out and drawn here, too;
///    `onNeedsPreparation` reports that there is such a cell.
/// 4. If a row turns out to have another height than the known one, the next frame comes first.
///    Between two frames no row is prepared twice, and cells are brought up to date at most
///    `refreshLimit` times, so that this ends whatever cells report.
@MainActor final class Prefetcher {
  private static let refreshLimit = 100

  private unowned let list: ListView
  private let model: ListModel
  private let cells: CellStore
  private let binder: CellBinder
  /// Rows prepared since the last frame.
  private var prepared: Set<Int> = []
  /// The number of times a cell off the screen was brought up to date since then.
  private var refreshes = 0
  /// Whether the last move was towards the beginning.
  private(set) var movesUp = false

  init(list: ListView, model: ListModel, cells: CellStore, binder: CellBinder) {
    self.list = list
    self.model = model
    self.cells = cells
    self.binder = binder
  }

  func noteFrame() {
    prepared.removeAll(keepingCapacity: true)
    refreshes = 0
  }

  func noteMove(up: Bool) { movesUp = up }

  /// Takes at most `budget` steps, each of which prepares a row or brings cells up to date.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · rows · log n), and binding and drawing `budget` of them
  func prepare(budget: Int) -> Bool {
    for _ in 0..<budget {
      if measureHiddenChanges() { continue }
      guard cells.changedRows.isEmpty else { break }
      let around = binder.surroundings
      if let row = unpreparedRow(in: around) {
        guard prepare(row) else { return false }
      } else if let row = outdatedRow {
        refresh(row)
      } else if let row = unfetchedRow(beyond: around.rows) {
        guard prefetch(row) else { return false }
      } else {
        break
      }
    }
    model.updateEnds()
    guard cells.changedRows.isEmpty else {
      list.onNeedsDisplay?()
      return false
    }
    let around = binder.surroundings
    let hasMore =
      unpreparedRow(in: around) != nil || outdatedRow != nil
      || unfetchedRow(beyond: around.rows) != nil
    // Not during a frame: occasionally it takes as long as a screen of rows.
    if !hasMore { list.commitEstimates() }
    return hasMore
  }

  private var visible: Range<Int> { list.visibleRows ?? 0..<0 }

  /// The nearest row below the screen that has no cell or is not measured, or else the nearest one
  /// above it.
  private func unpreparedRow(in around: ListModel.Surroundings) -> Int? {
    guard let visible = list.visibleRows else { return nil }
    func isUnprepared(_ row: Int) -> Bool { cells[row] == nil && !prepared.contains(row) }
    return (visible.upperBound..<around.rows.upperBound).first(where: isUnprepared)
      ?? around.unmeasuredBelow
      ?? (around.rows.lowerBound..<visible.lowerBound).last(where: isUnprepared)
      ?? around.unmeasuredAbove
  }

  private func prepare(_ row: Int) -> Bool {
    prepared.insert(row)
    guard let cell = binder.cell(forRow: row) else { return false }
    model.measuredHeight(ofRow: row, in: binder)
    draw(cell)
    return true
  }

  private var outdatedRow: Int? {
    refreshes < Self.refreshLimit ? cells.outdatedRow(outside: visible) : nil
  }

  /// Lays out and measures changed cells, if none of them shows.
  ///
  /// - Returns: whether there were any.
  private func measureHiddenChanges() -> Bool {
    let (visible, changed) = (visible, cells.changedRows)
    guard !changed.isEmpty, refreshes < Self.refreshLimit,
      changed.allSatisfy({ !visible.contains($0) })
    else { return false }
    refreshes += 1
    apply(binder.measureChangedCells())
    return true
  }

  /// Applies heights. No visible line moves, unless the end of the list does.
  private func apply(_ heights: [(row: Int, height: Int)]) {
    let before = model.visible
    binder.applyHeights(heights)
    if model.visible != before { list.changed() }
  }

  /// Draws the present state of a cell off the screen; a retained one is laid out first.
  private func refresh(_ row: Int) {
    refreshes += 1
    if let cell = cells[row] { return draw(cell) }
    guard let cell = cells.retained(row) else { return }
    let height = binder.layOut(cell, row: row)
    if let cell = cells.retained(row) { draw(cell) }
    if let known = model.knownHeight(ofRow: row), known != height {
      apply([(row, height)])
    }
  }

  /// The first row of the next page without a cell; releases prefetched cells of other rows.
  private func unfetchedRow(beyond rows: Range<Int>) -> Int? {
    guard !rows.isEmpty else { return nil }
    let step = movesUp ? -1 : 1
    var row = movesUp ? rows.lowerBound - 1 : rows.upperBound
    let start = row
    var room = model.viewportHeight - list.overscanLines
    var missing: Int?
    while room > 0, row >= 0, row < model.count, abs(row - start) < model.viewportHeight {
      // A row with a bound cell this far away is pinned.
      if cells.retained(row) == nil, cells[row] == nil, !prepared.contains(row) {
        missing = row
        break
      }
      room -= model.knownHeight(ofRow: row) ?? 1
      row += step
    }
    cells.releasePrefetched(outside: movesUp ? row..<start + 1 : start..<max(start, row + 1))
    return missing
  }

  private func prefetch(_ row: Int) -> Bool {
    prepared.insert(row)
    guard let cell = binder.configuredCell(forRow: row) else { return false }
    cells.prefetch(cell, forRow: row, height: binder.layOut(cell, row: row))
    binder.countingIdleMeasurements { model.measuredHeight(ofRow: row, in: binder) }
    if let cell = cells.retained(row) { draw(cell) }
    return true
  }

  private func draw(_ cell: ListViewCell) {
    cell.renderBackingIfNeeded(width: cell.slot.width, height: cell.slot.height)
  }
}
