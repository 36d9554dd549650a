import Feeds
import HTTP
import Testing

@testable import Subscriptions

@Suite struct FeedFinderTests {
  private let transport = TableTransport()

  private func find(_ text: String) async throws -> FeedFinding {
    try await FeedFinder(transport: transport).find(text)
  }

  private func found(_ text: String) async throws -> FoundFeed? {
    if case .feed(let feed) = try await find(text) { feed } else { nil }
  }

  private func reason(_ text: String) async -> FeedFindingError.Reason? {
    do {
      _ = try await find(text)
      return nil
    } catch {
      return (error as? FeedFindingError)?.reason
    }
  }

  private func page(_ head: String) -> TableTransport.Answer {
    .text(Sample.page(head), type: "text/html; charset=utf-8")
  }

  private let feed = TableTransport.Answer.text(Sample.rss())

  // MARK: Feeds and pages

  @Test func aFeedIsFoundAtItsOwnAddress() async throws {
    transport.set("https://tide.example/feed.xml", feed)
    for text in [
      "https://tide.example/feed.xml", "tide.example/feed.xml",
      "feed:https://tide.example/feed.xml",
    ] {
      let found = try await found(text)
      #expect(found == FoundFeed(address: "https://tide.example/feed.xml", title: "Tides"))
    }
    #expect(transport.urls.count == 3)
  }

  @Test func permanentRedirectsLeadToTheAddressThatIsFollowed() async throws {
    var moved = feed
    moved.url = "https://tide.example/new"
    moved.redirects = [301, 308]
    transport.set("https://tide.example/old", moved)
    #expect(try await found("tide.example/old")?.address == "https://tide.example/new")
    moved.redirects = [301, 302]
    transport.set("https://tide.example/old", moved)
    #expect(try await found("tide.example/old")?.address == "https://tide.example/old")
  }

  @Test func aPageNamesItsFeedRelativeToItsBase() async throws {
    transport.set(
      "https://tide.example",
      page("<base href='/blog/'>" + Sample.alternate("feed.xml?a=1&amp;b=2", title: "T &amp; G")))
    transport.set("https://tide.example/blog/feed.xml?a=1&b=2", feed)
    let found = try await found("tide.example")
    #expect(found?.address == "https://tide.example/blog/feed.xml?a=1&b=2")
    #expect(found?.namedBy == "https://tide.example")
    #expect(found?.title == "Tides")
    // It is asked for with the reach that the page has.
    #expect(transport.requests.map(\.reach) == [.everywhere, .privateAddresses])
  }

  @Test func theHeadOfTheAnswerNamesFeeds() async throws {
    var answer = page("")
    answer.headers.append(
      "Link", "</f>; rel=\"alternate\"; type=\"application/atom+xml\"; title=\"A\", </>; rel=self")
    transport.set("https://tide.example", answer)
    transport.set("https://tide.example/f", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/f")
  }

  /// Where no one can choose, the first feed that can be read counts.
  @Test func theFirstFeedOfAPage() async throws {
    transport.set(
      "https://tide.example",
      page(Sample.alternate("/gone", title: "A") + Sample.alternate("/f", title: "B")))
    transport.set("https://tide.example/f", feed)
    let finder = FeedFinder(transport: transport)
    let link = HTTPLink("https://tide.example", reach: .publicAddresses)
    let found = try await finder.firstFeed(at: link)
    #expect(found?.address == "https://tide.example/f")
    #expect(found?.reach == .publicAddresses)
    #expect(transport.requests.allSatisfy { $0.reach == .publicAddresses })
    // In a file, only whole addresses lead anywhere.
    let file = Sample.page(
      Sample.alternate("/relative", title: "A")
        + Sample.alternate("https://tide.example/f", title: "B"))
    let named = await finder.firstFeed(ofPage: Array(file.utf8), name: "page.html")
    #expect(named?.address == "https://tide.example/f" && named?.namedBy == "page.html")
    await #expect(throws: FeedFindingError.self) {
      try await finder.firstFeed(at: HTTPLink("https://tide.example/none", reach: .everywhere))
    }
  }

  @Test func severalFeedsAreAChoice() async throws {
    transport.set(
      "https://tide.example",
      page(
        Sample.alternate("/comments/feed", title: "Comments") + Sample.alternate("/a", title: "Ebb")
          + Sample.alternate("/b", "application/feed+json", title: "Flood")))
    guard case .choice(let feeds) = try await find("tide.example") else {
      Issue.record("no choice")
      return
    }
    #expect(feeds.map(\.address) == ["https://tide.example/a", "https://tide.example/b"])
    #expect(feeds.map(\.title) == ["Ebb", "Flood"])
    #expect(transport.urls.count == 1)
  }

  @Test func usualPlacesAreTriedFiveTimesAtMost() async throws {
    transport.set("https://tide.example/blog/", page("<link rel=stylesheet href=x>"))
    #expect(
      await reason("tide.example/blog/").map { if case .nothing = $0 { true } else { false } }
        == true)
    #expect(
      transport.urls == ["https://tide.example/blog/"]
        + ["/feed", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml"].map {
          "https://tide.example" + $0
        })
    transport.set("https://tide.example/rss.xml", feed)
    #expect(try await found("tide.example/blog/")?.address == "https://tide.example/rss.xml")
  }

  @Test func commentsAreFollowedOnlyIfThereIsNothingElse() async throws {
    transport.set(
      "https://tide.example", page(Sample.alternate("/comments/feed", title: "Comments")))
    transport.set("https://tide.example/comments/feed", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/comments/feed")
    transport.set("https://tide.example/feed", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/feed")
  }

  @Test func aDeadLinkIsNotFollowed() async throws {
    transport.set("https://tide.example", page(Sample.alternate("/gone")))
    transport.set("https://tide.example/atom.xml", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/atom.xml")
  }

  @Test func aSiteThatRefusesMayHaveAFeed() async throws {
    transport.set("https://tide.example", .status(403))
    transport.set("https://tide.example/feed", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/feed")
    let count = transport.urls.count
    for status in [429, 500, 503] {
      transport.set("https://tide.example", .status(status))
      #expect(await reason("tide.example") == .remote(FetchFailure(.status(status))))
    }
    #expect(transport.urls.count == count + 3)
  }

  @Test(arguments: [
    "", "tides", "ftp://tide.example/", "https://", "https://marit:secret@tide.example/feed",
    "https://tide.example:99999/",
  ])
  func unusableNamesAskNothing(text: String) async {
    guard case .unusable? = await reason(text) else {
      Issue.record("\(text)")
      return
    }
    #expect(transport.urls.isEmpty)
    do {
      _ = try await find(text)
    } catch {
      #expect(!((error as? FeedFindingError)?.message.contains("secret") ?? true))
    }
  }

  @Test func answersThatAreNeitherFeedNorPage() async throws {
    transport.set("https://tide.example/a", .text("just words", type: "text/plain"))
    transport.set("https://tide.example/b", .text("{\"error\":\"x\"}", type: "application/json"))
    transport.set("https://tide.example/c", .text(""))
    for place in ["a", "b", "c"] {
      let reason = await reason("tide.example/\(place)")
      #expect(reason.map { if case .nothing = $0 { true } else { false } } == true)
    }
    #expect(transport.urls.count == 3)
    transport.set("https://tide.example/d", .text("maintenance", type: "text/html"))
    _ = await reason("tide.example/d")
    #expect(transport.urls.count == 9)
    transport.set(
      "https://tide.example/e", .failure(.unreachable(host: "tide.example", reason: "no route")))
    guard case .remote? = await reason("tide.example/e") else {
      Issue.record("not remote")
      return
    }
  }

  /// What arrived slowly or in part is no answer if it names nothing.
  @Test(arguments: [
    "", "<?xml ver", "<opml><body>", "<!DOCTYPE html><html><head><ti", "wor",
  ])
  func anAnswerThatBreaksOffIsAFailureOfItsServer(body: String) async throws {
    let slow = HTTPError.tooSlow(bytesPerSecond: 500, seconds: 20)
    var answer = TableTransport.Answer.text(body)
    answer.breaksOff = slow
    transport.set("https://tide.example/f", answer)
    #expect(await reason("tide.example/f") == .remote(FetchFailure(.exchange(slow))))
    answer.body = Array(Sample.rss().utf8.dropLast(20))
    transport.set("https://tide.example/f", answer)
    #expect(try await found("tide.example/f")?.title == "Tides")
  }

  @Test func aFeedIsFollowedInOneSpelling() async throws {
    transport.set("HTTPS://Tide.Example:443/f?A#new", feed)
    #expect(
      try await found("HTTPS://Tide.Example:443/f?A#new")?.address == "https://tide.example/f?A")
  }

  @Test func hiddenTagsNameNothing() async throws {
    transport.set(
      "https://tide.example",
      page(
        "<!-- \(Sample.alternate("/1")) --><script>'\(Sample.alternate("/2"))'</script>"
          + "<template>\(Sample.alternate("/3"))</template>"
          + "<link rel='Alternate Home' TYPE='Application/RSS+XML; charset=x' href='/4'>"
          + Sample.alternate("javascript:1") + Sample.alternate("/wp-json/x", "application/json")))
    transport.set("https://tide.example/4", feed)
    #expect(try await found("tide.example")?.address == "https://tide.example/4")
    #expect(transport.urls.count == 2)
  }

  // MARK: Lists

  @Test func aListNamesItsFeedsWithTheirFolders() async throws {
    let list = """
      <opml version="2.0"><body><outline text="Coast"><outline text="North">
      <outline text="Ebb" xmlUrl="https://tide.example/a"/></outline>
      <outline text="Flood" xmlUrl="feed:https://tide.example/b" category="/x/y,z"/></outline>
      <outline text="Ebb again" xmlUrl="https://tide.example/a"/><outline type="rss" text="none"/>
      </body></opml>
      """
    transport.set("https://tide.example/list", .text(list))
    guard case .list(let feeds, let omission, nil) = try await find("tide.example/list") else {
      Issue.record("no list")
      return
    }
    #expect(feeds.map(\.address) == ["https://tide.example/a", "https://tide.example/b"])
    #expect(feeds.map(\.title) == ["Ebb", "Flood"])
    #expect(feeds.map(\.tags) == [["Coast", "North"], ["Coast", "x", "y", "z"]])
    #expect(omission?.contains("1 feed of the list cannot be followed: “none”") == true)
    #expect(transport.urls.count == 1)
    let file = FeedFinder.feeds(ofList: Array(list.utf8), name: "list.opml")
    #expect(
      file.map { if case .list(let all, _, _) = $0 { all.map(\.address) } else { [] } }
        == feeds.map(\.address))
    #expect(FeedFinder.feeds(ofList: Array(Sample.rss().utf8), name: "x") == nil)
  }

  /// The transport's servers are in a private network, and these feeds are still nearer.
  @Test func aListLeadsNoNearerThanItself() async throws {
    let outlines = ["224.0.0.1", "[ff02::1]:80", "tide.example", "127.0.0.1:8080"].map {
      "<outline xmlUrl='http://\($0)/feed'/>"
    }
    transport.set("https://tide.example/l", .text("<opml><body>\(outlines.joined())</body></opml>"))
    guard case .list(let feeds, let omission, nil) = try await find("tide.example/l") else {
      Issue.record("no list")
      return
    }
    #expect(
      feeds.map(\.address) == ["http://tide.example/feed", "http://127.0.0.1:8080/feed"])
    #expect(omission == "2 feeds of the list cannot be followed: at a private address")
  }

  @Test func aChosenFeedIsAskedForWithTheReachOfItsPage() async throws {
    let finder = FeedFinder(transport: transport)
    transport.set("https://tide.example/a", feed)
    let chosen = FoundFeed(
      address: "https://tide.example/a", title: "x", reach: .publicAddresses)
    #expect(try await finder.confirmed(chosen).title == "Tides")
    #expect(transport.requests.map(\.reach) == [.publicAddresses])
    await #expect(throws: FeedFindingError.self) {
      try await finder.confirmed(FoundFeed(address: "https://tide.example/none"))
    }
  }

  // MARK: Known sites

  private static let lookup = "https://tide.example/api/v1/accounts/lookup?acct=marit"
  private static let statuses =
    "https://tide.example/api/v1/accounts/42/statuses?limit=40&exclude_replies=true"

  @Test func anAccountIsLookedUp() async throws {
    transport.set(Self.lookup, .text("{\"id\":\"42\",\"acct\":\"marit\"}"))
    transport.set(Self.statuses, .text(Sample.status))
    let expected = FoundFeed(
      address: Self.statuses, title: "@marit@tide.example", namedBy: "@marit@tide.example",
      reach: .privateAddresses)
    #expect(try await found("@marit@tide.example") == expected)
    transport.set("https://tide.example/@marit", page(Sample.alternate("/@marit.rss")))
    #expect(try await found("https://tide.example/@marit")?.address == Self.statuses)
    transport.set("https://tide.example/@marit", .status(401))
    #expect(try await found("https://tide.example/@marit")?.address == Self.statuses)
  }

  @Test func anAccountWithoutAnInterfaceHasRSS() async throws {
    transport.set("https://tide.example/@marit.rss", feed)
    #expect(try await found("@marit@tide.example")?.address == "https://tide.example/@marit.rss")
    for answer in ["{\"error\":\"x\"}", "{\"id\":\"../7\"}", "[]", "<html>"] {
      transport.set(Self.lookup, .text(answer))
      #expect(try await found("@marit@tide.example")?.address == "https://tide.example/@marit.rss")
    }
    #expect(!transport.urls.contains { $0.contains("..") })
    guard case .nothing? = await reason("@other@tide.example") else {
      Issue.record("found")
      return
    }
  }

  @Test func aHandleIsAskedForAtBluesky() async throws {
    let address =
      "https://public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?actor=marit.bsky.social"
      + "&limit=100&filter=posts_no_replies"
    transport.set(address, .text("{\"cursor\":\"1\",\"feed\":[]}"))
    for text in [
      "marit.bsky.social", "@marit.bsky.social", "https://bsky.app/profile/marit.bsky.social",
    ] {
      let found = try await found(text)
      #expect(found?.address == address && found?.title == "@marit.bsky.social")
    }
    #expect(transport.urls.count == 3)
  }

  @Test func aHandlePageOfYouTubeNamesItsChannel() async throws {
    transport.set(
      "https://www.youtube.com/@marit",
      page("<link rel=\"canonical\" href=\"https://www.youtube.com/channel/UC7\">"))
    let address = "https://www.youtube.com/feeds/videos.xml?channel_id=UC7"
    transport.set(address, feed)
    #expect(try await found("https://www.youtube.com/@marit")?.address == address)
  }

  @Test func aKnownSiteWithoutItsFeedIsReadAsAPage() async throws {
    transport.set(
      "https://github.com/marit/tides", page(Sample.alternate("/marit/tides/commits.atom")))
    transport.set("https://github.com/marit/tides/commits.atom", feed)
    #expect(
      try await found("https://github.com/marit/tides")?.address
        == "https://github.com/marit/tides/commits.atom")
    #expect(transport.urls.first == "https://github.com/marit/tides/releases.atom")
    transport.set("https://www.reddit.com/r/tides/.rss", feed)
    #expect(try await found("r/tides")?.address == "https://www.reddit.com/r/tides/.rss")
  }
}
