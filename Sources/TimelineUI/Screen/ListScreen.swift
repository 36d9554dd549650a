import Feeds
import Geometry
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore

/// A list of posts, or of a demo's rows, with its status lines.
@MainActor public final class ListScreen: View, Responder, FrameParticipant, StatusProviding {
  /// The list with its keys.
  public let pane: ListPane
  let content: any ListContent
  private let trace: FrameTrace?
  /// Closes the screen, if it was opened from another one.
  private var onBack: (() -> Void)?
  var isPushed: Bool { onBack != nil }
  public private(set) lazy var commands: CommandTable = CommandTable(
    of: self, Self.commands + Self.findingCommands)
  /// While a row is being looked for, any key cancels that and has no other effect.
  private lazy var seekingCommands = CommandTable(
    of: self,
    [Command("cancel", KeySequence(.any), help: "") { screen, _ in screen.content.cancelSeek() }])
  /// The hints shown last, with their inputs.
  var shownHints: (state: HintState, texts: (hint: String, lasting: String))?
  /// The source's name, and its sanitized form.
  private var title = (raw: "", line: "")

  /// A screen of `content`; its events are written to `trace`.
  public init(content: any ListContent, trace: TraceWriter? = nil) {
    self.content = content
    let pane = ListPane()
    self.pane = pane
    self.trace = trace.map { FrameTrace(of: pane.listView, to: $0) }
    super.init(name: "screen")
    addSubview(pane)
    for name in ["next", "previous"] {
      pane.commands.alias("\(name)-\(content.rowName)-top", of: "\(name)-top")
    }
    listView.maximumRowWidth = content.reading?.rowWidth
    listView.rowSpacing = SelectionBar.spacing
    listView.dataSource = content
    listView.delegate = self
    pane.measuresIdleRows = { content.isComplete }
    pane.interceptsNavigation = { destination in
      switch destination {
      case .end: content.seek(.end)
      case .row(let row): content.seek(.row(row))
      }
    }
  }

  /// The list view with the rows.
  public var listView: ListView { pane.listView }

  override public var frame: Rect {
    didSet { pane.frame = Rect(origin: .zero, size: frame.size) }
  }

  // MARK: For contents

  /// Requests a frame that no one waits for.
  public func setNeedsFrameSoon() { application?.setNeedsFrameSoon() }

  /// Shows `text` in the status line until the next key.
  public func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    application?.tell(text, kind)
  }

  /// Goes to the row that was looked for, or to the nearest one that exists.
  func go(to target: SeekTarget) {
    pane.noteMove()
    switch target {
    case .end: pane.go(to: .end)
    case .row(let row): pane.go(to: .row(row))
    }
  }

  // MARK: Commands

  private static let commands: [Command<ListScreen>] = [
    Command(
      "toggle-cover", "x",
      help: "show what a content warning or a filter hides in the selected row; hide it again"
    ) { screen, _ in
      // The rows move at the reader's request.
      screen.pane.noteMove()
      guard !screen.content.toggleCover(ofRow: screen.pane.currentRow) else { return }
      screen.tell("nothing is hidden in this \(screen.content.rowName)", .hint)
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
    Command("open-link", "o", help: "open the post in the browser; with a count, that of its links")
    {
      screen, call in screen.withLink(call) { screen, link in screen.application?.open(link) }
    },
    Command("links", "u", help: "list the post's links with their addresses") { screen, _ in
      screen.application?.showLinks(screen.links)
    },
    Command("copy-link", "y", help: "copy the post's link; with a count, that one") {
      screen, call in screen.withLink(call) { $0.application?.copyAddress(of: $1) }
    },
    Command("copy-text", "Y", help: "copy the post's text") { screen, _ in screen.copyText() },
    Command("back", "q", help: "") { screen, _ in screen.goBack() },
    Command("reload", "r", help: "reload the source; the place is kept") { screen, _ in
      if !screen.content.reload() { screen.tell("nothing to reload", .hint) }
    },
  ]

  // MARK: The row that keys act on

  private var post: Post? { content.post(ofRow: pane.currentRow) }

  private var links: [Link] { content.links(ofRow: pane.currentRow) }

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

  /// Closes the screen, if it was opened from another one.
  func goBack() -> CommandOutcome {
    guard let onBack else { return .passed }
    onBack()
    return .done
  }

  private func copyText() -> CommandOutcome {
    guard let post else { return .refused("no text in this \(content.rowName)") }
    let parts = [post.title.plainText, post.body.plainText].filter { !$0.isEmpty }
    application?.copy(parts.joined(separator: "\n\n"), as: "text")
    return .done
  }

  private func openPictures(_ call: CommandCall) -> CommandOutcome {
    switch content.pictures(ofRow: pane.currentRow) {
    case .none: return .refused("no picture in this \(content.rowName)")
    case .hidden: return .refused("its pictures are hidden; x shows them")
    case .shown(let pictures, let store):
      guard let application else { return .passed }
      pane.select(row: pane.currentRow)
      let viewer = PictureViewer(
        pictures, startingAt: call.times - 1, title: content.title, store: store)
      application.window.present(viewer)
      return .done
    }
  }

  private func openPost() -> CommandOutcome {
    guard let detail = content.detail(ofRow: pane.currentRow), let application else {
      return .passed
    }
    pane.select(row: pane.currentRow)
    let screen = ListScreen(content: detail)
    screen.onBack = { [weak application, weak screen] in
      guard let screen else { return }
      detail.close()
      application?.window.dismiss(screen)
    }
    application.window.present(screen)
    screen.pane.go(to: .row(detail.openedPostRow))
    return .done
  }

  public var priorityCommands: CommandTable? { content.isSeeking ? seekingCommands : nil }

  // MARK: Frames

  public func applicationStarted() {
    content.attach(to: self)
    if let trace, let application { trace.begin(in: application) }
  }

  /// The largest width of text; `nil` if rows take all columns.
  public var reading: ReadingWidth? { content.reading }

  public func prepareFrame() {
    guard let width = reading?.rowWidth, width != listView.maximumRowWidth else { return }
    listView.maximumRowWidth = width
    // The sizes of pictures depend on the width and are set when cells are configured.
    listView.reloadData()
  }

  public func framePresented(in time: Duration) {
    if let visible = listView.visibleRows { content.didShow(rows: visible) }
    content.clock?.words(on: self, changeAt: nextTimeChange)
  }

  /// When the first relative time on the screen changes; `nil` if none does.
  private var nextTimeChange: Double? {
    guard application?.window.shows(self) == true else { return nil }
    let height = listView.frame.height
    return listView.visibleFrames.compactMap { row in
      let lines = max(0, -row.y)..<max(0, -row.y, min(row.height, height - row.y))
      let cell = listView.cellForRow(at: IndexPath(row: row.row)) as? PostCell
      return cell?.nextChange(inLines: lines)
    }.min()
  }

  public func workIdle() -> Bool {
    content.didComeToRest()
    return false
  }

  // MARK: Status

  public var helpTitle: String { content.title }
  public var helpNotes: [String] { content.notes }

  public var status: StatusBar.Content {
    var status = StatusBar.Content()
    let title = content.title
    if title != self.title.raw { self.title = (title, Sanitizer.line(title)) }
    status.source = self.title.line
    status.position = position
    status.finding = content.finding?.status ?? ""
    status.activity = content.activity
    if let message = content.message {
      status.message = Sanitizer.line(message.text)
      status.messageIsError = message.isError
    }
    (status.hint, status.persistentHint) = hints
    return status
  }

  /// The row and the number of rows; with a filter, only of those that fit, which keys and numbers
  /// refer to.
  private var position: String {
    let isFiltered = content.finding?.filter.isOn ?? false
    guard pane.rowCount > 0 else { return content.isComplete ? "no \(content.rowName)s" : "" }
    let row = pane.currentRow
    let number = "\(content.isNumberExact(ofRow: row) ? "" : "~")\(row + 1)"
    // The number of all rows is an estimate, but posts that fit the filter are certain.
    let (guess, more) = content.isComplete ? ("", "") : isFiltered ? ("", "+") : ("~", "")
    return "\(content.rowName) \(number) of \(guess)\(pane.rowCount)\(more)"
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
