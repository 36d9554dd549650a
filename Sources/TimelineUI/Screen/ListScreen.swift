import Dispatch
import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A list with its status lines on the whole screen, driven by keys.
///
///     events, arrivals ──▶ model ──▶ at most one frame per turn of the main queue
///                                      layout ▸ draw into one canvas ▸ one `present`
///
/// Frames are drawn only when something has changed: a screen nobody touches wakes nobody.
@MainActor public final class ListScreen {
  public let listView: ListView
  let screen: Screen
  let content: any ListContent
  let statusBar = StatusBar(name: "status")
  let pill = NewRowsPill(name: "new rows")
  let helpView = HelpView(name: "help")
  let inspector: Inspector
  let trace: TraceWriter?
  var keyMap = KeyMap()
  var queue = EventQueue()
  /// What is left in the queue goes on in a later turn.
  var isWorkScheduled = false
  var isHelpOpen = false
  var isFrameScheduled = false
  var isPreparing = false
  var pace = FramePace()
  /// Drawn into by every frame, after the screen has taken the one before.
  var canvas = Canvas(size: .zero)
  private var isDraggingBar = false
  lazy var idleWork = IdleWork(after: Self.idleDelay) { [weak self] in
    self?.measureIdleRows() ?? false
  }
  /// Whether pages are shown in a few frames. True by default; only where the terminal shows a frame at
  /// once and takes it quickly.
  public var animatesScrolling = true
  var motion: Motion?
  /// When a move was last finished before its time.
  var lastCut = ContinuousClock.now - .seconds(1)
  var slowFrameCount = 0
  private var exit: CheckedContinuation<Int32, Never>?
  private(set) var exitStatus: Int32?
  var message = ""
  /// The source's name as it is, and as it is shown.
  var title = (raw: "", line: "")
  /// The keys that matter everywhere.
  lazy var keyHint =
    "j k \(content.rowName)s   Space b pages   g G ends   5j 12G 50% counts   ? help   q quit"

  /// Rows and columns below which there is no room to show anything.
  static let minimumSize = Size(width: 8, height: 2)
  /// Quiet time after which rows are measured that do not show, and how long a slice of that may take.
  static let idleDelay = Duration.milliseconds(400)
  static let idleSlice = Duration.microseconds(1_500)

  public init(
    screen: Screen, content: any ListContent, theme: Theme = .standard, trace: TraceWriter? = nil
  ) {
    self.screen = screen
    self.content = content
    self.trace = trace
    inspector = Inspector(theme: theme)
    listView = ListView(name: "list")
    listView.theme = theme
    statusBar.theme = theme
    pill.theme = theme
    helpView.theme = theme
  }

  /// Shows the list until the reader leaves it.
  ///
  /// - Returns: the exit status: 0, 130 after Ctrl-C, 128 + n after signal n, or what ``end(_:)`` says.
  public func run() async -> Int32 {
    listView.dataSource = content
    listView.delegate = self
    listView.onNeedsDisplay = { [weak self] in self?.setNeedsFrameSoon() }
    listView.onNeedsPreparation = { [weak self] in self?.prepareSurroundings() }
    listView.onResize = { [weak self] resize in self?.traceResize(resize) }
    layout()
    content.attach(to: self)
    screen.start { [weak self] events in self?.handle(events) }
    setNeedsFrame()
    return await withCheckedContinuation { continuation in
      if let exitStatus { return continuation.resume(returning: exitStatus) }
      exit = continuation
    }
  }

  /// Leaves the screen with this exit status.
  public func end(_ status: Int32) {
    guard exitStatus == nil else { return }
    exitStatus = status
    exit?.resume(returning: status)
    exit = nil
  }

  // MARK: Commands

  func perform(_ command: Command, animated: Bool = false) {
    if isHelpOpen, performInHelp(command) { return }
    if command.isMove { noteMove() }
    switch command {
    case .selectNext(let count): listView.selectNext(count)
    case .selectPrevious(let count): listView.selectPrevious(count)
    case .scrollLines(let lines): listView.scroll(byLines: lines)
    case .halfPages(let count):
      scroll(byLines: count * listView.halfPageLines, animated: animated && abs(count) == 1)
    case .pages(let count):
      scroll(byLines: count * listView.pageLines, animated: animated && abs(count) == 1)
    case .goToTop:
      select(row: 0)
      listView.scrollToTop()
    case .goToEnd: if !content.seek(.end) { goToEnd() }
    case .goToRow(let row): if !content.seek(.row(row - 1)) { goToRow(row) }
    case .goToPercent(let percent): listView.scroll(toFraction: Double(percent) / 100)
    case .alignSelection(let alignment): align(alignment)
    case .mouseDown(let point): mouseDown(at: point)
    case .mouseDrag(let point): if isDraggingBar { listView.dragScrollBar(to: point.y) }
    case .mouseUp: endDrag()
    case .showNewRows: showNewRows()
    case .reload: if !content.reload() { message = "nothing to read anew" }
    case .toggleCover:
      if !content.toggleCover(ofRow: currentRow) { message = "nothing is hidden in this row" }
    case .help: openHelp()
    case .redraw: screen.invalidate()
    case .back: end(0)
    case .dismiss: break
    case .suspend: screen.suspend()
    case .interrupt: end(130)
    case .inspect: toggleInspector()
    case .inspector(let command):
      message = inspector.perform(command, list: listView, pictures: content.pictures) ?? ""
      layout()
    }
  }

  private func toggleInspector() {
    if inspector.isOpen {
      inspector.close(pictures: content.pictures)
    } else {
      inspector.open()
    }
    keyMap.isInspecting = inspector.isOpen
    layout()
  }

  var rowCount: Int { listView.numberOfRows }

  func select(row: Int) {
    guard (0..<rowCount).contains(row) else { return }
    listView.selectRow(at: IndexPath(row: row))
  }

  func goToRow(_ row: Int) {
    guard rowCount > 0 else { return }
    let row = max(1, min(row, rowCount)) - 1
    select(row: row)
    listView.scrollToRow(at: IndexPath(row: row), at: .top)
  }

  private func showNewRows() {
    guard listView.newRowsAbove > 0 else {
      message = "nothing new"
      return
    }
    select(row: 0)
    listView.scrollToNewRows()
  }

  func noteMove() { inspector.drift.noteMove() }

  private func align(_ alignment: Command.Alignment) {
    guard let index = listView.indexPathForSelectedRow else { return }
    switch alignment {
    case .top: listView.scrollToRow(at: index, at: .top)
    case .middle: listView.scrollToRow(at: index, at: .middle)
    case .bottom: listView.scrollToRow(at: index, at: .bottom)
    }
  }

  private func mouseDown(at point: Point) {
    guard point.y < listView.frame.height else { return }
    if !pill.isHidden, pill.frame.contains(point) {
      showNewRows()
    } else if point.x == listView.frame.width - 1 {
      isDraggingBar = true
      listView.beginDraggingScrollBar(at: point.y)
    } else {
      listView.selectRow(under: point)
    }
  }

  private func endDrag() {
    guard isDraggingBar else { return }
    isDraggingBar = false
    listView.endDraggingScrollBar()
  }

  // MARK: What shows

  func layout() {
    let size = screen.size
    let statusHeight = StatusBar.height(forScreenHeight: size.height)
    let area = Rect(
      x: 0, y: 0, width: size.width, height: max(0, size.height - statusHeight))
    listView.frame = inspector.arrange(in: area)
    statusBar.frame = Rect(
      x: 0, y: size.height - statusHeight, width: size.width, height: statusHeight)
    helpView.frame = area
  }
}

extension ListScreen: ListViewDelegate {
  public func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
    content.listView(listView, heightForRowAt: indexPath)
  }

  public func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    content.visibilityChanged(of: cell, isVisible: true)
  }

  public func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) {
    content.visibilityChanged(of: cell, isVisible: false)
  }
}
