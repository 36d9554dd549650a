import Geometry
import Terminal
import VirtualList

/// A list of rows of any height and number, drawn by cells that are used again. Its rules:
///
/// 1. Rows, heights and the scroll state are the model's (`ListModel`), cells the store's (`CellStore`); the
///    list has the one measured by the other and draws what the model says.
/// 2. A row that shows, or is within `overscan` lines of showing, or is pinned, has a cell; no
///    other row has one after a frame and its surroundings. While rows are passed, too, those with cells
///    lie within a screen and its surroundings of one another.
/// 3. A cell is measured when it is bound and when it says that its layout changed. A row that is
///    bound anew with another height than remembered counts as resized.
/// 4. A frame is `layoutList()` and then drawing: at most two passes of binding and measuring; what
///    changes after the second asks for another frame. Cells of rows that do not show may be left to
///    `prepareSurroundings(budget:)`.
/// 5. Scrolling only copies lines out of the cells' backings.
/// 6. The last column is the scroll bar's.
/// 7. Where a cell is (`indexPath(for:)`) is looked up when asked, never kept: rows move.
/// 8. A single row is named by an `IndexPath`, as in UIKit; rows one after another are a range.
@MainActor public final class ListView: View {
  /// "Ask the cell", for `ListViewDelegate.listView(_:heightForRowAt:)`.
  public static let automaticDimension: Int? = nil
  /// Rows that `setPinned` keeps cells for, at most.
  public static let maximumPinned = 8

  /// Has the rows; another one has them loaded anew.
  public weak var dataSource: (any ListViewDataSource)? { didSet { reloadData() } }
  /// Hears of cells and of the user's selecting.
  public weak var delegate: (any ListViewDelegate)?
  /// Something changed that the next frame shows.
  public var onNeedsDisplay: (() -> Void)?
  /// Something changed that does not show, for `prepareSurroundings(budget:)` to take in.
  public var onNeedsPreparation: (() -> Void)?
  /// A row's height changed after it was first known.
  public var onResize: ((RowResize) -> Void)?
  /// Updates did not fit the data source's rows; the list has loaded them anew.
  public var onUpdateError: ((ListUpdateError) -> Void)?

  /// The colours of the scroll bar.
  public var theme: Theme = .standard { didSet { scrollBar.theme = theme } }
  /// Lines beyond either edge for which cells are kept ready; nil, the default, for half a screen.
  /// More than half a screen counts as half.
  public var overscan: Int?

  /// Lines a row is taken for while nothing is known. `4` by default.
  ///
  /// 0 turns estimates off, for lists of few rows: all rows are measured before a frame that follows a
  /// reload, an update or a change of width, and the scroll bar is exact. A row is measured by the
  /// delegate where it tells heights, with one cell of its own for all rows if it likes; else by the
  /// row's cell.
  public var estimatedRowHeight: Int {
    get { estimatesHeights ? model.estimatedRowHeight : 0 }
    set {
      estimatesHeights = newValue > 0
      model.estimatedRowHeight = newValue
    }
  }

  let model = ListModel(width: 1, viewportHeight: 0)
  let cells = CellStore()
  let scrollBar = ScrollBar(name: "scroll bar")
  private lazy var prefetcher = Prefetcher(list: self)
  var gathering = UpdateGathering()
  private(set) var selection: (row: Int, id: RowID)?
  private(set) var needsReload = true
  private(set) var layoutPasses = 0
  /// Rows measured while nothing else was to do.
  private(set) var idleMeasurementCount = 0
  private var estimatesHeights = true
  /// The last frame may have left cells to rows that are beyond `overscan` now.
  private var hasCellsBeyond = false
  /// Rows that are measured now give their cells back at once.
  private var measuresAside = false
  /// The cell that `dequeueReusableCell` hands out again while its row is reconfigured.
  private var reconfiguring: ListViewCell?

  /// A list without rows; it shows those of its `dataSource`.
  public override init(name: String = "") {
    super.init(name: name)
    cells.list = self
  }

  isolated deinit { cells.list = nil }

  override public var frame: Rect { didSet { if frame != oldValue { changed() } } }

  /// The columns that rows have: all but the scroll bar's.
  public var rowWidth: Int { max(1, frame.width - 1) }

  var environment: ListViewEnvironment { ListViewEnvironment(list: self) }

  var sourceCount: Int { max(0, dataSource?.numberOfRows(in: self) ?? 0) }

  /// Lines beyond either edge for which cells are ready.
  var overscanLines: Int {
    let half = model.viewportHeight / 2
    return min(half, max(0, overscan ?? half))
  }

  /// Something changed that the next frame shows.
  func changed() {
    setNeedsDisplay()
    onNeedsDisplay?()
  }

  /// Takes the rows anew before the next frame. The reader's place is found again by its row's
  /// identity.
  public func reloadData() {
    needsReload = true
    changed()
  }

  func setSelection(_ row: Int?) {
    guard row != nil || selection != nil else { return }
    if let old = selection { cells[old.row]?.cell.isSelected = false }
    selection = row.map { ($0, environment.rowID(at: $0)) }
    if let row { cells[row]?.cell.isSelected = true }
    changed()
  }

  // MARK: - Cells

  /// How cells of an identifier are made.
  public func register(
    _ make: @escaping () -> ListViewCell, forCellReuseIdentifier identifier: String
  ) {
    cells.register(identifier, make: make)
  }

  /// A cell to configure for a row: an idle one, else a new one.
  /// - Precondition: `identifier` is registered, with cells of this type.
  public func dequeueReusableCell<Cell: ListViewCell>(
    _ type: Cell.Type = ListViewCell.self, withIdentifier identifier: String,
    for indexPath: IndexPath
  ) -> Cell {
    let again = reconfiguring.flatMap { $0.reuseIdentifier == identifier ? $0 : nil }
    guard let cell = again ?? cells.dequeue(identifier) else {
      preconditionFailure("no cell is registered for \"\(identifier)\"")
    }
    guard let cell = cell as? Cell else {
      preconditionFailure("the cells registered for \"\(identifier)\" are no \(type)")
    }
    return cell
  }

  /// The row a cell shows now; nil for a cell that has none. - Complexity: O(1)
  public func indexPath(for cell: ListViewCell) -> IndexPath? {
    cells.row(of: cell).map { IndexPath(row: $0) }
  }

  /// The cell of a row that has one. - Complexity: O(1)
  public func cellForRow(at indexPath: IndexPath) -> ListViewCell? { cells[indexPath.row]?.cell }

  /// Keeps a row's cell while it is off screen, or no longer does; at most `maximumPinned` rows.
  /// - Returns: whether the row is as asked.
  @discardableResult public func setPinned(_ isPinned: Bool, forRowAt indexPath: IndexPath) -> Bool
  {
    let row = indexPath.row
    if isPinned {
      let hasRoom = cells.isPinned(row) || cells.pinnedCount < Self.maximumPinned
      guard hasRoom, (0..<numberOfRows).contains(row) else { return false }
    }
    cells.setPinned(isPinned, row: row)
    return true
  }

  /// A cell's height may have changed though nothing in it said so.
  public func noteHeightChanged(of cell: ListViewCell) { cellNeedsLayout(cell) }

  /// The cell's content changed so that its height may have.
  func cellNeedsLayout(_ cell: ListViewCell) {
    guard let row = cells.row(of: cell) else {
      onNeedsPreparation?()
      return
    }
    cells.setChanged(row)
    changed()
  }

  /// The cell must be drawn again.
  func cellNeedsDisplay(_ cell: ListViewCell) {
    if let row = cells.row(of: cell), visibleRows?.contains(row) == true {
      changed()
    } else {
      onNeedsPreparation?()
    }
  }

  func cell(_ cell: ListViewCell, didEnterScreenForRow row: Int) {
    delegate?.listView(self, willDisplay: cell, forRowAt: IndexPath(row: row))
  }

  func cell(_ cell: ListViewCell, didLeaveScreenForRow row: Int) {
    delegate?.listView(self, didEndDisplaying: cell, forRowAt: IndexPath(row: row))
  }

  /// The cell of a row, bound and laid out for the present width.
  func cell(forRow row: Int) -> CellStore.Entry? {
    if let entry = cells[row] {
      if entry.width != cells.width { layOut(entry.cell, row: row) }
      return entry
    }
    guard let dataSource else { return nil }
    if !measuresAside {
      cells.retainCells(farFrom: row, room: model.viewportHeight + 2 * overscanLines)
    }
    let entry = cells.obtain(row, isSelected: selection?.row == row) {
      retainCellsBeyond()
      return dataSource.listView(self, cellForRowAt: IndexPath(row: row))
    }
    if entry.width != cells.width || entry.cell.needsLayout { layOut(entry.cell, row: row) }
    // Its content is not what it was when it was measured; rule 3.
    if let known = model.knownHeight(ofRow: row), known != entry.height {
      cells.setChanged(row)
    }
    return entry
  }

  /// A cell that the data source has configured for a row, given out by the store.
  func configuredCell(forRow row: Int) -> ListViewCell? {
    dataSource?.listView(self, cellForRowAt: IndexPath(row: row))
  }

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
  func toldHeight(ofRow row: Int) -> Int? {
    delegate?.listView(self, heightForRowAt: IndexPath(row: row))
  }

  /// Measures a row that is asked for by the model.
  func measure(row: Int) -> Int {
    if let entry = cells.retained(row), entry.width == cells.width, !entry.cell.needsLayout {
      return entry.height
    }
    let isNew = cells[row] == nil
    let height = cell(forRow: row)?.height ?? 0
    if measuresAside, isNew, !cells.isPinned(row) { cells.release(row) }
    return height
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
      guard let cell = cells[row]?.cell else { return nil }
      let height = layOut(cell, row: row)
      guard let known = model.knownHeight(ofRow: row), known != height else { return nil }
      return (row, height)
    }
  }

  /// Retains the cells of rows that are neither pinned nor within `overscan` of showing, if the last
  /// frame left any.
  private func retainCellsBeyond() {
    guard hasCellsBeyond else { return }
    hasCellsBeyond = false
    cells.retainAll(outside: model.surroundings(overscan: overscanLines).rows)
  }

  /// Changes which rows there are: which cells are beyond is not known again until they are laid out.
  func changingRows<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    hasCellsBeyond = false
    defer { hasCellsBeyond = true }
    try body()
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
    model.invalidate(row: row, in: environment)
  }

  // MARK: - Frames

  /// Brings cells and model together for the next frame. Does nothing where nothing changed.
  /// - Parameter preparesSurroundings: false to leave rows that do not show, and what is to be learned from
  ///   those that do, to `prepareSurroundings(budget:)`, so that the frame waits for neither.
  /// - Complexity: O(visible and overscan rows), measuring those of them that need it
  public func layoutList(preparesSurroundings: Bool = true) {
    guard synchronize() else { return }
    layoutPasses = 0
    prefetcher.noteFrame()
    repeat {
      layoutPasses += 1
      bindCells(inSurroundings: preparesSurroundings)
    } while applyHeights(measureChangedCells()) && layoutPasses < 2
    // What the second pass changed may have brought other rows onto the screen.
    if layoutPasses == 2 { bindCells(inSurroundings: preparesSurroundings) }
    if !cells.changedRows.isEmpty { onNeedsDisplay?() }
    cells.show(visibleRows ?? 0..<0)
    if preparesSurroundings { model.commitEstimates() }
    scrollBar.thumb = model.thumb(track: frame.height)
  }

  /// Gives rows around the screen their cells, and draws them, so that they are ready when they come onto
  /// the screen: to be called after a frame that `layoutList` was told to leave them out of. No line on
  /// the screen moves.
  ///
  /// - Parameter budget: rows at most.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(rows · log n), and binding and drawing `budget` of them
  @discardableResult public func prepareSurroundings(budget: Int = 1) -> Bool {
    guard synchronize() else { return false }
    retainCellsBeyond()
    defer { cells.trimDeparted() }
    return !isDraggingScrollBar && prefetcher.prepare(budget: budget)
  }

  /// Measures at most `budget` rows that do not show, for better estimates and readier pages: to be
  /// called while nothing else is to do. No line on the screen moves.
  ///
  /// A row is measured by a cell, which goes back to the pool at once, unless the delegate tells
  /// its height.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult public func measureIdleRows(budget: Int = 8) -> Bool {
    guard synchronize() else { return false }
    let hasMore = countingIdleMeasurements {
      measuringAside { model.measureIdleRows(budget: budget, in: environment) }
    }
    commitEstimates()
    return hasMore
  }

  /// Shows what was learned of rows since the frame: nothing else would draw the bar anew.
  func commitEstimates() {
    model.commitEstimates()
    let thumb = model.thumb(track: frame.height)
    guard thumb != scrollBar.thumb else { return }
    scrollBar.thumb = thumb
    changed()
  }

  func noteMove(up: Bool) { prefetcher.noteMove(up: up) }

  /// The model has the list's size and rows. False while the list has no size.
  @discardableResult func synchronize() -> Bool {
    guard !frame.size.isEmpty else { return false }
    cells.resize(width: rowWidth, screenHeight: frame.height)
    model.resize(width: rowWidth, viewportHeight: frame.height, in: environment)
    if needsReload {
      needsReload = false
      reload()
    }
    if !estimatesHeights { measureAllRows() }
    return true
  }

  /// Measures the rows whose height at the present width is not known.
  /// - Complexity: O(1) where all are known, else O(rows · log n) and their measurements
  private func measureAllRows() {
    guard model.tree.measuredCount < model.count else { return }
    let environment = ListViewEnvironment(list: self, asksDelegate: true)
    measuringAside {
      for row in 0..<model.count { model.measuredHeight(ofRow: row, in: environment) }
    }
  }

  /// Gives every row that shows its cell. Where asked to, gives one to every row that nearly shows, too, and
  /// takes those of rows beyond; else these are taken when a row needs one, or after the frame.
  private func bindCells(inSurroundings preparesSurroundings: Bool) {
    hasCellsBeyond = true
    guard preparesSurroundings else {
      for row in visibleRows ?? 0..<0 { _ = cell(forRow: row) }
      return
    }
    let prepared = model.preparedRows(overscan: overscanLines, in: environment)
    retainCellsBeyond()
    for row in prepared { _ = cell(forRow: row) }
    cells.trimDeparted()
  }

  @discardableResult func applyHeights(_ heights: [(row: Int, height: Int)]) -> Bool {
    guard !heights.isEmpty else { return false }
    let old = heights.map { model.knownHeight(ofRow: $0.row) ?? $0.height }
    model.setHeights(heights, in: environment)
    let top = model.top
    for (change, old) in zip(heights, old) {
      onResize?(
        RowResize(
          row: change.row, from: old, to: change.height, anchorRow: top.row, anchorLine: top.line))
    }
    return true
  }

  // MARK: - Drawing

  /// Draws over all cells of the frame.
  override public func draw(in canvas: inout Canvas, at origin: Point) {
    for shown in model.visible {
      guard let entry = cells[shown.row] else { continue }
      entry.cell.renderBackingIfNeeded(width: model.width, height: shown.height)
      let first = max(0, -shown.y)
      let end = min(shown.height, model.viewportHeight - shown.y)
      canvas.copy(
        entry.cell.backing,
        from: Rect(x: 0, y: first, width: model.width, height: end - first),
        to: origin.offset(dx: 0, dy: shown.y + first))
    }
    let end = model.visible.last?.maxY ?? 0
    canvas.fill(
      Rect(x: origin.x, y: origin.y + end, width: frame.width, height: frame.height - end),
      with: CanvasCell())
    guard frame.width > 1 else { return }
    scrollBar.frame = Rect(x: frame.width - 1, y: 0, width: 1, height: frame.height)
    scrollBar.draw(in: &canvas, at: origin.offset(dx: frame.width - 1, dy: 0))
  }
}
