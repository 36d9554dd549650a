import Feeds
import Geometry
import ImageLoading
import Pictures
import Terminal
import TerminalViews
import TestSupport
import TextLayout

@testable import TerminalApp
@testable import TimelineStore
@testable import TimelineUI

/// A timeline whose posts have marks, on a screen without a terminal.
@MainActor final class LibraryScreen {
  let store: TimelineStore
  let screen: ListScreen
  let application: TerminalApplication
  private let display: CanvasDisplay
  private let scheduler = MainQueueScheduler(isManual: true)

  /// 3 January 2024, 12:00 UTC.
  nonisolated static let now = 1_704_283_200.0

  convenience init(
    _ posts: any PostSource, feeds: FeedsOnPaper? = nil, columns: Int = 60, rows: Int = 20,
    depth: ColorDepth = .none, place: RememberedPlace? = nil
  ) async throws {
    try await self.init(
      of: TimelineStore(posts: posts), feeds: feeds, size: Size(width: columns, height: rows),
      depth: depth, place: place)
  }

  /// - Parameter depth: without colours there are no pictures and initials.
  init(
    of store: TimelineStore, feeds: FeedsOnPaper? = nil, size: Size, depth: ColorDepth = .none,
    place: RememberedPlace? = nil
  ) async throws {
    self.store = store
    try await store.open()
    let pictures = PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: depth)
    let content = PostListContent(
      store: store, source: "posts", pictures: pictures, clock: .fixed(at: Self.now),
      place: place, directory: feeds)
    screen = ListScreen(content: content)
    display = CanvasDisplay(size: size)
    application = TerminalApplication(screen, display: display, scheduler: scheduler)
    application.settings.add(screen.settings)
    application.begin()
    scheduler.run()
  }

  /// Types every character of `text`, each in a frame of its own.
  func type(_ text: String) {
    for event in InputEvent.typing(text) { send([event]) }
  }

  /// Sends events that arrive together.
  func send(_ events: [InputEvent]) {
    application.handle(events)
    scheduler.run()
  }

  /// Makes a change that is not an event, and draws it.
  func after(_ change: () throws -> Void) rethrows {
    try change()
    scheduler.run()
  }

  /// Lets concurrent work go on, and draws changes.
  func pass(turns: Int) async {
    for _ in 0..<turns {
      scheduler.run()
      await Task.yield()
    }
  }

  /// Waits until concurrent work has made the condition true, and draws changes.
  func wait(until isSo: () -> Bool) async {
    for _ in 0..<3_000 {
      scheduler.run()
      if isSo() { return }
      await Task.yield()
    }
  }

  func resize(columns: Int, rows: Int) {
    let size = Size(width: columns, height: rows)
    display.resize(to: size)
    send([.resize(size)])
  }

  /// The rows without trailing blanks and scroll bar.
  var lines: [String] {
    (0..<display.shown.size.height).map { y in
      String(display.shown.text(row: y).dropLast()).trimmedAtEnd
    }
  }

  var text: String { lines.joined(separator: "\n") }
  /// The first status line.
  var status: String { lines[max(0, lines.count - 2)] }
  func contains(_ text: String) -> Bool { self.text.contains(text) }
  var canvas: Canvas { display.shown }

  /// The selected row.
  var row: Int { screen.pane.currentRow }

  var snapshot: ScreenSnapshot {
    .showing(
      (0..<canvas.size.height).map { canvas.text(row: $0) }, columns: canvas.size.width)
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension Post {
  /// A post of a followed feed, `hours` old.
  static func ofFeed(_ number: Int, hours: Int, words: String = "") -> Post {
    var post = Post(id: "p\(number)")
    post.author = Post.Author(name: "Gauge \(number)")
    post.source = "Harbour"
    post.published = LibraryScreen.now - Double(hours) * 3_600
    post.body = StyledText("Post \(number).\(words)")
    return post
  }
}
