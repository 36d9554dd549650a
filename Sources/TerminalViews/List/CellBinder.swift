import VirtualList

/// Binds cells to rows and measures rows by them: what the model asks, answered by cells, the data
/// source and the delegate. Its rules:
///
/// 1. A row that shows, or is within `overscan` lines of showing, or is pinned, has a cell; no
///    other row has one after a frame and its surroundings. While rows are passed, too, those with
///    cells lie within a screen and its surroundings of one another, but for those of the frame: a
///    row that turns out taller than was known takes no cell from another that shows.
/// 2. A cell is measured when it is bound and when it says that its layout changed. A row that is
///    bound again with another height than remembered counts as resized.
/// 3. A height that the delegate tells is the row's. Rows that are measured aside need no cell for
///    it.
@MainActor final class CellBinder {
  private unowned let list: ListView
  private let model: ListModel
  private let cells: CellStore
  /// Rows measured while nothing else was to do.
  private(set) var idleMeasurementCount = 0
  /// The last frame may have left cells to rows that are beyond `overscan` now.
  private var hasCellsBeyond = false
  /// The rows that a frame shows, while it binds their cells.
  private var rowsOfFrame = 0..<0
  /// Rows that are measured now give their cells back at once.
  private var measuresAside = false
  /// The cell that `dequeue` hands out again while its row is reconfigured.
  private var reconfiguring: ListViewCell?

  init(list: ListView, model: ListModel, cells: CellStore) {
    self.list = list
    self.model = model
    self.cells = cells
  }

  /// The list of cells that have rows.
  var listView: ListView { list }

  /// The visible rows and those around them, as far as heights are known.
  var surroundings: ListModel.Surroundings { model.surroundings(overscan: list.overscanLines) }

  // MARK: - Binding

  /// A cell for the data source to configure for a row.
  func dequeue(_ identifier: String) -> ListViewCell? {
    let again = reconfiguring.flatMap { $0.reuseIdentifier == identifier ? $0 : nil }
    return again ?? cells.dequeue(identifier)
  }

  /// A cell that the data source has configured for a row, given out by the store.
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
    if !measuresAside {
      cells.retainCells(
        farFrom: row, keeping: rowsOfFrame, room: model.viewportHeight + 2 * list.overscanLines)
    }
    let cell = cells.obtain(row) {
      retainCellsBeyond()
      return dataSource.listView(list, cellForRowAt: IndexPath(row: row))
    }
    if cell.slot.width != cells.width || cell.needsLayout { layOut(cell, row: row) }
    // Its content is not what it was when it was measured; rule 2.
    if let known = model.knownHeight(ofRow: row), known != cell.slot.height {
      cells.setChanged(row)
    }
    return cell
  }

  /// Gives every row that shows its cell. Where asked to, gives one to every row that nearly shows,
  /// too, and takes those of rows beyond; else these are taken when a row needs one, or after the
  /// frame.
  func bindCells(inSurroundings preparesSurroundings: Bool) {
    hasCellsBeyond = true
    guard preparesSurroundings else { return bind(list.visibleRows ?? 0..<0) }
    let prepared = model.preparedRows(overscan: list.overscanLines, in: self)
    retainCellsBeyond()
    bind(prepared)
    cells.trimDeparted()
  }

  /// However tall they turn out to be, none of these rows takes another's cell.
  private func bind(_ rows: Range<Int>) {
    rowsOfFrame = rows
    for row in rows { _ = cell(forRow: row) }
    rowsOfFrame = 0..<0
  }

  /// Retains the cells of rows that are neither pinned nor within `overscan` of showing, if the
  /// last frame left any.
  func retainCellsBeyond() {
    guard hasCellsBeyond else { return }
    hasCellsBeyond = false
    cells.retainAll(outside: surroundings.rows)
  }

  /// Changes which rows there are: which cells are beyond is not known again until they are laid
  /// out.
  func changingRows(_ body: () -> Void) {
    hasCellsBeyond = false
    body()
    hasCellsBeyond = true
  }

  /// Has the data source configure the cells again that are not current.
  func reconfigureStaleCells() {
    for cell in cells.staleCells { reconfigure(cell) }
  }

  /// Has the data source configure a row's cell as it is.
  func reconfigure(_ cell: ListViewCell) {
    guard let row = cells.row(of: cell) else { return }
    reconfiguring = cell
    let configured = configuredCell(forRow: row)
    // Rows that are measured from here on get cells of their own.
    reconfiguring = nil
    guard let configured else { return }
    if configured === cell { return cells.setChanged(row) }
    // The row wants another kind of cell.
    cells.release(row)
    cells.discard(configured)
    model.invalidate(row: row, in: self)
  }

  // MARK: - Measuring

  /// Lays a cell out at the present width, with the height it has for `row`.
  /// - Returns: the height.
  @discardableResult func layOut(_ cell: ListViewCell, row: Int) -> Int {
    let height = max(0, toldHeight(ofRow: row) ?? cell.heightThatFits(width: model.width))
    // At once, since a cell that awaits layout does not say that it needs another one.
    cell.layout(width: model.width, height: height)
    cells.setHeight(height, of: cell)
    return height
  }

  /// The height of a row where the delegate tells it.
  private func toldHeight(ofRow row: Int) -> Int? {
    list.delegate?.listView(list, heightForRowAt: IndexPath(row: row))
  }

  /// Measures at most `budget` rows that do not show.
  /// - Returns: whether there is more to do.
  func measureIdleRows(budget: Int) -> Bool {
    countingIdleMeasurements {
      measuringAside { model.measureIdleRows(budget: budget, in: self) }
    }
  }

  /// Measures the rows whose height at the present width is not known.
  /// - Complexity: O(1) where all are known, else O(rows · log n) and their measurements
  func measureAllRows() {
    guard model.tree.measuredCount < model.count else { return }
    measuringAside {
      for row in 0..<model.count { model.measuredHeight(ofRow: row, in: self) }
    }
  }

  /// Does something during which rows are measured that need not show: their cells go back to the
  /// pool at once, and what shows keeps its own.
  private func measuringAside<Result>(_ body: () -> Result) -> Result {
    let before = measuresAside
    measuresAside = true
    defer { measuresAside = before }
    return body()
  }

  /// Does something during which rows are measured while nothing else is to do.
  @discardableResult func countingIdleMeasurements<Result>(_ body: () -> Result) -> Result {
    let before = model.measurementCount
    defer { idleMeasurementCount += model.measurementCount - before }
    return body()
  }

  /// Measures the cells that said their layout changed.
  /// - Returns: the rows that have another height than was known, in order.
  func measureChangedCells() -> [(row: Int, height: Int)] {
    cells.takeChangedRows().compactMap { row in
      guard let cell = cells[row] else { return nil }
      let height = layOut(cell, row: row)
      guard let known = model.knownHeight(ofRow: row), known != height else { return nil }
      return (row, height)
    }
  }

  /// Tells the model and the list of rows that have other heights.
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

  // MARK: - What cells say

  /// The cell's content changed so that its height may have.
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

  /// The row's cell came onto the screen.
  func didShow(_ cell: ListViewCell, ofRow row: Int) {
    list.delegate?.listView(list, willDisplay: cell, forRowAt: IndexPath(row: row))
  }

  /// The row's cell left the screen.
  func didHide(_ cell: ListViewCell, ofRow row: Int) {
    list.delegate?.listView(list, didEndDisplaying: cell, forRowAt: IndexPath(row: row))
  }
}

extension CellBinder {
  /// Where what stood at a place stands now: there, or where the text is that it said.
  func place(_ place: Place, saying words: String, inRow row: Int) -> Place {
    guard !words.isEmpty, (0..<model.count).contains(row) else { return place }
    return cell(forRow: row)?.place(place, saying: words) ?? place
  }
}

/// What the model asks.
extension CellBinder: @MainActor ListEnvironment {
  func rowID(at row: Int) -> RowID {
    list.dataSource?.listView(list, rowIDForRowAt: IndexPath(row: row)) ?? RowID(UInt64(row))
  }

  func kind(of row: Int) -> Int {
    let kind = list.dataSource?.listView(list, kindForRowAt: IndexPath(row: row)) ?? 0
    return (0..<HeightEstimates.kindCount).contains(kind) ? kind : 0
  }

  func textLength(ofRows rows: Range<Int>) -> Int? {
    list.dataSource?.listView(list, textLengthOfRows: rows)
  }

  func measure(row: Int) -> Int {
    if measuresAside, let height = toldHeight(ofRow: row) { return height }
    if let cell = cells.retained(row), cell.slot.width == cells.width, !cell.needsLayout,
      cell.isCurrent
    {
      return cell.slot.height
    }
    let isNew = cells[row] == nil
    let height = cell(forRow: row)?.slot.height ?? 0
    if measuresAside, isNew, !cells.isPinned(row) { cells.release(row) }
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
