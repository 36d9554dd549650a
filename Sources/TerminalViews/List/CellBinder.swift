import VirtualList

/// Binds cells to rows, measures rows with them, and answers the model's requests from the cells,
/// the data source and the delegate. Rules:
///
/// 1. A row that is visible, within `overscan` lines of the screen, or pinned has a bound cell; no
///    other row has one after a frame and the preparation of its surroundings. Before that, bound
///    cells of rows far from the frame are retained as soon as others are bound, so that all fit
///    into a screen and its surroundings. The rows of one frame keep their cells, even if one of
///    them turns out taller than known.
/// 2. A cell is measured when it is bound and when it reports that its layout changed. A row that
///    is bound again with another height than remembered counts as resized.
/// 3. A height from the delegate is the row's height. Rows that are measured ahead of time then
///    need no cell.
@MainActor final class CellBinder {
  private unowned let list: ListView
  private let model: ListModel
  private let cells: CellStore
  /// Rows measured while the program was idle.
  private(set) var idleMeasurementCount = 0
  /// The passes of the last frame.
  private(set) var layoutPasses = 0
  /// Whether the last frame may have left cells to rows that are now beyond `overscan`.
  private var mayHaveDistantCells = false
  /// The rows of a frame while it binds their cells.
  private var rowsBeingBound = 0..<0
  /// Whether the cells of measured rows return to the pool at once.
  private var releasesMeasuredCells = false
  /// The cell that `dequeue` returns again while its row is reconfigured.
  private var reconfiguring: ListViewCell?

  init(list: ListView, model: ListModel, cells: CellStore) {
    self.list = list
    self.model = model
    self.cells = cells
  }

  /// The list that the rows belong to.
  var listView: ListView { list }

  /// The visible rows and those around them, by the known heights.
  var surroundings: ListModel.Surroundings { model.surroundings(overscan: list.overscanLines) }

  // MARK: - Binding

  /// A cell for the data source to configure for a row.
  func dequeue(_ identifier: String) -> ListViewCell? {
    let again = reconfiguring.flatMap { $0.reuseIdentifier == identifier ? $0 : nil }
    return again ?? cells.dequeue(identifier)
  }

  /// A cell from the store that the data source has configured for a row.
  func configuredCell(forRow row: Int) -> ListViewCell? {
    list.dataSource?.listView(list, cellForRowAt: IndexPath(row: row))
  }

  /// The cell of a row, bound and laid out for the present width.
  func cell(forRow row: Int) -> ListViewCell? {
    if let cell = cells[row] {
      if cell.slot.width != cells.width { layOut(cell, row: row) }
      return cell
    }
    guard let dataSource = list.dataSource else { return nil }
    if !releasesMeasuredCells {
      cells.retainCells(
        farFrom: row, keeping: rowsBeingBound, room: model.viewportHeight + 2 * list.overscanLines)
    }
    let cell = cells.obtain(row) {
      retainDistantCells()
      return dataSource.listView(list, cellForRowAt: IndexPath(row: row))
    }
    if cell.slot.width != cells.width || cell.needsLayout { layOut(cell, row: row) }
    // Its content has changed since it was measured; rule 2.
    if let known = model.knownHeight(ofRow: row), known != cell.slot.height {
      cells.setChanged(row)
    }
    return cell
  }

  /// Binds and measures the rows of a frame, in at most two passes (rule 2 of `ListView`).
  func layOutRows(inSurroundings preparesSurroundings: Bool) {
    layoutPasses = 0
    for cell in cells.staleCells { reconfigure(cell) }
    repeat {
      layoutPasses += 1
      bindCells(inSurroundings: preparesSurroundings)
    } while applyHeights(measureChangedCells()) && layoutPasses < 2
    // Changes of the second pass may have brought other rows onto the screen.
    if layoutPasses == 2 { bindCells(inSurroundings: preparesSurroundings) }
  }

  /// Binds a cell to every visible row. If `preparesSurroundings`, also binds the rows within
  /// `overscan` and retains the cells of rows beyond; otherwise these are retained when a row needs
  /// a cell, or after the frame.
  private func bindCells(inSurroundings preparesSurroundings: Bool) {
    mayHaveDistantCells = true
    guard preparesSurroundings else { return bind(list.visibleRows ?? 0..<0) }
    let prepared = model.preparedRows(overscan: list.overscanLines, in: self)
    retainDistantCells()
    bind(prepared)
    cells.trimDeparted()
  }

  /// Binds these rows; however tall they turn out, none of them loses its cell to another.
  private func bind(_ rows: Range<Int>) {
    rowsBeingBound = rows
    for row in rows { _ = cell(forRow: row) }
    rowsBeingBound = 0..<0
  }

  /// Retains the cells of rows that are neither pinned nor within `overscan` of showing, if the
  /// last frame left any.
  func retainDistantCells() {
    guard mayHaveDistantCells else { return }
    mayHaveDistantCells = false
    cells.retainAll(outside: surroundings.rows)
  }

  /// Calls `body`, which changes the set of rows. Until it returns, no cell counts as beyond
  /// `overscan`: rows have to be laid out again first.
  func performRowChanges(_ body: () -> Void) {
    mayHaveDistantCells = false
    body()
    mayHaveDistantCells = true
  }

  /// Makes the data source configure a row's cell again, in place.
  func reconfigure(_ cell: ListViewCell) {
    guard let row = cells.row(of: cell) else { return }
    reconfiguring = cell
    let configured = configuredCell(forRow: row)
    // Measuring other rows must not reuse this cell.
    reconfiguring = nil
    guard let configured else { return }
    if configured === cell { return cells.setChanged(row) }
    // The row needs another type of cell.
    cells.release(row)
    cells.discard(configured)
    model.invalidate(row: row, in: self)
  }

  // MARK: - Measuring

  /// Lays a cell out at the present width, with its height for `row`.
  /// - Returns: the height.
  @discardableResult func layOut(_ cell: ListViewCell, row: Int) -> Int {
    let height = max(0, delegateHeight(ofRow: row) ?? cell.heightThatFits(width: model.width))
    // At once, because a cell that awaits layout does not report that it needs another one.
    cell.layout(width: model.width, height: height)
    cells.setHeight(height, of: cell)
    return height
  }

  /// The height of a row from the delegate, or the uniform row height; `nil` if neither is given.
  private func delegateHeight(ofRow row: Int) -> Int? {
    list.delegate?.listView(list, heightForRowAt: IndexPath(row: row)) ?? model.uniformRowHeight
  }

  /// Measures at most `budget` rows off the screen.
  /// - Returns: whether there is more to do.
  func measureIdleRows(budget: Int) -> Bool {
    countingIdleMeasurements {
      releasingMeasuredCells { model.measureIdleRows(budget: budget, in: self) }
    }
  }

  /// Measures the rows whose height at the present width is unknown.
  /// - Complexity: O(1) if all are known, else O(rows · log n) and the measurements.
  func measureAllRows() {
    guard model.tree.measuredCount < model.count else { return }
    releasingMeasuredCells {
      for row in 0..<model.count { model.measuredHeight(ofRow: row, in: self) }
    }
  }

  /// Calls `body`, which measures rows that may be off the screen: cells bound to measure a row
  /// return to the pool at once, while rows that had a cell keep it.
  private func releasingMeasuredCells<Result>(_ body: () -> Result) -> Result {
    let before = releasesMeasuredCells
    releasesMeasuredCells = true
    defer { releasesMeasuredCells = before }
    return body()
  }

  /// Calls `body`, and counts the rows that it measures as measured in idle time.
  @discardableResult func countingIdleMeasurements<Result>(_ body: () -> Result) -> Result {
    let before = model.measurementCount
    defer { idleMeasurementCount += model.measurementCount - before }
    return body()
  }

  /// Measures the cells that reported a change of their layout.
  /// - Returns: the rows with another height than the known one, in order.
  func measureChangedCells() -> [(row: Int, height: Int)] {
    cells.takeChangedRows().compactMap { row in
      guard let cell = cells[row] else { return nil }
      let height = layOut(cell, row: row)
      guard let known = model.knownHeight(ofRow: row), known != height else { return nil }
      return (row, height)
    }
  }

  /// Reports changed heights of rows to the model and the list.
  /// - Returns: whether there are any.
  @discardableResult func applyHeights(_ heights: [(row: Int, height: Int)]) -> Bool {
    guard !heights.isEmpty else { return false }
    let old = heights.map { model.knownHeight(ofRow: $0.row) ?? $0.height }
    model.setHeights(heights, in: self)
    let top = model.top
    for (change, old) in zip(heights, old) {
      list.onResize?(
        ListView.RowResize(
          row: change.row, from: old, to: change.height, anchorRow: top.row, anchorLine: top.line))
    }
    return true
  }

  // MARK: - Notifications from cells

  /// The cell's content changed, and perhaps its height with it.
  func cellNeedsLayout(_ cell: ListViewCell) {
    guard let row = cells.row(of: cell) else {
      list.onNeedsPreparation?()
      return
    }
    cells.setChanged(row)
    list.changed()
  }

  /// The cell must be drawn again.
  func cellNeedsDisplay(_ cell: ListViewCell) {
    if let row = cells.row(of: cell), list.visibleRows?.contains(row) == true {
      list.changed()
    } else {
      list.onNeedsPreparation?()
    }
  }

  /// The row's cell has come onto the screen.
  func didShow(_ cell: ListViewCell, ofRow row: Int) {
    list.delegate?.listView(list, willDisplay: cell, forRowAt: IndexPath(row: row))
  }

  /// The row's cell has left the screen.
  func didHide(_ cell: ListViewCell, ofRow row: Int) {
    list.delegate?.listView(list, didEndDisplaying: cell, forRowAt: IndexPath(row: row))
  }
}

extension CellBinder {
  /// The place where `words` are now in a row: `place`, if they are still there, else the nearest
  /// one; `place` itself if there is none.
  func place(_ place: Place, saying words: String, inRow row: Int) -> Place {
    guard !words.isEmpty, (0..<model.count).contains(row) else { return place }
    return cell(forRow: row)?.place(place, saying: words) ?? place
  }
}

/// The model's requests.
extension CellBinder: @MainActor ListEnvironment {
  func rowID(at row: Int) -> RowID {
    list.dataSource?.listView(list, rowIDForRowAt: IndexPath(row: row)) ?? RowID(UInt64(row))
  }

  func kind(of row: Int) -> Int? {
    list.dataSource?.listView(list, kindForRowAt: IndexPath(row: row)).map {
      (0..<HeightEstimates.kindCount).contains($0) ? $0 : 0
    }
  }

  func textLength(ofRows rows: Range<Int>) -> Int? {
    list.dataSource?.listView(list, textLengthOfRows: rows)
  }

  func measure(row: Int) -> Int {
    let needsNoCell = releasesMeasuredCells || model.uniformRowHeight != nil
    if needsNoCell, let height = delegateHeight(ofRow: row) { return height }
    if let cell = cells.retained(row), cell.slot.width == cells.width, !cell.needsLayout,
      cell.isCurrent
    {
      return cell.slot.height
    }
    let isNew = cells[row] == nil
    let height = cell(forRow: row)?.slot.height ?? 0
    if releasesMeasuredCells, isNew, !cells.isPinned(row) { cells.release(row) }
    return height
  }

  func place(atLine line: Int, inRow row: Int) -> Place {
    cell(forRow: row)?.place(atLine: line) ?? Place(part: 0, offset: 0)
  }

  func line(of place: Place, inRow row: Int) -> Int {
    cell(forRow: row)?.line(of: place) ?? 0
  }

  func row(of id: RowID, near row: Int, count: Int) -> Int? {
    if let path = list.dataSource?.listView(list, indexPathFor: id) { return path.row }
    return search(for: id, near: row, count: count)
  }
}
