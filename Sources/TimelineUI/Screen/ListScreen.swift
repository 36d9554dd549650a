import Feeds
import Geometry
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore

/// A list of posts, or of a demo's rows, with its status lines.
@MainActor package final class ListScreen: View, Responder, StatusProviding {
  /// The list with its keys.
  package let pane: ListPane
  let content: any ListContent
  /// The search and the filter; `nil` before the first frame, and if the rows have neither.
  private(set) var finding: TimelineFinding?
  /// Switches between posts and headlines; `nil` if the rows are not a whole timeline.
  private let viewSwitch: PostViewSwitch?
  /// Goes to marked posts; `nil` if the rows are not a whole timeline.
  let markedRows: MarkedRows?
  private let trace: FrameTrace?
  /// Closes the screen, if it was opened from another one.
  private var onBack: (() -> Void)?
  var isPushed: Bool { onBack != nil }
  package private(set) lazy var commands: CommandTable = makeCommands()
  /// While a row is being looked for, any key cancels that and has no other effect.
  private lazy var seekingCommands = CommandTable(
    of: self,
    [Command("cancel", KeySequence(.any), help: "") { screen, _ in screen.store?.cancelSeek() }])
  private let hints = ScreenHints()
  private let pipePrompt = PipePrompt()
  /// The source's name, and its sanitized form.
  private var title = (raw: "", line: "")

  /// A screen of `content`; its events are written to `trace`.
  package init(content: any ListContent, trace: TraceWriter? = nil) {
    self.content = content
    let pane = ListPane()
    self.pane = pane
    viewSwitch = content.posts?.timeline.map { PostViewSwitch($0, on: pane) }
    markedRows = content.posts?.timeline.map { MarkedRows(of: $0.store, on: pane) }
    self.trace = trace.map { FrameTrace(of: pane.listView, to: $0) }
    super.init(name: "screen")
    addSubview(pane)
    for name in ["next", "previous"] {
      pane.commands.alias("\(name)-\(content.rowName)-top", of: "\(name)-top")
    }
    listView.maximumRowWidth = reading?.rowWidth
    listView.rowSpacing = SelectionBar.spacing
    listView.dataSource = content
    listView.delegate = content
    pane.measuresIdleRows = { content.isComplete }
    pane.interceptsNavigation = { [weak self] destination in
      switch destination {
      case .end: self?.store?.seek(.end) ?? false
      case .row(let row): self?.goToPost(number: row) ?? false
      case .nextNew: self?.markedRows?.goToNew() ?? false
      }
    }
    pane.countNewRows = { [weak self] in self?.markedRows?.newRows(above: $0) }
    pane.onStepDown = { [weak self] in self?.library?.marker.noteStepsDown(from: $0) }
  }

  /// The list view with the rows.
  package var listView: ListView { pane.listView }

  override package var frame: Rect {
    didSet { pane.frame = Rect(origin: .zero, size: frame.size) }
  }

  /// The timeline, if the rows are a whole one.
  private var store: TimelineStore? { content.posts?.timeline?.store }

  /// Marks and feeds, if the rows are a whole timeline.
  var library: LibraryActions? { content.posts?.timeline?.library }

  /// The rows that are errors, not posts.
  private var errors: ErrorRows? { content.posts?.timeline?.errors }

  /// Goes to the post with a number, counted from 0, if it has to be sought or errors stand above
  /// it.
  ///
  /// - Returns: `false` if neither is the case: its row is `number`, and the pane can go there.
  private func goToPost(number: Int) -> Bool {
    let row = errors?.row(ofPost: number) ?? number
    if store?.seek(.row(row)) == true { return true }
    guard row != number else { return false }
    pane.go(to: .row(row))
    return true
  }

  // MARK: Effects of the content

  private func perform(_ effect: ListEffect) {
    switch effect {
    case .changed:
      markedRows?.rowsChanged()
      setNeedsFrameSoon()
    case .rowsChanged: finding?.filter.rowsChanged()
    case .tell(let text): tell(text)
    case .found(let target):
      pane.noteMove()
      switch target {
      case .end: pane.go(to: .end)
      case .row(let row): pane.go(to: .row(row))
      }
    case .show(let row): pane.go(to: .row(row))
    case .showSelection: pane.bringSelectionIntoView()
    case .restore(let place):
      markedRows?.placeRestored()
      pane.restore(
        place.place, words: place.words, ofRow: place.row, newRows: place.newRows,
        selecting: place.selectedRow, bringsIntoView: place.bringsIntoView)
    }
  }

  /// Requests a frame that no one waits for.
  func setNeedsFrameSoon() { application?.setNeedsFrameSoon() }

  /// Shows `text` in the status line until the next key.
  private func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    application?.tell(text, kind)
  }

  // MARK: Commands

  private func makeCommands() -> CommandTable {
    let table = CommandTable(of: self, Self.commands, below: .read)
    table.add(TimelineFinding.commands, of: self, below: .find)
    if content.posts != nil { table.add(MarkCommands.all, of: self, below: .feeds) }
    return table
  }

  private static let commands: [Command<ListScreen>] = [
    Command(
      "toggle-cover", "x",
      help: "show what a content warning or a filter hides in the selected row; hide it again"
    ) { screen, _ in
      // The rows move at the reader's request.
      screen.pane.noteMove()
      let rows = screen.content.posts?.toggleCover(ofRow: screen.pane.currentRow) ?? []
      guard !rows.isEmpty else {
        return screen.tell("nothing is hidden in this \(screen.content.rowName)", .hint)
      }
      screen.listView.reconfigureRows(at: rows.map { IndexPath(row: $0) })
    },
    Command(
      "retry-pictures", "R", help: "try the selected row's pictures again that could not be had"
    ) { screen, _ in
      screen.pane.noteMove()
      let row = IndexPath(row: screen.pane.currentRow)
      if let cell = screen.listView.cellForRow(at: row), screen.content.retryPictures(in: cell) {
        return
      }
      screen.tell("no picture of this \(screen.content.rowName) has failed", .hint)
    },
    Command(
      "pictures", "m", help: "the post's pictures in full size; with a count, from that one on"
    ) { screen, call in screen.openPictures(call) },
    Command(
      "open-post", "enter", "t", help: "open the post whole, with what it answers and its answers"
    ) { screen, call in screen.openPost() },
    Command(
      "headlines", "v", help: "headlines, one line each, or whole posts"
    ) { screen, _ in screen.toggleHeadlines() },
    Command("open-link", "o", help: "open the post in the browser; with a count, that of its links")
    {
      screen, call in
      screen.withLink(call) { screen, link in
        screen.noteOpened()
        screen.application?.open(link)
      }
    },
    Command("links", "u", help: "list the post's links with their addresses") { screen, _ in
      screen.application?.showLinks(screen.links)
    },
    Command("copy-link", "y", help: "copy the post's link; with a count, that one") {
      screen, call in screen.withLink(call) { $0.application?.copyAddress(of: $1) }
    },
    Command("copy-text", "Y", help: "copy the post's text") { screen, _ in screen.copyText() },
    Command(
      "article", "e", help: "read the post's article by the program of set article; stop that"
    ) { screen, _ in screen.readArticle() },
    Command(
      "pipe", "|", argument: "[terminal] [--json] PROGRAM",
      help: "hand the post to a program: its text, or the line that --json prints"
    ) { screen, call in screen.pipe(call) },
    Command("back", "q", help: "") { screen, _ in screen.goBack() },
    Command(
      "reload", "r", help: "reload the source, or ask for the feeds that are due; the place is kept"
    ) { screen, _ in screen.reload() },
  ]

  // MARK: The row that keys act on

  /// The reader's post, and whether the content that it hides is revealed.
  private var current: (post: Post, isRevealed: Bool)? {
    guard let posts = content.posts, let post = posts.post(ofRow: pane.currentRow) else {
      return nil
    }
    return (post, posts.isRevealed(row: pane.currentRow))
  }

  private var links: [Link] {
    current.map { PostLinks(of: $0.post, isRevealed: $0.isRevealed).links } ?? []
  }

  private func withLink(
    _ call: CommandCall, _ action: (ListScreen, Link) -> Void
  ) -> CommandOutcome {
    let links = links
    guard !links.isEmpty else { return .refused("no links in this \(content.rowName)") }
    guard call.times <= links.count else {
      return .refused("this \(content.rowName) has \(links.count.counted("link"))")
    }
    action(self, links[call.times - 1])
    return .done
  }

  private func reload() -> CommandOutcome {
    if let outcome = library?.refresh(), outcome != .passed { return outcome }
    if content.posts?.timeline?.reload() != true { tell("nothing to reload", .hint) }
    return .done
  }

  /// Records that the reader has opened the current row's post, or a part of it.
  private func noteOpened() { library?.marker.noteOpened(row: pane.currentRow) }

  /// Closes the screen, if it was opened from another one.
  func goBack() -> CommandOutcome {
    guard let onBack else { return .passed }
    onBack()
    return .done
  }

  private func copyText() -> CommandOutcome {
    guard let post = current?.post else {
      return .refused("no text in this \(content.rowName)")
    }
    let parts = [post.title.plainText, post.body.plainText].filter { !$0.isEmpty }
    application?.copy(parts.joined(separator: "\n\n"), as: "text")
    return .done
  }

  private func openPictures(_ call: CommandCall) -> CommandOutcome {
    let pictures = current.map { RowPictures(of: $0.post, isRevealed: $0.isRevealed) }
    switch pictures ?? .none {
    case .none: return .refused("no picture in this \(content.rowName)")
    case .hidden:
      let key = application?.keyLabel(of: "toggle-cover", "x") ?? ""
      return .refused("its pictures are hidden\(key.isEmpty ? "" : "; \(key) shows them")")
    case .shown(let pictures):
      guard let application, let store = content.posts?.pictures else { return .passed }
      pane.select(row: pane.currentRow)
      noteOpened()
      let viewer = PictureViewer(
        pictures, startingAt: call.times - 1, title: content.title, store: store)
      application.window.present(viewer)
      return .done
    }
  }

  private func pipe(_ call: CommandCall) -> CommandOutcome {
    guard let post = current?.post, let application, let clock = content.posts?.clock else {
      return .refused("no post in this \(content.rowName)")
    }
    return pipePrompt.hand(post, by: call, now: clock.now, in: application)
  }

  private func readArticle() -> CommandOutcome {
    guard let posts = content.posts else {
      return .refused("no article in this \(content.rowName)")
    }
    guard let opened = posts.open(row: pane.currentRow) else { return posts.readArticle() }
    let outcome = opened.content.posts?.readArticle() ?? .passed
    return outcome == .done ? show(opened) : outcome
  }

  private func openPost() -> CommandOutcome {
    content.posts?.open(row: pane.currentRow).map(show) ?? .passed
  }

  private func show(_ opened: OpenedPost) -> CommandOutcome {
    guard application != nil else { return .passed }
    pane.select(row: pane.currentRow)
    noteOpened()
    present(opened)
    return .done
  }

  /// Shows content on a screen over this one.
  ///
  /// - Parameter onClose: called when that screen has been closed.
  func present(_ opened: OpenedPost, onClose: @escaping () -> Void = {}) {
    guard let application else { return opened.close() }
    let screen = ListScreen(content: opened.content)
    screen.onBack = { [weak application, weak screen] in
      guard let screen else { return }
      opened.close()
      application?.window.dismiss(screen)
      onClose()
    }
    application.window.present(screen)
    screen.pane.go(to: .row(opened.row))
  }

  private func toggleHeadlines() -> CommandOutcome {
    guard let viewSwitch else { return .refused("only a timeline has headlines") }
    viewSwitch.show(viewSwitch.view.other)
    return .done
  }

  package var priorityCommands: CommandTable? { store?.isSeeking == true ? seekingCommands : nil }

  // MARK: Frames

  package func applicationStarted() {
    finding = content.posts?.timeline?.finding(on: pane)
    content.attach(to: listView) { [weak self] in self?.perform($0) }
    if let trace, let application { trace.begin(in: application) }
  }

  /// The largest width of text; `nil` if rows take all columns.
  package var reading: ReadingWidth? { content.posts?.reading }

  /// The program that prints articles; `nil` if the rows are not posts.
  package var article: ArticleReader? { content.posts?.article }

  /// The settings for the rows' width and view, for articles, and for marking posts as read.
  package var settings: [Setting] {
    [
      reading?.setting, viewSwitch?.setting, article?.setting, library?.markRead.setting,
    ].compactMap { $0 }
  }

  package func prepareFrame() {
    guard let width = reading?.rowWidth, width != listView.maximumRowWidth else { return }
    listView.maximumRowWidth = width
    // The sizes of pictures depend on the width and are set when cells are configured.
    listView.reloadData()
  }

  package func inputArrived() { library?.marker.inputArrived() }

  /// Whether keys are for this screen and no prompt or panel lies over it.
  private var receivesKeys: Bool {
    guard let window = application?.window else { return false }
    return window.modalPanel.map { $0 === self } ?? window.shows(self)
  }

  package func framePresented(in time: Duration) {
    if receivesKeys { library?.marker.framePresented(of: listView) }
    if let visible = listView.visibleRows { content.didShow(rows: visible) }
    content.posts?.clock.words(on: self, changeAt: nextTimeChange)
  }

  /// When the first relative time of the rows on the screen changes; `nil` if none does.
  private var nextTimeChange: Double? {
    guard application?.window.shows(self) == true else { return nil }
    return listView.visibleFrames
      .compactMap { listView.postRowCell(ofRow: $0.row)?.nextChange }
      .filter { $0 < .infinity }.min()
  }

  package func workIdle() -> Bool {
    content.posts?.timeline?.didComeToRest()
    return content.posts?.timeline?.readAhead() ?? false
  }

  // MARK: Status

  /// The address of a cell's only picture; `nil` if it has none or several.
  package func pictureAddress(in cell: ListViewCell) -> String? {
    content.pictureAddress(in: cell)
  }

  package var hasCaption: Bool { content.caption(isPanelOpen: false) != nil }
  package var helpTitle: String { content.title }
  package var helpNotes: [String] { content.notes }
  package var helpFirstKeys: [CommandTable.HelpLine] { hints.firstKeys(on: self) }

  package var status: StatusBar.Content {
    var status = StatusBar.Content()
    let title = content.title
    if title != self.title.raw { self.title = (title, Sanitizer.line(title)) }
    status.source = self.title.line
    status.position = position
    status.finding = finding?.status ?? ""
    status.activity = activity
    if let message = content.message {
      status.message = Sanitizer.line(message.text)
      status.messageIsError = message.isError
    }
    (status.hint, status.persistentHint) = hints.texts(on: self)
    let isPanelOpen = application?.window.sidePanel != nil
    if let caption = content.caption(isPanelOpen: isPanelOpen) { status.caption = caption }
    return status
  }

  /// The operation in progress, the numbers of unread and new posts, and the state of the feeds.
  private var activity: String {
    guard let library, library.hasStatus else { return content.activity }
    let key = application?.keyLabel(of: "feeds", "L") ?? ""
    return [library.status(listKey: key, errors: errors), content.activity].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }

  private var position: String {
    RowPosition(
      of: content, row: pane.currentRow, rows: pane.rowCount,
      isFiltered: finding?.filter.isOn ?? false
    ).words
  }
}
