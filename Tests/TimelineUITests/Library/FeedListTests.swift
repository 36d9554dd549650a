import Feeds
import Library
import Subscriptions
import TestSupport
import Testing

@testable import TerminalApp
@testable import TimelineStore
@testable import TimelineUI

/// Fetching on a timeline's status line, and the list of feeds.
@MainActor @Suite struct FeedListTests {
  private static let now = LibraryScreen.now
  private let feeds: FeedsOnPaper
  private let source = MarkedPosts((0..<6).map { .ofFeed($0, hours: $0 + 1) })

  init() {
    var broken = Feed.numbered(2, "Ferries", unread: 3, newest: Self.now - 3 * 3_600, now: Self.now)
    broken.health.lastError = "the server answers 503 and asks to be left alone for a while"
    broken.health.lastSuccess = nil
    broken.health.failures = 4
    broken.tags = ["sea"]
    var gone = Feed.numbered(3, "Pier cam", now: Self.now)
    gone.schedule.pauseReason = "gone (410)"
    feeds = FeedsOnPaper([
      broken, .numbered(1, "Harbour", unread: 1_234, newest: Self.now - 600, now: Self.now), gone,
      .numbered(4, "Tides", newest: Self.now - 5 * 3_600, now: Self.now),
    ])
  }

  private func open(columns: Int = 60) async throws -> LibraryScreen {
    try await LibraryScreen(source, feeds: feeds, columns: columns)
  }

  private func status(_ screen: LibraryScreen) -> String { screen.status }

  // MARK: Fetching

  @Test func theStatusLineFollowsARefresh() async throws {
    let screen = try await open(columns: 80)
    #expect(!screen.status.contains(" of 43"))
    screen.after { feeds.begin(FeedID(1), of: 43) }
    #expect(screen.status.contains("0 of 43 feeds"))
    screen.after { feeds.receive(FeedID(1), newPosts: 2) }
    #expect(screen.status.contains("1 of 43 feeds"))
    screen.after {
      feeds.begin(FeedID(2), of: 43)
      feeds.fail(FeedID(2), "no connection")
    }
    #expect(screen.status.contains("2 of 43 feeds, 1 failed"))
    screen.after { feeds.end() }
    #expect(screen.status.contains("1 of 43 failed · L"))
    // They are looked at in the list, and said once.
    screen.type("Lq")
    #expect(!screen.status.contains("failed"))
  }

  /// Without a network, not every feed has failed by itself.
  @Test(arguments: [
    (1, "the server could not be reached · L"), (2, "no server could be reached · L"),
  ])
  func noServerIsReached(total: Int, words: String) async throws {
    let screen = try await open(columns: 80)
    screen.type("r")
    screen.after {
      for number in 1...total {
        feeds.begin(FeedID(Int64(number)), of: total)
        feeds.fail(FeedID(Int64(number)), "no connection", isUnreached: true)
      }
      feeds.end()
    }
    #expect(screen.status.contains("nothing new, \(words.dropLast(4))"))
    screen.type("j")
    #expect(screen.status.contains(words))
  }

  /// What was fetched is lost if the disk is full: the status line says so until it is not.
  @Test func anAnswerCannotBeWritten() async throws {
    let screen = try await open(columns: 100)
    let words = "library.db: cannot be written, the disk is full"
    screen.after {
      feeds.begin(FeedID(1), of: 2)
      feeds.failToWrite(.full)
      feeds.receive(FeedID(2), newPosts: 0)
      feeds.end()
    }
    #expect(screen.status.contains(words))
    screen.type("L")
    #expect(screen.status.contains(words))
    screen.type("qr")
    screen.after {
      feeds.begin(FeedID(1), of: 1)
      feeds.failToWrite(.full)
      feeds.end()
    }
    #expect(screen.status.contains("\(words) · not all is kept"))
    screen.type("j")
    #expect(screen.status.contains(words))
    screen.type("r")
    screen.after {
      feeds.begin(FeedID(1), of: 1)
      feeds.receive(FeedID(1), newPosts: 3)
      feeds.end()
    }
    #expect(screen.status.contains("3 new") && !screen.status.contains(words))
  }

  /// Feeds of hosts that want no requests yet are not asked, which is not the same as nothing new.
  @Test func postponedFeedsAreNamed() async throws {
    let screen = try await open(columns: 100)
    screen.type("r")
    screen.after { feeds.end(postponed: 1) }
    #expect(screen.status.contains("the server wants no requests yet"))
    screen.type("r")
    screen.after {
      feeds.begin(FeedID(1), of: 1)
      feeds.receive(FeedID(1), newPosts: 2)
      feeds.end(postponed: 11)
    }
    #expect(screen.status.contains("2 new, 11 not asked yet"))
    screen.type("r")
    screen.after { feeds.end() }
    #expect(screen.status.contains("nothing is due"))
  }

  /// What is due cannot be read: nothing is fetched that could end.
  @Test func theLibraryCannotBeRead() async throws {
    let screen = try await open(columns: 100)
    screen.type("r")
    screen.after { feeds.failToWrite(.locked) }
    #expect(screen.status.contains("library.db: is locked by another program · nothing is fetched"))
    screen.type("j")
    #expect(screen.status.contains("library.db: is locked by another program"))
  }

  /// Merged sources have no names, tags and times of their own to keep.
  @Test func sourcesAreReadAndNotFollowed() async throws {
    feeds.isKept = false
    let screen = try await open(columns: 80)
    screen.type("L")
    #expect(screen.status.contains("source 1 of ") && !screen.status.contains("due"))
    #expect(screen.lines.last?.contains("R reads it again") == true)
    #expect(screen.lines.last?.contains("names") == false)
    for key in ["n", "t", "d"] {
      screen.type(key)
      #expect(screen.status.contains("not followed"), "\(key)")
    }
    screen.type("R")
    #expect(feeds.requests.count == 1)
  }

  @Test func aRefreshThatWasAskedForIsReported() async throws {
    let screen = try await open()
    feeds.reason = "nothing is due before 14:05"
    screen.type("r")
    #expect(feeds.requests == [.due] && screen.status.contains("nothing is due before 14:05"))
    feeds.reason = nil
    screen.type("r")
    screen.after {
      feeds.begin(FeedID(1), of: 1)
      feeds.receive(FeedID(1), newPosts: 3)
      feeds.end()
    }
    #expect(screen.status.contains("3 new"))
    screen.type("j")
    screen.after {
      feeds.begin(FeedID(1), of: 1)
      feeds.receive(FeedID(1), newPosts: 4)
      feeds.end()
    }
    #expect(!screen.status.contains("4 new"), "one that began by itself is not")
  }

  // MARK: The list

  @Test func theListShowsWhatIsUnreadAndWhatWentWrong() async throws {
    let screen = try await open()
    screen.type("L")
    try expectScreen(screen.snapshot.withoutTimes, matches: "feeds")
    screen.resize(columns: 32, rows: 20)
    // A problem is shown whole, at any width.
    let words = screen.lines.joined(separator: " ").replacing("▌", with: " ")
      .split(separator: " ").joined(separator: " ")
    #expect(words.contains("and asks to be left alone for a while · 4 times in a row"))
    #expect(screen.contains("Harbour") && screen.contains("1234"))
  }

  /// A feed is followed from the list; several of a page are a choice.
  @Test func aFeedIsAdded() async throws {
    let offers = [
      FoundFeed(address: "https://tide.example/a", title: "Ebb", namedBy: "https://tide.example"),
      FoundFeed(address: "https://tide.example/b", title: ""),
    ]
    let screen = try await open(columns: 80)
    screen.type("La")
    #expect(screen.status.contains("does nothing") || screen.status.contains("tideline add"))
    feeds.canFollow = true
    feeds.findings["one"] = .feed(offers[0])
    feeds.findings["two"] = .choice(offers)
    screen.type("aone\n")
    await screen.wait { feeds.followed == [offers[0]] }
    await screen.wait { screen.status.contains("following https://tide.example/a") }
    screen.type("atwo\n")
    await screen.wait { screen.status.contains("feed 1 of 2") }
    #expect(screen.contains("Ebb") && screen.status.contains("https://tide.example names 2 feeds"))
    screen.type("q")
    #expect(screen.status.contains("no feed was chosen") && feeds.followed.count == 1)
    screen.type("atwo\n")
    await screen.wait { screen.status.contains("feed 1 of 2") }
    screen.type("j\n")
    await screen.wait { feeds.followed == offers }
    screen.type("anone\n")
    await screen.wait { screen.status.contains("none: no feed") }
    #expect(screen.status.contains("feed 1 of 4"))
  }

  @Test func theListIsLive() async throws {
    let screen = try await open()
    screen.type("Ljjj")
    screen.after { feeds.begin(FeedID(4), of: 4) }
    #expect(screen.lines.contains { $0.contains("Tides") && $0.contains("asking …") })
    #expect(screen.status.contains("0 of 4 feeds"))
    screen.after { feeds.fail(FeedID(4), "no such host") }
    #expect(screen.contains("✕ no such host") && screen.status.contains("feed 4 of 4"))
  }

  @Test func aFeedIsShownAlone() async throws {
    let tides = MarkedPosts(
      (50..<70).map { .ofFeed($0, hours: 1) }, marks: Array(repeating: .unread, count: 20))
    feeds.timelines[FeedID(4)] = tides
    let screen = try await open()
    screen.type("LG")
    let list = screen.lines.dropLast(2)
    screen.type("\n")
    await screen.wait { screen.contains("Post 50.") }
    #expect(feeds.opened == [FeedID(4)] && screen.status.contains("20 unread"))
    screen.type("j")
    #expect(tides.unreadCount == 19, "its posts are marked as all are")
    screen.type("r")
    #expect(feeds.requests == [.feeds([FeedID(4)])])
    screen.type("A")
    #expect(tides.unreadCount == 0)
    screen.type("q")
    #expect(screen.lines.dropLast(2) == list && screen.status.contains("feed 4 of 4"))
    screen.type("q")
    #expect(screen.contains("Post 0."))
    // `L` leads back to the list, too.
    screen.type("LG\n")
    await screen.wait { screen.contains("Post 50.") }
    screen.type("L")
    #expect(screen.status.contains("feed 4 of 4"))
  }

  @Test func feedsAreLeftAndFollowedAgain() async throws {
    let screen = try await open()
    screen.type("Lj")
    screen.type("d")
    #expect(feeds.feeds.map(\.title) == ["Ferries", "Pier cam", "Tides"])
    #expect(!screen.contains("Harbour   ") && screen.status.contains("left Harbour · U follows it"))
    screen.type("u")
    #expect(feeds.feeds.count == 4 && screen.contains("Harbour"))
    screen.type("U")
    #expect(screen.status.contains("no feed was left"))
    screen.type("d")
    feeds.problem = "library.db: cannot be written"
    screen.type("U")
    #expect(screen.status.contains("not followed again: library.db: cannot be"))
    feeds.problem = nil
    screen.type("U")
    #expect(feeds.feeds.count == 4)
    feeds.problem = "library.db: cannot be written"
    screen.type("d")
    #expect(feeds.feeds.count == 4 && screen.status.contains("not left: library.db: cannot be"))
  }

  @Test func feedsAreNamedAndTagged() async throws {
    let screen = try await open()
    screen.type("LG")
    screen.type("n")
    #expect(screen.lines.contains { $0.contains("empty: Tides") })
    screen.type("  A gauge \n")
    #expect(feeds.feeds.first?.ownName == "A gauge")
    // The feed stays selected at its new place.
    #expect(screen.status.contains("feed 1 of 4"))
    screen.type("t")
    screen.type("#sea  news sea\n")
    #expect(feeds.feeds.first?.tags == ["sea", "news"] && screen.contains("A gauge  #sea #news"))
    screen.type("n")
    screen.send(Array(repeating: .key(.backspace, []), count: 10))
    screen.type("\n")
    #expect(feeds.feeds.last?.name == "Tides")
    screen.type("tnot this")
    screen.send([.key(.escape, [])])
    #expect(feeds.feeds.last?.tags == ["sea", "news"])
  }

  /// A list of feeds could not name tags with commas and slashes.
  @Test func commasAndSlashesSeparateTags() async throws {
    let screen = try await open()
    screen.type("LGt")
    screen.type("sea/tides,#news, sea\n")
    #expect(feeds.feeds.last?.tags == ["sea", "tides", "news"])
  }

  @Test func oneFeedIsAskedForNow() async throws {
    let screen = try await open()
    screen.type("LjR")
    #expect(feeds.requests == [.feeds([FeedID(1)])])
    feeds.reason = "offline"
    screen.type("R")
    #expect(screen.status.contains("offline"))
    screen.type("r")
    #expect(feeds.requests.last == .due)
  }

  /// `n` goes to the next match during a search, and names the feed otherwise.
  @Test func feedsAreFound() async throws {
    let screen = try await open()
    screen.type("L/e\n")
    #expect(screen.status.contains("feed 1 of 4"))
    screen.type("n")
    #expect(screen.status.contains("feed 3 of 4"))
    screen.send([.key(.escape, [])])
    #expect(screen.status.contains("feeds ·"), "it ends the search")
    screen.type("n")
    #expect(screen.lines.contains { $0.contains("name:") })
    screen.send([.key(.escape, [])])
    screen.send([.key(.escape, [])])
    #expect(screen.contains("Post 0."), "then it leaves the list")
  }

  @Test func theMouseSelects() async throws {
    let screen = try await open()
    screen.type("L")
    let row = try #require(screen.lines.firstIndex { $0.contains("Tides") })
    screen.send([.mouse(MouseEvent(.press(.left), at: .init(x: 5, y: row)))])
    #expect(screen.status.contains("feed 4 of 4"))
  }

  @Test func withoutFeedsThereIsNoList() async throws {
    let screen = try await LibraryScreen(source, feeds: FeedsOnPaper())
    screen.type("L")
    #expect(screen.status.contains("no feed is followed · tideline add follows one"))
    #expect(screen.contains("Post 0."))
  }
}

extension ScreenSnapshot {
  /// Without the status line's times, which depend on the time zone.
  fileprivate var withoutTimes: ScreenSnapshot {
    .showing(
      lines.map { line in
        line.replacing(/asked .*/, with: "asked …").replacing(/last read .*/, with: "last read …")
      }, columns: columns)
  }
}
