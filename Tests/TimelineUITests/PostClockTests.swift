import Feeds
import Geometry
import ImageLoading
import Pictures
import Terminal
import TerminalViews
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TerminalApp
@testable import TimelineStore
@testable import TimelineUI

/// A timeline that is left open: what it says of times goes on by itself, by a made clock.
@MainActor @Suite struct PostClockTests {
  private static let start = 1_703_980_700.0  // 30 December 2023, 23:58:20 UTC

  @Test func wordsGoOnFromNowToADate() async throws {
    let screen = try await ClockedScreen(at: Self.start, [Self.post("a", at: Self.start)])
    var told = [screen.time(of: Self.start)]
    #expect(screen.text.contains("· now"))
    while let alarm = screen.alarm, alarm < Self.start + 500 * 86_400, told.count < 200 {
      #expect(alarm > screen.now)
      screen.ring(at: alarm)
      told.append(screen.time(of: Self.start))
      #expect(told[told.count - 1] != told[told.count - 2])
      #expect(screen.text.contains("· \(told[told.count - 1])"), "\(screen.text)")
    }
    #expect(Array(told.prefix(4)) == ["now", "1 min", "2 min", "3 min"])
    #expect(told.dropFirst(60).first == "1 h" && told.dropFirst(70).first == "11 h")
    // A day of the week, a date, and in another year a date with it.
    #expect(told.last?.hasSuffix("2023") == true)
    #expect(screen.alarm == nil)
  }

  @Test func whatLiesAheadComesNearer() async throws {
    let time = Self.start + 9 * 86_400
    let screen = try await ClockedScreen(at: Self.start, [Self.post("a", at: time)])
    var told = [screen.time(of: time)]
    while let alarm = screen.alarm, screen.now < time {
      screen.ring(at: alarm)
      told.append(screen.time(of: time))
      #expect(screen.text.contains("· \(told[told.count - 1])"), "\(screen.text)")
    }
    #expect(told.contains("in 6 d") && told.contains("in 23 h") && told.contains("in 1 min"))
    #expect(told.dropLast().last == "now")
  }

  /// Nothing is waited for where no words will change, nor while nobody sees them.
  @Test func thereIsNoAlarmWithoutNeed() async throws {
    let old = Self.start - 900 * 86_400
    let quiet = try await ClockedScreen(at: Self.start, [Self.post("a", at: old), Post(id: "b")])
    #expect(quiet.alarm == nil)
    let screen = try await ClockedScreen(at: Self.start, [Self.post("a", at: Self.start - 30)])
    #expect(screen.alarm.map { abs($0 - Self.start - 30) < 0.1 } == true)
    screen.type("?")
    #expect(screen.alarm == nil, "the help covers it")
    screen.now += 120
    screen.type("q")
    #expect(screen.text.contains("· 2 min"))
    #expect(screen.alarm != nil)
  }

  /// Rows that do not show have no alarm, and are right when they come.
  @Test func rowsThatComeLaterAreRight() async throws {
    let old = Self.start - 900 * 86_400
    let posts = (0..<60).map { number in
      Self.post("\(number)", at: number < 20 ? old : Self.start - 90)
    }
    let screen = try await ClockedScreen(at: Self.start, posts)
    #expect(screen.alarm == nil)
    screen.prepareAll()
    screen.now += 3_600 + 100
    for _ in 0..<6 { screen.type(" ") }
    #expect(screen.text.contains("· 1 h") && !screen.text.contains("· 1 min"))
    // And those that were passed, when they come back.
    screen.prepareAll()
    screen.now += 3_600
    screen.type("b")
    #expect(screen.text.contains("· 2 h") && !screen.text.contains("· 1 h"))
  }

  @Test func aClockThatGoesBack() async throws {
    let screen = try await ClockedScreen(at: Self.start, [Self.post("a", at: Self.start - 300)])
    #expect(screen.text.contains("· 5 min"))
    // Set while nobody does anything; then found at the next key.
    screen.ring(at: Self.start - 3_600 - 300)
    #expect(screen.text.contains("· in 1 h"))
    screen.now -= 3_600
    screen.type("j")
    #expect(screen.text.contains("· in 2 h"))
    // It slept for a night.
    screen.ring(at: Self.start + 6 * 3_600)
    #expect(screen.text.contains("· 6 h"))
  }

  @Test func pollsAndQuotesAndTheOpenedPostGoOn() async throws {
    var post = Self.post("a", at: Self.start - 900 * 86_400)
    post.poll = Post.Poll(options: [Post.Poll.Option(title: "ebb", votes: 1)])
    post.poll?.closes = Self.start + 61
    var quote = Self.post("q", at: Self.start - 3_570)
    quote.author = Post.Author(name: "Marit")
    post.quotes = [quote]
    let screen = try await ClockedScreen(at: Self.start, [post])
    #expect(screen.text.contains("closes in 1 min") && screen.text.contains("59 min"))
    screen.ring(at: try #require(screen.alarm))
    #expect(screen.text.contains("closes now"))
    screen.type("\n")
    #expect(screen.text.contains("closes now"), "the opened post")
    screen.ring(at: try #require(screen.alarm))
    #expect(screen.text.contains("Marit · 1 h"))
    screen.ring(at: try #require(screen.alarm))
    #expect(screen.text.contains("closed"))
    screen.type("q")
    #expect(screen.text.contains("closed") && screen.text.contains("Marit · 1 h"))
  }

  /// A post that is folded says no time.
  @Test func whatIsHiddenWaitsForNothing() async throws {
    var post = Self.post("a", at: Self.start)
    post.filter = "storms"
    let screen = try await ClockedScreen(at: Self.start, [post])
    #expect(screen.alarm == nil)
  }

  private static func post(_ id: String, at time: Double) -> Post {
    var post = Post(id: id)
    post.author = Post.Author(name: "Gauge")
    post.body = StyledText("Words of post \(id).")
    post.published = time
    return post
  }
}

/// A timeline on a screen without a terminal, with a clock that the test sets.
@MainActor private final class ClockedScreen {
  private final class Clock {
    var now: Double
    var alarm: Double?
    var body: (@MainActor () -> Void)?
    init(_ now: Double) { self.now = now }
  }

  private let clock: Clock
  private let application: TerminalApplication
  private let display = CanvasDisplay(size: Size(width: 60, height: 24))
  private let scheduler = MainQueueScheduler(isManual: true)

  init(at now: Double, _ posts: [Post]) async throws {
    let clock = Clock(now)
    self.clock = clock
    let store = TimelineStore(reader: FixedReader(posts), isImmediate: true)
    try await store.open()
    let pictures = PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: .none)
    let content = PostListContent(
      store: store, source: "posts", pictures: pictures,
      clock: PostClock(now: { clock.now }) { (clock.alarm, clock.body) = ($0, $1) })
    application = TerminalApplication(
      ListScreen(content: content), display: display, scheduler: scheduler)
    application.begin()
    scheduler.run()
  }

  var now: Double {
    get { clock.now }
    set { clock.now = newValue }
  }
  var alarm: Double? { clock.alarm }

  /// The alarm rings at a time.
  func ring(at time: Double) {
    clock.now = time
    clock.body?()
    scheduler.run()
  }

  func type(_ text: String) {
    application.handle(InputEvent.typing(text))
    scheduler.run()
  }

  /// Has all be made ready that the next frames may show.
  func prepareAll() {
    application.prepareAhead()
    scheduler.run()
  }

  func time(of time: Double) -> String {
    RelativeTime.string(from: time, now: now, style: .reader)
  }

  var text: String {
    (0..<display.size.height).map { display.shown.text(row: $0) }.joined(separator: "\n")
  }
}

/// Posts that are there.
private actor FixedReader: PostReader {
  private var posts: [Post]?

  init(_ posts: [Post]) { self.posts = posts }

  func next() async throws(SourceError) -> SourceReader.Batch? {
    defer { posts = nil }
    return posts.map { SourceReader.Batch(info: TimelineInfo(), posts: $0) }
  }
}
