import Geometry
import Terminal
import VirtualList

/// A list of rows of any height and number, drawn by cells that are used again. Its rules:
///
/// 1. Rows, heights and the scroll state are the model's (`ListModel`), cells the store's
///    (`CellStore`); a binder has the one measured by the other (`CellBinder`), and the list draws
///    what the model says.
/// 2. A frame is `layoutList()` and then drawing: at most two passes of binding and measuring; what
///    changes after the second asks for another frame. Cells of rows that do not show may be left
///    to `prepareSurroundings(budget:)`.
/// 3. Scrolling only copies lines out of the cells' backings.
/// 4. The last column is the scroll bar's.
/// 5. Where a cell is (`indexPath(for:)`) is looked up when asked, never kept: rows move.
/// 6. A single row is named by an `IndexPath`, as in UIKit; rows one after another are a range.
@MainActor public final class ListView: View {
  /// "Ask the cell", for `ListViewDelegate.listView(_:heightForRowAt:)`.
  public static let automaticDimension: Int? = nil
  /// Rows that `setPinned` keeps cells for, at most.
  public static let maximumPinned = 8

  /// Has the rows; another one has them reloaded.
  public weak var dataSource: (any ListViewDataSource)? { didSet { reloadData() } }
  /// Hears of cells and of the user's selecting.
  public weak var delegate: (any ListViewDelegate)?
  /// Something changed that the next frame shows.
  public var onNeedsDisplay: (() -> Void)?
  /// Something changed that does not show, for `prepareSurroundings(budget:)` to take in.
  public var onNeedsPreparation: (() -> Void)?
  /// A row's height changed after it was first known.
  public var onResize: ((RowResize) -> Void)?
  /// Updates did not fit the data source's rows; the list has reloaded them.
  public var onUpdateError: ((ListUpdateError) -> Void)?

  /// Lines beyond either edge for which cells are kept ready; nil, the default, for half a screen.
  /// More than half a screen counts as half.
  public var overscan: Int?

  /// Lines a row is taken for while nothing is known. `4` by default.
  ///
  /// 0 turns estimates off, for lists of few rows: all rows are measured before a frame that
  /// follows a reload, an update or a change of width, and the scroll bar is exact. A row is
  /// measured by the delegate where it tells heights, with one cell of its own for all rows if it
  /// likes; else by the row's cell.
  public var estimatedRowHeight: Int {
    get { estimatesHeights ? model.estimatedRowHeight : 0 }
    set {
      estimatesHeights = newValue > 0
      model.estimatedRowHeight = newValue
    }
  }

  private let model: ListModel
  private let cells: CellStore
  private lazy var binder = CellBinder(list: self, model: model, cells: cells)
  private lazy var prefetcher = Prefetcher(
    list: self, model: model, cells: cells, binder: binder)
  private(set) lazy var updater = ListUpdater(
    list: self, model: model, cells: cells, binder: binder)
  private let scrollBar = ScrollBar(name: "scroll bar")
  /// The row that was selected last.
  private(set) var selection: (row: Int, id: RowID)?
  /// The row whose cell has the mark, since the last frame.
  private var marked: (row: Int, id: RowID)?
  private weak var markedCell: ListViewCell?
  private(set) var needsReload = true
  private var layoutPasses = 0
  private var estimatesHeights = true

  /// A list without rows; it shows those of its `dataSource`.
  public override convenience init(name: String = "") {
    self.init(name: name, model: ListModel(width: 1, viewportHeight: 0), cells: CellStore())
  }

  /// - Parameters:
  ///   - model: without rows; the list's alone to change.
  ///   - cells: as `model`.
  init(name: String, model: ListModel, cells: CellStore) {
    self.model = model
    self.cells = cells
    super.init(name: name)
    cells.owner = binder
  }

  isolated deinit { cells.owner = nil }

  override public var frame: Rect { didSet { if frame != oldValue { changed() } } }

  override public func themeDidChange() {
    super.themeDidChange()
    cells.setNeedsDisplay()
    changed()
  }

  /// Blank lines that every row ends in, to part it from the next. 0 by default.
  package var rowSpacing = 0

  /// Columns that rows have at most; a wider list has them in its middle. Nil, the default, for no
  /// bound.
  public var maximumRowWidth: Int? { didSet { if maximumRowWidth != oldValue { changed() } } }

  /// The columns that rows have: all but the scroll bar's, as far as they may.
  public var rowWidth: Int { max(1, min(frame.width - 1, maximumRowWidth ?? .max)) }

  /// Blank columns left of the rows.
  public var rowMargin: Int { max(0, (frame.width - 1 - rowWidth) / 2) }

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

  /// Reloads the rows before the next frame. The reader's place is found again by its row's
  /// identity.
  public func reloadData() {
    needsReload = true
    changed()
  }

  func setSelection(_ row: Int?) {
    guard row != nil || selection != nil else { return }
    selection = row.map { ($0, binder.rowID(at: $0)) }
    marked = nil
    changed()
  }

  /// The selected row with the identity it had before the data source changed, which is not known
  /// of a row that has come onto the screen since the last frame: then the one that was selected
  /// last.
  var selectionBeforeReload: (row: Int, id: RowID)? {
    if let marked, marked.row == selectedFrame?.row { marked } else { selection }
  }

  /// Has the selected row's cell, and no other, bear the mark.
  private func markSelectedRow() {
    let row = selectedFrame?.row
    let cell = row.flatMap { cells[$0] }
    if cell !== markedCell { markedCell?.isSelected = false }
    cell?.isSelected = true
    markedCell = cell
    marked = row.map { ($0, binder.rowID(at: $0)) }
  }

  // MARK: - What shows

  /// Rows as of the last frame; before a reload, those of the data source.
  public var numberOfRows: Int { needsReload ? sourceCount : model.count }

  /// Rows with lines on the screen; nil where there are none.
  public var visibleRows: Range<Int>? {
    guard let first = model.visible.first, let last = model.visible.last else { return nil }
    return first.row..<last.row + 1
  }

  /// Rows with lines on the screen, with where they are: what the last frame drew.
  public var visibleFrames: [ListModel.VisibleRow] { model.visible }

  /// The line at the top edge; nil where there are no rows.
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
  /// Rows inserted at the beginning that the user has not come to yet.
  public var newRowsAbove: Int { model.newRowsAbove }
  /// Rows that came at the beginning count as seen: they are no news.
  public func forgetNewRows() { model.forgetNewRows() }
  /// Whether the pointer holds the scroll bar: updates would take it away.
  public var isDraggingScrollBar: Bool { model.isDragging }

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
    guard let cell = binder.dequeue(identifier) else {
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
  public func cellForRow(at indexPath: IndexPath) -> ListViewCell? { cells[indexPath.row] }

  /// Rows with cells that show their content: those on the screen, near it or pinned, and those
  /// whose cells are retained. - Complexity: O(k log k)
  public var indexPathsForPreparedRows: [IndexPath] {
    cells.preparedRows.map { IndexPath(row: $0) }
  }

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
  public func noteHeightChanged(of cell: ListViewCell) { binder.cellNeedsLayout(cell) }

  // MARK: - Frames

  /// Brings cells and model together for the next frame. Does nothing where nothing changed.
  /// - Parameter preparesSurroundings: false to leave rows that do not show, and what is to be
  ///   learned from those that do, to `prepareSurroundings(budget:)`, so that the frame waits for
  ///   neither.
  /// - Complexity: O(visible and overscan rows), measuring those of them that need it
  public func layoutList(preparesSurroundings: Bool = true) {
    guard synchronize() else { return }
    layoutPasses = 0
    prefetcher.noteFrame()
    binder.reconfigureStaleCells()
    repeat {
      layoutPasses += 1
      binder.bindCells(inSurroundings: preparesSurroundings)
    } while binder.applyHeights(binder.measureChangedCells()) && layoutPasses < 2
    // What the second pass changed may have brought other rows onto the screen.
    if layoutPasses == 2 { binder.bindCells(inSurroundings: preparesSurroundings) }
    markSelectedRow()
    if !cells.changedRows.isEmpty { onNeedsDisplay?() }
    cells.show(visibleRows ?? 0..<0)
    if preparesSurroundings {
      model.commitEstimates()
      updater.checkReloadedRows()
    }
    scrollBar.thumb = model.thumb(track: frame.height)
  }

  /// Gives rows around the screen their cells, and draws them, so that they are ready when they
  /// come onto the screen: to be called after a frame that `layoutList` was told to leave them out
  /// of. No line on the screen moves.
  ///
  /// - Parameter budget: rows at most.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(rows · log n), and binding and drawing `budget` of them
  @discardableResult public func prepareSurroundings(budget: Int = 1) -> Bool {
    guard synchronize() else { return false }
    updater.checkReloadedRows()
    binder.retainCellsBeyond()
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
    let hasMore = binder.measureIdleRows(budget: budget)
    commitEstimates()
    return hasMore
  }

  /// Shows what was learned of rows since the frame: nothing else would redraw the bar.
  func commitEstimates() {
    model.commitEstimates()
    let thumb = model.thumb(track: frame.height)
    guard thumb != scrollBar.thumb else { return }
    scrollBar.thumb = thumb
    changed()
  }

  /// The model has the list's size and rows. False while the list has no size.
  ///
  /// - Parameter laysOut: whether rows that were reloaded are laid out where they stand then.
  @discardableResult func synchronize(laysOut: Bool = true) -> Bool {
    guard !frame.size.isEmpty else { return false }
    cells.resize(width: rowWidth, screenHeight: frame.height)
    model.resize(width: rowWidth, viewportHeight: frame.height, in: binder)
    if needsReload {
      needsReload = false
      updater.reload(laysOut: laysOut)
    }
    if !estimatesHeights { binder.measureAllRows() }
    return true
  }

  /// Has the model go elsewhere, where the list has a size; the next frame shows it.
  ///
  /// - Parameter laysOut: whether rows that were reloaded are laid out before.
  func move(laysOut: Bool = true, _ body: (ListModel, CellBinder) -> Void) {
    guard synchronize(laysOut: laysOut) else { return }
    body(model, binder)
    changed()
  }

  /// Whether the last move by lines was towards the beginning: rows above are what the reader comes
  /// to next.
  public var movesUp: Bool { prefetcher.movesUp }

  /// Scrolls by lines, down if positive. The selection stays; while it is off the screen the nearest
  /// visible row takes its place.
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

  /// Draws over all cells of the frame.
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
      totalHeight: model.tree.totalHeight, layoutPasses: layoutPasses, thumb: scrollBar.thumb)
  }

  /// Rows whose height is known at the present width; all others are guessed. - Complexity: O(1)
  public var knownRows: Int { model.tree.measuredCount }
}
