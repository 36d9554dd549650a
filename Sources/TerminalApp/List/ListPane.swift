import Geometry
import Terminal
import TerminalViews
import VirtualList

/// A list that is moved through by keys, wheel and pointer, with a mark that counts new rows above.
///
/// For rows that are held in an array use ``List``.
@MainActor public final class ListPane: View, Responder, FrameWorking {
  /// Where a reader wants to go.
  public enum Destination: Hashable, Sendable {
    /// The end, and following it from then on.
    case end
    /// Counted from 0; it may be a row that the list does not have.
    case row(Int)
  }

  /// The list itself, for its data source and all that keys do not ask for.
  public let listView: ListView
  /// Enter, with the number of the row the reader is at.
  public var onActivate: ((Int) -> Void)?
  /// The reader has selected another row, with its number.
  public var onSelect: ((Int) -> Void)?
  /// The reader moves.
  public var onMove: (() -> Void)?
  /// How often the reader has moved: whoever moves the list later sees whether the reader did
  /// meanwhile.
  public private(set) var moveCount = 0
  /// Called before the reader is brought somewhere: true where that is for somebody else to do.
  public var takesOver: ((Destination) -> Bool)?
  /// Whether rows may be measured while nothing happens; not while their number is a guess.
  public var measuresIdleRows: () -> Bool = { true }

  private var untilLaidOut: [(ListPane) -> Void] = []
  private let pill = NewRowsPill(name: "new rows")
  public private(set) lazy var commands: CommandTable = makeCommands()
  var motion: Motion?
  /// When a move was last finished before its time.
  var lastCut = ContinuousClock.now - .seconds(1)
  var slowFrameCount = 0
  private var passing = PassingRows()

  /// A pane whose list has no rows yet.
  override public init(name: String = "list") {
    listView = ListView(name: name)
    super.init(name: name + " pane")
    addSubview(listView)
    addSubview(pill)
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

  // MARK: What the last line says

  /// The keys that matter most, as the user has bound them; rows are called `rowName`.
  public func keyHint(rowName: String) -> String {
    application?.keyHint([
      ([("next", "j"), ("previous", "k")], rowName + "s"),
      ([("page-down", "space"), ("page-up", "b")], "pages"),
      ([("top", "g"), ("end", "G")], "ends"),
    ]) ?? ""
  }

  /// The keys that stand at the end of a hint and are there as long as there is room for any: for
  /// help, and to leave.
  ///
  /// - Parameter isBack: whether leaving is going back to another screen.
  public func lastingHint(isBack: Bool = false) -> String {
    application?.keyHint([
      ([("help", "?")], "help"),
      ([("back", "q")], isBack ? "back" : "quit"),
    ]) ?? ""
  }

  // MARK: Where the reader is

  /// Rows there are.
  public var rowCount: Int { listView.numberOfRows }

  /// The row that keys are about and that the status line counts: the selected one, which is
  /// marked. 0 where there are no rows.
  public var currentRow: Int { listView.indexPathForSelectedRow?.row ?? 0 }

  /// Goes to the end or to a row, the nearest where there is none of that number, and selects it:
  /// at once, or when the list has its size.
  public func go(to destination: Destination) {
    onceLaidOut { $0.move(to: destination) }
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
    }
  }

  /// Brings the reader to where they were in another run, as
  /// `ListView.restore(_:words:ofRow:newRows:)` does: at once, or when the list has its size.
  ///
  /// - Parameters:
  ///   - selectedRow: selected if there is such a row; nil for none.
  ///   - bringsIntoView: whether the list then scrolls as far as that row needs to show.
  public func restore(
    _ place: Place, words: String, ofRow row: Int, newRows: Int = 0,
    selecting selectedRow: Int? = nil, bringsIntoView: Bool = false
  ) {
    onceLaidOut { pane in
      pane.noteMove()
      pane.listView.restore(place, words: words, ofRow: row, newRows: newRows)
      if let selectedRow { pane.select(row: selectedRow) }
      if bringsIntoView { pane.bringSelectionIntoView() }
    }
    application?.setNeedsFrame()
  }

  /// Scrolls as far as the row needs that was selected last, if it is off the screen: rows that
  /// came between it and the top edge have pushed it away.
  package func bringSelectionIntoView() {
    guard let row = listView.lastSelectedRow, listView.indexPathForSelectedRow?.row != row else {
      return
    }
    listView.scrollToRow(at: IndexPath(row: row), at: .nearest)
  }

  /// Does something that the list cannot do before it has a size.
  func onceLaidOut(_ action: @escaping (ListPane) -> Void) {
    guard listView.frame.size.isEmpty else { return action(self) }
    untilLaidOut.append(action)
  }

  /// To be called when something else than this pane's keys moves the rows as the reader wants it.
  public func noteMove() {
    moveCount &+= 1
    application?.display.willShowMove(goesOn: motion != nil)
    onMove?()
  }

  /// Does what the reader asks for, and tells where another row is selected then.
  func moving<Result>(_ action: () -> Result) -> Result {
    noteMove()
    return tellingSelection(action)
  }

  /// Tells where another row is selected after `action`.
  func tellingSelection<Result>(_ action: () -> Result) -> Result {
    let before = listView.indexPathForSelectedRow
    let result = action()
    if let onSelect, let now = listView.indexPathForSelectedRow, now != before {
      onSelect(now.row)
    }
    return result
  }

  /// Selects a row, where there is one of that number, without scrolling.
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

  // MARK: Frames

  public func inputArrived() { finishMotion() }

  public func prepareFrame() {
    if !untilLaidOut.isEmpty, !listView.frame.size.isEmpty {
      let actions = untilLaidOut
      untilLaidOut = []
      for action in actions { action(self) }
    }
    listView.layoutList(preparesSurroundings: false)
    pill.count = listView.newRowsAbove
    if pill.count > 0 {
      pill.key = application?.keys.bindings.labels([("show-new", ".")]).first ?? ""
    }
    pill.arrange(in: listView.frame)
  }

  public func framePresented(in time: Duration) {
    notePresented(in: time)
    let now = ContinuousClock.now
    passing.note(listView.visibleRows ?? 0..<0, at: now)
    application?.holdRequests(until: passing.end(at: now))
  }

  public func prepareAhead() -> Bool { listView.prepareSurroundings() }

  /// Measures a row that does not show, so that the scroll bar and the next page are right before
  /// they are needed.
  public func workIdle() -> Bool {
    guard measuresIdleRows(), motion == nil else { return false }
    return listView.measureIdleRows(budget: 1)
  }
}
