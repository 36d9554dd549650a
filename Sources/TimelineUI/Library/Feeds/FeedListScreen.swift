import Feeds
import Geometry
import Library
import System
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore

/// The list of the feeds that you follow, or of merged sources, over a timeline.
///
/// The feeds and the progress of a refresh are compared with those shown before each frame.
@MainActor final class FeedListScreen: View, Responder, StatusProviding {
  private let library: LibraryActions
  private let directory: any FeedDirectory
  private let monitor: RefreshMonitor
  private let clock: PostClock
  /// Opens a feed's timeline over this screen.
  private let onOpen: (Feed) -> Void
  private let list = List<FeedRow>(cell: FeedCell.self)
  private(set) lazy var commands: CommandTable = CommandTable(
    of: self, Self.commands + Self.namingCommands)
  /// These take precedence over the keys of the list's search unless a search is active.
  private lazy var commandsWithoutSearch: CommandTable = CommandTable(of: self, Self.namingCommands)
  /// The state that the rows were made of.
  private var shown: (events: Int, changes: Int, minute: Int)?

  /// - Parameter onOpen: opens a feed's timeline over this screen.
  init(
    of library: LibraryActions, _ directory: any FeedDirectory, _ monitor: RefreshMonitor,
    clock: PostClock, onOpen: @escaping (Feed) -> Void
  ) {
    (self.library, self.directory, self.monitor) = (library, directory, monitor)
    (self.clock, self.onOpen) = (clock, onOpen)
    super.init(name: "feeds")
    addSubview(list)
    list.itemName = directory.isKept ? "feed" : "source"
    list.searchText = { $0.searchedText }
    list.onActivate = { [weak self] in self?.open($0.id) }
    update()
  }

  override var frame: Rect {
    didSet { list.frame = Rect(origin: .zero, size: frame.size) }
  }

  // MARK: Rows

  func prepareFrame() { update() }

  private func update() {
    let now = clock.now
    let state = (
      events: monitor.revision, changes: library.directoryRevision,
      minute: Int(clamping: Int64((now / 60).rounded(.down)))
    )
    if let shown, shown == state { return }
    shown = state
    list.items = directory.feeds.map {
      FeedRow(
        of: $0, isActive: monitor.isActive($0.id), isKept: directory.isKept, now: now)
    }
  }

  private func feed(_ id: FeedID) -> Feed? { directory.feeds.first { $0.id == id } }

  private func withFeed(_ action: (FeedListScreen, Feed) -> Void) -> CommandOutcome {
    guard let feed = list.selectedItem.flatMap({ feed($0.id) }) else {
      return .refused(emptyReason)
    }
    action(self, feed)
    return .done
  }

  /// Why there is no feed in the list.
  private var emptyReason: String {
    switch directory.reading {
    case .active: "the feeds are being read"
    case .done: "no feed is followed"
    case .failed(let problem): "the feeds cannot be read: \(problem)"
    }
  }

  /// Sources on the command line are there for one run.
  private func withFollowedFeed(_ action: (FeedListScreen, Feed) -> Void) -> CommandOutcome {
    guard directory.isKept else { return .refused("not followed: tideline add follows a feed") }
    return withFeed(action)
  }

  private func open(_ id: FeedID) { if let feed = feed(id) { onOpen(feed) } }

  // MARK: Commands

  private static let commands: [Command<FeedListScreen>] = [
    Command("open-feed", "enter", help: "show this feed alone") { screen, _ in
      screen.withFeed { $0.onOpen($1) }
    },
    Command("leave-feed", "d", help: "leave the feed; its posts stay until they age") {
      screen, _ in screen.withFollowedFeed { $0.leave($1) }
    },
    Command("undo-leaving", "u", "U", help: "follow the feed again that you left last") {
      screen, _ in
      screen.directory.undoLeaving { [weak screen] in screen?.report($0, "not followed again") }
        ? .done : .refused("no feed was left")
    },
    Command("tag-feed", "t", help: "give the feed other tags") { screen, _ in
      screen.withFollowedFeed { $0.askForTags(of: $1) }
    },
    Command(
      "add-feed", "a", argument: "NAME",
      help: "follow the feed of a site, an account or an address, as tideline add does"
    ) { screen, call in screen.add(call.argument) },
    Command("refresh-feed", "R", help: "ask for the feed now, whether or not it is due") {
      screen, _ in
      guard let id = screen.list.selectedItem?.id else { return .refused(screen.emptyReason) }
      return screen.monitor.refresh(.feeds([id])).map { .refused($0) } ?? .done
    },
    Command("reload", "r", help: "ask for the feeds that are due") { screen, _ in
      screen.library.refresh()
    },
    Command("back", "q", "escape", "L", help: "") { screen, _ in
      screen.application?.window.dismiss(screen)
    },
  ]

  private static let namingCommands: [Command<FeedListScreen>] = [
    Command(
      "rename-feed", "n", help: "give the feed a name of your own; during a search: next match"
    ) { screen, _ in screen.withFollowedFeed { $0.askForName(of: $1) } }
  ]

  var priorityCommands: CommandTable? { list.isSearching ? nil : commandsWithoutSearch }

  private func add(_ name: String) -> CommandOutcome {
    guard let application, directory.canFollow else {
      return .refused("nothing is followed here: tideline add follows a feed")
    }
    let prompt = FollowPrompt(directory: directory, application: application)
    if name.isEmpty { prompt.open() } else { prompt.find(name) }
    return .done
  }

  private func leave(_ feed: Feed) {
    let name = Sanitizer.line(feed.name)
    directory.leave(feed.id) { [weak self] problem in
      self?.report(problem, "not left")
      if problem == nil { self?.application?.tell("left \(name) · U follows it again") }
    }
  }

  private func askForName(of feed: Feed) {
    let title = feed.title.isEmpty ? feed.address : feed.title
    ask("name:", text: feed.ownName ?? "", hint: "empty: \(Sanitizer.line(title))") {
      screen, text in
      screen.directory.rename(feed.id, to: text) { [weak screen] in
        screen?.report($0, "not renamed")
      }
    }
  }

  private func askForTags(of feed: Feed) {
    ask("tags:", text: feed.tags.joined(separator: " "), hint: "words between blanks") {
      screen, text in
      let words = text.split { $0.isWhitespace || $0 == "," || $0 == "/" }
      let tags = FeedList.tags(words.map { word in String(word.drop { $0 == "#" }) })
      screen.directory.tag(feed.id, with: tags) { [weak screen] in
        screen?.report($0, "not tagged")
      }
    }
  }

  private func ask(
    _ mark: String, text: String, hint: String,
    _ action: @escaping (FeedListScreen, String) -> Void
  ) {
    guard let window = application?.window else { return }
    let prompt = LinePrompt(mark, text: text)
    prompt.hintText = { "\(hint)   Enter changes it   Esc leaves it" }
    prompt.onSubmit = { [weak self] text, _ in
      if let self { action(self, String(text.trimmed(where: \.isWhitespace))) }
    }
    prompt.open(in: window)
  }

  private func report(_ problem: String?, _ words: String) {
    guard let problem else { return }
    application?.tell("\(words): \(problem)", .failure)
  }

  // MARK: Status

  var helpTitle: String { "Feeds" }
  var helpNotes: [String] {
    [
      directory.isKept
        ? "The feeds that you follow, with their unread posts."
        : "The sources of this timeline. tideline add follows feeds, with names, tags and marks."
    ]
  }

  var status: StatusBar.Content {
    var status = list.status
    status.source = directory.isKept ? "feeds" : "sources"
    let problem = if case .failed(let problem) = directory.reading { problem } else { "" }
    let progress = monitor.words(key: "")
    let schedule = list.selectedItem?.schedule ?? ""
    status.activity = [problem, progress, schedule].filter { !$0.isEmpty }.joined(separator: " · ")
    var keys: [(commands: [(name: String, keys: KeySequence)], text: String)] = [
      ([("open-feed", "enter")], "opens")
    ]
    if directory.isKept {
      keys += [
        ([("rename-feed", "n")], "names"), ([("tag-feed", "t")], "tags"),
        ([("leave-feed", "d")], "leaves"), ([("add-feed", "a")], "adds"),
      ]
    }
    keys += [
      ([("refresh-feed", "R")], directory.isKept ? "asks now" : "reads it again"),
      ([("search", "/")], "finds"),
    ]
    let hint = application?.keyHint(keys) ?? ""
    status.hint =
      list.isSearching
      ? application?.keyHint([
        ([("next-match", "n"), ("previous-match", "N")], "matches"),
        ([("end-search", "escape")], "ends the search"),
      ]) ?? "" : hint
    status.persistentHint = list.pane.persistentHint(isBack: true)
    return status
  }
}
