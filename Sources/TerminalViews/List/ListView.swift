import Geometry
import Terminal
import VirtualList

/// A list of rows of any height and number, drawn by reused cells. Rules:
///
/// 1. Rows, heights and the scroll state belong to the model (`ListModel`), cells to the store
///    (`CellStore`). A binder measures the model's rows with the store's cells (`CellBinder`), and
///    the list draws the rows that the model determines.
/// 2. A frame is `layoutList()` followed by drawing. It takes at most two passes of binding and
///    measuring; changes after the second one request another frame. Cells of rows that do not show
///    may be left to `prepareSurroundings(budget:)`.
/// 3. Scrolling only copies lines from the cells' backings.
/// 4. The last column belongs to the scroll bar.
/// 5. The row of a cell (`indexPath(for:)`) is looked up on request, never stored: rows move.
/// 6. A single row is named by an `IndexPath`, as in UIKit; consecutive rows are a range.
@MainActor public final class ListView: View {
  /// Makes the list ask the cell, as a result of `ListViewDelegate.listView(_:heightForRowAt:)`.
  public static let automaticDimension: Int? = nil
  /// The most rows for which `setPinned` keeps cells.
  public static let maximumPinned = 8

  /// The source of the rows; setting another one reloads them.
  public weak var dataSource: (any ListViewDataSource)? { didSet { reloadData() } }
  /// Receives events of cells and the user's selections.
  public weak var delegate: (any ListViewDelegate)?
  /// Called when something has changed that the next frame shows.
  public var onNeedsDisplay: (() -> Void)?
  /// Called when something has changed that does not show, for `prepareSurroundings(budget:)` to
  /// handle.
  public var onNeedsPreparation: (() -> Void)?
  /// Called when a row's height has changed after it was first known.
  public var onResize: ((RowResize) -> Void)?
  /// Called with an error: an update did not fit the data source's rows, which the list has then
  /// reloaded; two rows have one identity; or a row does not exist.
  public var onUpdateError: ((ListUpdateError) -> Void)?

  /// Lines beyond either edge for which cells are kept ready; `nil`, the default, for half a
  /// screen, which is also the most.
  public var overscan: Int?

  /// The height of a row in lines while nothing is known about it. `4` by default.
  ///
  /// 0 turns estimates off, for lists of few rows: all rows are measured before a frame that
  /// follows a reload, an update or a change of width, and the scroll bar is exact. A row is
  /// measured by the delegate if it provides heights, for which it may use one cell of its own for
  /// all rows; otherwise by the row's cell.
  public var estimatedRowHeight: Int {
    get { estimatesHeights ? model.estimatedRowHeight : 0 }
    set {
      estimatesHeights = newValue > 0
      model.estimatedRowHeight = newValue
    }
  }

  /// The height of every row in lines; `nil`, the default, if each has its own. The scroll bar is
  /// then exact and no row needs to be measured; the delegate may say that single rows have none.
  ///
  /// Set it when the data source provides other cells for the same rows: all cells are replaced.
  /// The row at the top edge stays there, the selected one stays selected.
  package var uniformRowHeight: Int? {
    get { model.uniformRowHeight }
    set { updater.setUniformRowHeight(newValue) }
  }

  private let model: ListModel
  private let cells: CellStore
  private lazy var binder = CellBinder(list: self, model: model, cells: cells)
  private lazy var prefetcher = Prefetcher(
    list: self, model: model, cells: cells, binder: binder)
  private(set) lazy var updater = ListUpdater(
    list: self, model: model, cells: cells, binder: binder)
  private(set) lazy var selection = ListSelection(list: self, cells: cells, binder: binder)
  private let scrollBar = ScrollBar(name: "scroll bar")
  private var estimatesHeights = true

  /// A list without rows; it shows those of its `dataSource`.
  public override convenience init(name: String = "") {
    self.init(name: name, model: ListModel(width: 1, viewportHeight: 0), cells: CellStore())
  }

  /// - Parameters:
  ///   - model: an empty model, which only the list may change.
  ///   - cells: an empty store, which only the list may change.
  init(name: String, model: ListModel, cells: CellStore) {
    self.model = model
    self.cells = cells
    super.init(name: name)
    cells.owner = binder
  }

  isolated deinit { cells.owner = nil }

  override public var participates: Bool { false }

  override public var frame: Rect { didSet { if frame != oldValue { changed() } } }

  override public func themeDidChange() {
    super.themeDidChange()
    cells.setNeedsDisplay()
    changed()
  }

  /// Blank lines at the end of every row that separate it from the next. 0 by default.
  package var rowSpacing = 0

  /// The most columns of a row; a wider list centres its rows. `nil`, the default, for no limit.
  public var maximumRowWidth: Int? {
    get { rowColumns.maximum }
    set { rowColumns.maximum = newValue }
  }

  /// The most columns of the right margin that rows use in addition to `maximumRowWidth`. 0 by
  /// default. Rows begin at the same column as without them.
  package var maximumTrailingRoom: Int {
    get { rowColumns.maximumRoom }
    set { rowColumns.maximumRoom = newValue }
  }

  private var rowColumns = RowColumns() { didSet { if rowColumns != oldValue { changed() } } }

  /// The width of rows: all columns but the scroll bar's, up to `maximumRowWidth`.
  public var rowWidth: Int { rowColumns.width(in: frame.width - 1) }

  /// Blank columns left of the rows.
  public var rowMargin: Int { rowColumns.margin(in: frame.width - 1) }

  var sourceCount: Int { max(0, dataSource?.numberOfRows(in: self) ?? 0) }

  /// Lines beyond either edge for which cells are kept ready.
  var overscanLines: Int {
    let half = model.viewportHeight / 2
    return min(half, max(0, overscan ?? half))
  }

  /// Requests a frame, because something has changed that it shows.
  func changed() {
    setNeedsDisplay()
    onNeedsDisplay?()
  }

  /// Reloads the rows before the next frame. The reader's place is found again by its row's
  /// identity.
  public func reloadData() { updater.setNeedsReload() }

  /// Reloads the rows before the next frame, with new cells, because the terminal has reported a
  /// property on which the constraints of cells depend.
  ///
  /// - Complexity: O(cells).
  package func replaceCells() {
    cells.replaceAll()
    reloadData()
  }

  // MARK: - Visible rows

  /// The number of rows as of the last frame; before a reload, that of the data source.
  public var numberOfRows: Int { updater.needsReload ? sourceCount : model.count }

  /// Rows with lines on the screen; `nil` if there are none.
  public var visibleRows: Range<Int>? {
    guard let first = model.visible.first, let last = model.visible.last else { return nil }
    return first.row..<last.row + 1
  }

  /// Rows with lines on the screen, and their positions, as the last frame drew them.
  public var visibleFrames: [ListModel.VisibleRow] { model.visible }

  /// The line at the top edge; `nil` without rows.
  public var topPosition: (row: Int, line: Int)? {
    model.displayed.map { ($0.row, $0.line) }
  }

  var displayedAnchor: ScrollAnchor? { model.displayed }

  /// True after `scrollToEnd()` until the user moves up: the last line stays at the bottom edge.
  public var isFollowing: Bool { model.isFollowing }
  /// Whether the first line shows.
  public var isAtTop: Bool { model.isAtTop }
  /// Whether the last line shows.
  public var isAtEnd: Bool { model.isAtEnd }
  /// Rows inserted at the beginning that the user has not reached yet.
  public var newRowsAbove: Int { model.newRowsAbove }
  /// Makes rows inserted at the beginning count as seen.
  public func forgetNewRows() { model.forgetNewRows() }
  /// Whether the user is dragging the scroll bar's thumb, which updates would move away from the
  /// pointer.
  public var isDraggingScrollBar: Bool { model.isDragging }

  // MARK: - Cells

  /// Sets the function that creates cells of an identifier.
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
    guard let cell = binder.dequeue(identifier) else {
      preconditionFailure("no cell is registered for \"\(identifier)\"")
    }
    guard let cell = cell as? Cell else {
      preconditionFailure("the cells registered for \"\(identifier)\" are not of type \(type)")
    }
    return cell
  }

  /// The row that a cell shows now; `nil` if it has none. - Complexity: O(1)
  public func indexPath(for cell: ListViewCell) -> IndexPath? {
    cells.row(of: cell).map { IndexPath(row: $0) }
  }

  /// The cell of a row, if it has one. - Complexity: O(1)
  public func cellForRow(at indexPath: IndexPath) -> ListViewCell? { cells[indexPath.row] }

  /// Rows with cells that show their content: those on the screen, near it or pinned, and those
  /// whose cells are retained. - Complexity: O(k log k)
  public var indexPathsForPreparedRows: [IndexPath] {
    cells.preparedRows.map { IndexPath(row: $0) }
  }

  /// Makes a row keep its cell off the screen, or no longer; for at most `maximumPinned` rows.
  /// - Returns: whether the request was fulfilled.
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

  /// Measures a cell again whose height may have changed without a report from it.
  public func noteHeightChanged(of cell: ListViewCell) { binder.cellNeedsLayout(cell) }

  // MARK: - Frames

  /// Updates cells and model for the next frame. Does nothing if nothing changed.
  /// - Parameter preparesSurroundings: false to leave rows that do not show, new estimates and the
  ///   check of reloaded rows to `prepareSurroundings(budget:)`, so that the frame does not wait
  ///   for them.
  /// - Complexity: O(visible and overscan rows), measuring those of them that need it
  public func layoutList(preparesSurroundings: Bool = true) {
    guard synchronize() else { return }
    prefetcher.noteFrame()
    binder.layOutRows(inSurroundings: preparesSurroundings)
    selection.mark()
    if !cells.changedRows.isEmpty { onNeedsDisplay?() }
    cells.show(visibleRows ?? 0..<0)
    if preparesSurroundings {
      model.commitEstimates()
      updater.checkReloadedRows()
    }
    scrollBar.thumb = model.thumb(track: frame.height)
  }

  /// Gives rows around the screen their cells, and draws them, so that they are ready when they
  /// come onto the screen. Call it after a frame for which `layoutList` left them out. No line on
  /// the screen moves.
  ///
  /// - Parameter budget: the most rows.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · rows · log n), and binding and drawing `budget` of them
  @discardableResult public func prepareSurroundings(budget: Int = 1) -> Bool {
    guard synchronize() else { return false }
    updater.checkReloadedRows()
    binder.retainDistantCells()
    defer { cells.trimDeparted() }
    return !isDraggingScrollBar && prefetcher.prepare(budget: budget)
  }

  /// Measures at most `budget` rows that do not show, for better estimates and pages that are ready
  /// sooner. Call it in idle time. No line on the screen moves.
  ///
  /// A row is measured by a cell, which returns to the pool at once, unless the delegate provides
  /// its height.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult public func measureIdleRows(budget: Int = 8) -> Bool {
    guard synchronize() else { return false }
    let hasMore = binder.measureIdleRows(budget: budget)
    commitEstimates()
    return hasMore
  }

  /// Adopts estimates from rows measured since the frame, and redraws the scroll bar if it moves:
  /// nothing else would.
  func commitEstimates() {
    model.commitEstimates()
    let thumb = model.thumb(track: frame.height)
    guard thumb != scrollBar.thumb else { return }
    scrollBar.thumb = thumb
    changed()
  }

  /// Updates the model to the list's size and rows. Returns false while the list has no size.
  ///
  /// - Parameter laysOut: whether reloaded rows are then laid out at the present position.
  @discardableResult func synchronize(laysOut: Bool = true) -> Bool {
    guard !frame.size.isEmpty else { return false }
    cells.resize(width: rowWidth, screenHeight: frame.height)
    model.resize(width: rowWidth, viewportHeight: frame.height, in: binder)
    updater.reloadIfNeeded(laysOut: laysOut)
    if !estimatesHeights { binder.measureAllRows() }
    return true
  }

  /// Calls `body` to scroll the model, if the list has a size; the next frame shows the result.
  ///
  /// - Parameter laysOut: whether reloaded rows are laid out before.
  func move(laysOut: Bool = true, _ body: (ListModel, CellBinder) -> Void) {
    guard synchronize(laysOut: laysOut) else { return }
    body(model, binder)
    changed()
  }

  /// Whether the last move by lines was towards the beginning: the reader is then likely to reach
  /// the rows above next.
  public var movesUp: Bool { prefetcher.movesUp }

  /// Scrolls by lines, down if positive. The selection stays; while it is off the screen the
  /// nearest visible row takes its place.
  /// - Returns: the lines moved, fewer only at the ends.
  @discardableResult public func scroll(byLines lines: Int) -> Int {
    guard synchronize() else { return 0 }
    let moved = model.scroll(byLines: lines, in: binder)
    if moved != 0 {
      prefetcher.noteMove(up: moved < 0)
      changed()
    }
    return moved
  }

  // MARK: - Drawing

  /// Overwrites every canvas cell of the list's frame.
  override public func draw(in canvas: inout Canvas, at origin: Point) {
    let margin = rowMargin
    for shown in model.visible {
      guard let cell = cells[shown.row] else { continue }
      cell.renderBackingIfNeeded(width: model.width, height: shown.height)
      let first = max(0, -shown.y)
      let end = min(shown.height, model.viewportHeight - shown.y)
      canvas.copy(
        cell.backing,
        from: Rect(x: 0, y: first, width: model.width, height: end - first),
        to: origin.offset(dx: margin, dy: shown.y + first))
    }
    fillMargins(in: &canvas, at: origin)
    let end = model.visible.last?.maxY ?? 0
    canvas.fill(
      Rect(x: origin.x, y: origin.y + end, width: frame.width, height: frame.height - end),
      with: CanvasCell())
    guard frame.width > 1 else { return }
    scrollBar.theme = theme
    scrollBar.frame = Rect(x: frame.width - 1, y: 0, width: 1, height: frame.height)
    scrollBar.draw(in: &canvas, at: origin.offset(dx: frame.width - 1, dy: 0))
  }

  private func fillMargins(in canvas: inout Canvas, at origin: Point) {
    let left = rowMargin
    let end = left + model.width
    func fill(_ columns: Range<Int>) {
      if columns.isEmpty { return }
      canvas.fill(
        Rect(
          x: origin.x + columns.lowerBound, y: origin.y, width: columns.count,
          height: frame.height),
        with: CanvasCell())
    }
    fill(0..<left)
    fill(end..<max(end, frame.width - 1))
  }

  // MARK: - Figures

  /// - Complexity: O(cells)
  public var statistics: Statistics {
    Statistics(
      visibleRows: model.visible.count, liveCells: cells.boundCount, idleCells: cells.idleCount,
      createdCells: cells.createdCount, reusedCells: cells.reusedCount,
      measuredRows: model.measurementCount, idleMeasuredRows: binder.idleMeasurementCount,
      totalHeight: model.tree.totalHeight, layoutPasses: binder.layoutPasses,
      thumb: scrollBar.thumb)
  }

  /// Rows whose height is known at the present width; all others are estimated. - Complexity: O(1)
  public var knownRows: Int { model.tree.measuredCount }

  /// Rows of a range whose height is known at the present width; rows beyond the list count as
  /// unknown. - Complexity: O(log n)
  package func knownRows(in rows: Range<Int>) -> Int {
    model.tree.measuredCount(ofRows: rows.clamped(to: 0..<model.count))
  }

  /// All cells: those with rows, in the order of their rows, then those in the pool.
  /// - Complexity: O(k log k)
  package var cellStatuses: [CellStatus] { cells.statuses }
}
