import Geometry
import Terminal
import TerminalViews
import VirtualList

/// A list that scrolls by keys, wheel and pointer, with a pill that counts new rows above the
/// screen.
///
/// For rows that are held in an array use ``List``.
@MainActor public final class ListPane: View, Responder {
  /// A target of navigation.
  public enum Destination: Hashable, Sendable {
    /// The end, which the list then follows.
    case end
    /// A row, counted from 0, which may lie beyond the list.
    case row(Int)
    /// The next row that is new to the reader; a pane alone knows none.
    case nextNew
  }

  /// The list view, for its data source and for operations without a key.
  public let listView: ListView
  /// Called on Enter with the current row.
  public var onActivate: ((Int) -> Void)?
  /// Called with the row when the reader has selected another one.
  public var onSelect: ((Int) -> Void)?
  private let moves = ReaderMoves()
  /// Called before navigation to a destination; returns `true` if the callee performs it instead.
  public var interceptsNavigation: ((Destination) -> Bool)?
  /// Whether rows may be measured in idle time; `false` while their number is an estimate.
  public var measuresIdleRows: () -> Bool = { true }
  /// The number of new rows above the topmost row of the screen that the reader has not reached,
  /// for rows that know whether they are new. `nil` stands for those that were inserted at the top.
  package var countNewRows: (_ topRow: Int) -> Int? = { _ in nil }

  private var pendingActions: [(ListPane) -> Void] = []
  private let pill = NewRowsPill(name: "new rows")
  public private(set) lazy var commands: CommandTable = makeCommands()
  private lazy var motion = ScrollMotion { [weak self] lines in
    guard let self else { return 0 }
    let moved = moving { listView.scroll(byLines: lines) }
    application?.setNeedsFrame()
    return moved
  }
  private var passing = ScrollSpeedMonitor()

  /// A pane whose list has no rows yet.
  override public init(name: String = "list") {
    listView = ListView(name: name)
    super.init(name: name + " pane")
    addSubview(listView)
    listView.onNeedsDisplay = { [weak self] in self?.application?.setNeedsFrameSoon() }
    listView.onNeedsPreparation = { [weak self] in self?.application?.prepareAhead() }
    pill.onPress = { [weak self] in self?.showNewRows() }
  }

  override public var frame: Rect {
    didSet {
      guard frame.size != oldValue.size else { return }
      listView.frame = Rect(origin: .zero, size: frame.size)
    }
  }

  // MARK: Hints

  /// The most important keys as the user has bound them; `rowName` is the name of a row.
  public func keyHint(rowName: String) -> String {
    application?.keyHint([
      ([("next", "j"), ("previous", "k")], rowName + "s"),
      ([("page-down", "space"), ("page-up", "b")], "pages"),
      ([("top", "g"), ("end", "G")], "ends"),
    ]) ?? ""
  }

  /// The keys for help and for leaving, which stand at the end of a hint and are dropped last if
  /// there is little room.
  ///
  /// - Parameter isBack: whether leaving returns to another screen.
  public func persistentHint(isBack: Bool = false) -> String {
    application?.keyHint([
      ([("help", "?")], "help"),
      ([("back", "q")], isBack ? "back" : "quit"),
    ]) ?? ""
  }

  // MARK: Moves

  /// Called when the reader moves.
  public var onMove: (() -> Void)? {
    get { moves.onMove }
    set { moves.onMove = newValue }
  }

  /// Counts the reader's moves: code that moves the list later can detect a move in between.
  public var moveCount: Int { moves.count }

  /// Called with the rows that `next` has left, one after the other: their ends were shown.
  package var onStepDown: ((Range<Int>) -> Void)? {
    get { moves.onStepDown }
    set { moves.onStepDown = newValue }
  }

  /// Call this before the reader jumps: `jump-back` returns to the present place, or to `place`.
  package func noteJump(from place: ReaderPlace? = nil) {
    moves.noteJump(from: place ?? ReaderPlace(of: self))
  }

  /// Returns to the place before the last jump, or before the one before that if the reader is
  /// there.
  ///
  /// - Returns: `false` if there is no such place.
  func jumpBack() -> Bool {
    guard let place = moves.takePlace(otherThan: ReaderPlace(of: self)) else { return false }
    moving { place.restore(in: self) }
    return true
  }

  /// Selects a row, and brings it to the top edge unless all of it shows. `jump-back` returns.
  package func jump(to row: Int) {
    noteJump()
    moving {
      select(row: row)
      let shown = listView.visibleFrames.first { $0.row == row }
      let lines = 0..<listView.frame.height
      let isWhole = shown.map { lines.contains($0.y) && $0.y + $0.height <= lines.upperBound }
      guard isWhole != true else { return }
      listView.scrollToRow(at: IndexPath(row: row), at: .top)
    }
    application?.setNeedsFrame()
  }

  // MARK: The reader's place

  /// The number of rows.
  public var rowCount: Int { listView.numberOfRows }

  /// The selected row, which keys act on and the status line counts; 0 without rows.
  public var currentRow: Int { listView.indexPathForSelectedRow?.row ?? 0 }

  /// Scrolls to the end or to the nearest existing row and selects it: at once, or as soon as the
  /// list has a size.
  public func go(to destination: Destination) {
    whenLaidOut { $0.move(to: destination) }
    application?.setNeedsFrame()
  }

  private func move(to destination: Destination) {
    switch destination {
    case .end:
      select(row: rowCount - 1)
      listView.scrollToEnd()
    case .row(let row):
      guard rowCount > 0 else { return }
      let row = max(0, min(row, rowCount - 1))
      select(row: row)
      listView.scrollToRow(at: IndexPath(row: row), at: .top)
    case .nextNew: break
    }
  }

  /// Restores the reader's place from another run, as `ListView.restore(_:words:ofRow:newRows:)`
  /// does: at once, or as soon as the list has a size.
  ///
  /// - Parameters:
  ///   - selectedRow: the row to select, if it exists.
  ///   - bringsIntoView: whether the list then scrolls just far enough to show that row.
  public func restore(
    _ place: Place, words: String, ofRow row: Int, newRows: Int = 0,
    selecting selectedRow: Int? = nil, bringsIntoView: Bool = false
  ) {
    whenLaidOut { pane in
      pane.noteMove()
      pane.listView.restore(place, words: words, ofRow: row, newRows: newRows)
      if let selectedRow { pane.select(row: selectedRow) }
      if bringsIntoView { pane.bringSelectionIntoView() }
    }
    application?.setNeedsFrame()
  }

  /// Scrolls just far enough to show the last selected row.
  package func bringSelectionIntoView() {
    guard let row = listView.lastSelectedRow, !listView.isSelectionVisible else { return }
    listView.scrollToRow(at: IndexPath(row: row), at: .nearest)
  }

  /// Performs an action once the list has a size: now, or before the first frame after that.
  func whenLaidOut(_ action: @escaping (ListPane) -> Void) {
    guard listView.frame.size.isEmpty else { return action(self) }
    pendingActions.append(action)
  }

  /// Call this when the reader moves the rows by other means than this pane's keys.
  public func noteMove() {
    application?.display.willShowMove(goesOn: motion.isUnderWay)
    moves.note()
  }

  /// Performs a move of the reader, and reports a change of the selected row.
  func moving<Result>(_ action: () -> Result) -> Result {
    noteMove()
    return reportingSelection(action)
  }

  /// Performs `action`, and reports a change of the selected row.
  func reportingSelection<Result>(_ action: () -> Result) -> Result {
    let before = listView.indexPathForSelectedRow
    let result = action()
    if let onSelect, let now = listView.indexPathForSelectedRow, now != before {
      onSelect(now.row)
    }
    return result
  }

  /// Scrolls by lines, in a few frames if `isAnimated` and the terminal is fast enough.
  func scroll(byLines lines: Int, isAnimated: Bool) {
    guard isAnimated, application?.showsMotion == true, motion.begin(lines: lines) else {
      listView.scroll(byLines: lines)
      return
    }
  }

  /// Selects a row, if it exists, without scrolling.
  public func select(row: Int) {
    guard (0..<rowCount).contains(row) else { return }
    listView.selectRow(at: IndexPath(row: row))
  }

  // MARK: Responder

  public var canBeFocused: Bool { true }

  public var cursor: Cursor? { listView.cursorPosition.map { Cursor(at: $0) } }

  public func mouse(_ event: MouseEvent) -> Bool {
    switch event.kind {
    case .press(.left), .drag(.left), .release(.left), .release(.other): break
    default: return false
    }
    moving { carryOut(event) }
    return true
  }

  private func carryOut(_ event: MouseEvent) {
    let point = event.position
    switch event.kind {
    case .drag: if listView.isDraggingScrollBar { listView.dragScrollBar(to: point.y) }
    case .release: if listView.isDraggingScrollBar { listView.endDraggingScrollBar() }
    default:
      if point.x == listView.frame.width - 1 {
        listView.beginDraggingScrollBar(at: point.y)
      } else {
        listView.selectRow(under: point)
      }
    }
  }

  /// The number of new rows above the screen that the reader has not reached.
  package var newRowsAbove: Int {
    countNewRows(listView.visibleRows?.lowerBound ?? 0) ?? listView.newRowsAbove
  }

  // MARK: Frames

  public func inputArrived() {
    let rest = motion.interrupt()
    if rest != 0 { reportingSelection { _ = listView.scroll(byLines: rest) } }
  }

  public func prepareFrame() {
    if !pendingActions.isEmpty, !listView.frame.size.isEmpty {
      let actions = pendingActions
      pendingActions = []
      for action in actions { action(self) }
    }
    listView.layoutList(preparesSurroundings: false)
    pill.count = newRowsAbove
    if pill.count > 0 {
      if pill.superview == nil { addSubview(pill) }
      pill.key = application?.dispatcher.bindings.labels([("show-new", ".")]).first ?? ""
    }
    pill.arrange(in: listView.frame)
  }

  public func framePresented(in time: Duration) {
    motion.notePresented(in: time)
    let now = ContinuousClock.now
    passing.note(listView.visibleRows ?? 0..<0, at: now)
    application?.frames.holdRequests(until: passing.end(at: now))
  }

  public func prepareAhead() -> Bool { listView.prepareSurroundings() }

  /// Measures a row off the screen, so that the scroll bar and the next page are right before they
  /// are needed.
  public func workIdle() -> Bool {
    guard measuresIdleRows(), !motion.isUnderWay else { return false }
    return listView.measureIdleRows(budget: 1)
  }
}
