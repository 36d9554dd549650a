import Geometry
import Terminal
import VirtualList

/// A list of rows of any height and number, drawn by cells that are used again. Its rules:
///
/// 1. Rows, heights and the scroll state are the model's (`ListModel`); the list gives it cells to
///    measure with and draws what it says.
/// 2. A row that shows, or is within `overscan` lines of showing, or is pinned, has a cell; no
///    other row has one after a frame and its surroundings, and no cell has two rows. While rows are
///    passed, too, those with cells lie within a screen and its surroundings of one another.
/// 3. A cell is measured when it is bound and when it says that its layout changed. A row that is
///    bound anew with another height than remembered counts as resized.
/// 4. A frame is `layoutList()` and then drawing: at most two passes of binding and measuring; what
///    changes after the second asks for another frame. Cells of rows that do not show may be left to
///    `prepareSurroundings(budget:)`. Others wait for their rows without being theirs
///    (`ListView+WaitingCells`): some that it makes ready (`ListView+Prefetching`), and for a while
///    those of rows that have left (`ListView+Departures`).
/// 5. Scrolling only copies lines out of the cells' backings.
/// 6. The last column is the scroll bar's.
/// 7. Where a cell is (`indexPath(for:)`) is looked up when asked, never kept: rows move.
@MainActor public final class ListView: View {
  /// A row that changed its height on or near the screen, and the top edge after that.
  public struct RowResize: Hashable, Sendable {
    public var row: Int
    public var from: Int
    public var to: Int
    public var anchorRow: Int
    public var anchorLine: Int
  }

  /// "Ask the cell", for `ListViewDelegate.listView(_:heightForRowAt:)`.
  public static let automaticDimension: Int? = nil
  /// Rows that `setPinned` keeps cells for, at most.
  public static let maximumPinned = 8

  public weak var dataSource: (any ListViewDataSource)? { didSet { reloadData() } }
  public weak var delegate: (any ListViewDelegate)?
  /// Something changed that the next frame shows.
  public var onNeedsDisplay: (() -> Void)?
  /// Something changed that does not show, for `prepareSurroundings(budget:)` to take in.
  public var onNeedsPreparation: (() -> Void)?
  /// A row's height changed after it was first known.
  public var onResize: ((RowResize) -> Void)?
  /// Updates did not fit the data source's rows; the list has loaded them anew.
  public var onUpdateError: ((ListUpdateError) -> Void)?

  public var theme: Theme = .standard { didSet { scrollBar.theme = theme } }
  /// Lines beyond either edge for which cells are kept ready; nil, the default, for half a screen.
  /// More than half a screen counts as half.
  public var overscan: Int?

  /// Lines a row is taken for while nothing is known. `4` by default; 0 turns estimates off: see
  /// `measureAllRows()`.
  public var estimatedRowHeight: Int {
    get { estimatesHeights ? model.estimatedRowHeight : 0 }
    set {
      estimatesHeights = newValue > 0
      model.estimatedRowHeight = newValue
    }
  }

  let model = ListModel(width: 1, viewportHeight: 0)
  let scrollBar = ScrollBar(name: "scroll bar")
  let pool = ReusePool<ListViewCell>()
  /// False while `estimatedRowHeight` is 0.
  var estimatesHeights = true
  /// Cells with a row, by row.
  var live: [Int: LiveCell] = [:]
  var rows: [ObjectIdentifier: Int] = [:]
  var changedCells: [ObjectIdentifier: ListViewCell] = [:]
  /// Cells that wait for their rows to be asked for, for the first time or again.
  var waitingCells: [Int: LiveCell] = [:]
  /// How often a row left the screen.
  var hiddenCount = 0
  /// The last frame may have left cells to rows that are beyond `overscan` now.
  var hasCellsBeyond = false
  /// Rows made ready since the last `layoutList()`.
  var preparedSinceFrame: Set<Int> = []
  /// How often since then a cell out of sight was brought up to date.
  var refreshesSinceFrame = 0
  /// The last move was towards the beginning.
  var movesUp = false
  var pinned: Set<Int> = []
  var selection: (row: Int, id: RowID)?
  var needsReload = true
  /// Updates gathered between `beginUpdates` and `endUpdates`.
  var gathered: (depth: Int, updates: BatchUpdates, reconfigured: [Int])?
  /// The cell that `dequeueReusableCell` hands out again while its row is reconfigured.
  var reconfiguring: ListViewCell?
  /// Rows that are measured now give their cells back at once.
  var measuresAside = false
  var idleMeasurementCount = 0
  var layoutPasses = 0

  public override init(name: String = "") { super.init(name: name) }

  isolated deinit {
    for entry in Array(live.values) + waitingCells.values { entry.cell.owner = nil }
  }

  override public var frame: Rect { didSet { if frame != oldValue { changed() } } }

  // MARK: - Cells

  /// How cells of an identifier are made.
  public func register(
    _ make: @escaping () -> ListViewCell, forCellReuseIdentifier identifier: String
  ) {
    pool.register(identifier, make: make)
  }

  /// A cell to configure for a row: an idle one, else a new one.
  /// - Precondition: `identifier` is registered.
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> ListViewCell {
    if let cell = reconfiguring, cell.reuseIdentifier == identifier { return cell }
    guard let (cell, _) = pool.take(identifier) else {
      preconditionFailure("no cell is registered for \"\(identifier)\"")
    }
    cell.reuseIdentifier = identifier
    cell.beginBinding()
    return cell
  }

  /// The row a cell shows now; nil for a cell that has none. - Complexity: O(1)
  public func indexPath(for cell: ListViewCell) -> IndexPath? {
    rows[ObjectIdentifier(cell)].map { IndexPath(row: $0) }
  }

  /// The cell of a row that has one. - Complexity: O(1)
  public func cellForRow(at indexPath: IndexPath) -> ListViewCell? { live[indexPath.row]?.cell }

  /// Keeps a row's cell while it is off screen, or no longer does; at most `maximumPinned` rows.
  /// - Returns: whether the row is as asked.
  @discardableResult public func setPinned(_ isPinned: Bool, forRowAt indexPath: IndexPath) -> Bool
  {
    guard isPinned else {
      pinned.remove(indexPath.row)
      return true
    }
    guard (0..<numberOfRows).contains(indexPath.row),
      pinned.contains(indexPath.row) || pinned.count < Self.maximumPinned
    else { return false }
    pinned.insert(indexPath.row)
    return true
  }

  // MARK: - What shows

  public var numberOfRows: Int { needsReload ? sourceCount : model.count }

  /// Rows with lines on the screen; nil where there are none.
  public var visibleRows: Range<Int>? {
    guard let first = model.visible.first, let last = model.visible.last else { return nil }
    return first.row..<last.row + 1
  }

  /// The line at the top edge; nil where there are no rows.
  public var topPosition: (row: Int, line: Int)? {
    model.displayed.map { ($0.row, $0.line) }
  }

  /// The row at a point in the superview's cells; nil where there is none.
  public func indexPathForRow(at point: Point) -> IndexPath? {
    guard frame.contains(point) else { return nil }
    let y = point.y - frame.minY
    return model.visible.first { $0.y <= y && y < $0.maxY }.map { IndexPath(row: $0.row) }
  }

  /// Where the terminal's cursor belongs, in the superview's cells: the selected row's first line
  /// that shows. Nil while none does.
  public var cursorPosition: Point? {
    guard let selection, let shown = model.visible.first(where: { $0.row == selection.row })
    else { return nil }
    return Point(x: frame.minX, y: frame.minY + max(0, shown.y))
  }

  /// True after `scrollToEnd()` until the user moves up: the last line stays at the bottom edge.
  public var isFollowing: Bool { model.isFollowing }
  public var isAtTop: Bool { model.isAtTop }
  public var isAtEnd: Bool { model.isAtEnd }
  /// Rows inserted at the beginning that the user has not come to yet.
  public var newRowsAbove: Int { model.newRowsAbove }

  // MARK: - Drawing

  /// Draws over all cells of the frame.
  override public func draw(in canvas: inout Canvas, at origin: Point) {
    for shown in model.visible {
      guard let entry = live[shown.row] else { continue }
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

  /// Something changed that the next frame shows.
  func changed() {
    setNeedsDisplay()
    onNeedsDisplay?()
  }

  var sourceCount: Int { max(0, dataSource?.numberOfRows(in: self) ?? 0) }
}
