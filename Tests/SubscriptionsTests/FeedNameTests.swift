import Feeds
import Testing

@testable import Subscriptions

@Suite struct FeedNameTests {
  @Test(arguments: [
    ("https://tide.example/feed", FeedName.address("https://tide.example/feed")),
    ("  http://tide.example ", .address("http://tide.example")),
    ("feed:https://tide.example/a", .address("https://tide.example/a")),
    ("feed://tide.example/a", .address("http://tide.example/a")),
    ("tide.example", .address("https://tide.example")),
    ("tide.example/blog?x=1", .address("https://tide.example/blog?x=1")),
    ("tide.example:8080/feed", .address("https://tide.example:8080/feed")),
    ("localhost:80", .address("https://localhost:80")),
    ("//tide.example/a", .address("https://tide.example/a")),
    ("tide.example/@marit", .address("https://tide.example/@marit")),
    ("@marit@Tide.example", .account(user: "marit", host: "tide.example")),
    ("@Marit.tide.example", .bluesky(handle: "marit.tide.example")),
    ("marit.bsky.social", .bluesky(handle: "marit.bsky.social")),
    ("r/tides", .community("tides")), ("/r/tides/", .community("tides")),
  ])
  func whatPeopleHaveIsToldApart(text: String, name: FeedName) {
    #expect(FeedName(text) == name)
  }

  @Test(arguments: [
    "", " ", "tides", "@marit", "@@tide.example", "ftp://tide.example/", "mailto:a@b.example",
    "a b.example", "r/", "r/a/b", "/etc/passwd", "./feed.xml", "javascript:1", "-.example",
    "@marit@tide", "gopher.example..", "data:text/html,x",
  ])
  func otherTextNamesNothing(text: String) { #expect(FeedName(text) == nil) }
}

@Suite struct KnownSiteTests {
  private static let bluesky =
    "https://public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?actor=marit.tide.example"
    + "&limit=100&filter=posts_no_replies"

  @Test(arguments: [
    (
      "https://www.youtube.com/channel/UC_x-1/videos",
      "https://www.youtube.com/feeds/videos.xml?channel_id=UC_x-1"
    ),
    (
      "https://youtube.com/playlist?a=b&list=PL7",
      "https://www.youtube.com/feeds/videos.xml?playlist_id=PL7"
    ),
    ("https://github.com/marit", "https://github.com/marit.atom"),
    ("https://github.com/marit/tides/", "https://github.com/marit/tides/releases.atom"),
    ("https://github.com/marit/tides/tags", "https://github.com/marit/tides/tags.atom"),
    ("https://old.reddit.com/r/tides", "https://www.reddit.com/r/tides/.rss"),
    ("https://www.reddit.com/u/marit", "https://www.reddit.com/user/marit/.rss"),
    ("https://bsky.app/profile/marit.tide.example", bluesky),
  ])
  func feedsFollowFromAddresses(page: String, feed: String) {
    guard case .feed(let address, _)? = KnownSite(page) else {
      Issue.record("\(page)")
      return
    }
    #expect(address == feed)
  }

  @Test func accountsAreLookedUpOnTheirOwnHosts() {
    #expect(
      KnownSite("https://tide.example/@marit")
        == .account(user: "marit", origin: "https://tide.example"))
    #expect(
      KnownSite("https://tide.example/@marit@other.example")
        == .account(user: "marit", origin: "https://other.example"))
    #expect(
      KnownSite(.account(user: "a", host: "b.example"))
        == .account(user: "a", origin: "https://b.example"))
    #expect(KnownSite("https://www.youtube.com/@marit") == .youTubePage)
    #expect(KnownSite("https://m.youtube.com/c/marit") == .youTubePage)
  }

  @Test(arguments: [
    "https://tide.example/", "https://tide.example/@marit.rss", "https://medium.com/@marit",
    "https://tide.example/@marit/1", "https://www.reddit.com/r/tides/.rss",
    "https://github.com/marit/tides/releases.atom", "https://github.com/",
    "https://bsky.app/profile/marit.example/rss", "https://www.youtube.com/watch?v=1",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC1", "https://www.youtube.com/playlist",
    "https://tide.example/@", "ftp://github.com/marit",
  ])
  func otherAddressesAreNotKnown(address: String) { #expect(KnownSite(address) == nil) }
}

@Suite struct FeedCandidatesTests {
  private func candidates(
    _ links: [(address: String, title: String)], type: String = "application/rss+xml",
    page: String = "https://tide.example/"
  ) -> (feeds: [String], comments: [String]) {
    let found = FeedCandidates(
      links.map { PageLinks.Alternate(address: $0.address, type: type, title: $0.title) },
      page: page)
    return (found.feeds.map(\.address), found.comments.map(\.address))
  }

  @Test func commentsComeLast() {
    let blog = "https://tide.example/feed/"
    let found = candidates([
      ("https://tide.example/comments/feed/", "Tides » Kommentarfeed"), (blog, "Tides » Feed"),
      ("https://tide.example/x", "Tides Comments"),
    ])
    #expect(found.feeds == [blog])
    #expect(found.comments.count == 2)
    let article = candidates(
      [(blog, "Tides"), ("https://tide.example/2024/ebb/feed/", "Tides » Ebbe")],
      page: "https://tide.example/2024/ebb/")
    #expect(article.feeds == [blog] && article.comments.count == 1)
  }

  @Test func formatsOfOneFeedAreOneFeed() {
    #expect(
      candidates([("https://a.example/1", "Tides (RSS)"), ("https://a.example/2", "Tides - Atom")])
        .feeds.count == 1)
    #expect(
      candidates([
        ("https://a.example/1", "RSS 2.0"), ("https://a.example/2", "Atom 1.0"),
        ("https://a.example/3", ""),
      ]).feeds == ["https://a.example/1"])
    #expect(
      candidates([("https://a.example/1", "Ebb"), ("https://a.example/2", "Flood")]).feeds.count
        == 2)
    #expect(
      candidates([("https://a.example/1", "Ebb"), ("https://a.example:443/1", "Flood")]).feeds.count
        == 1)
  }

  @Test(arguments: [
    ("application/rss+xml", true), ("application/atom+xml", true), ("application/feed+json", true),
    ("application/json", true), ("application/json+oembed", false), ("text/html", false),
    ("application/activity+json", false), ("", false), ("application/manifest+json", false),
  ])
  func onlyFeedsCount(type: String, isFeed: Bool) {
    #expect(candidates([("https://a.example/1", "")], type: type).feeds.isEmpty != isFeed)
  }

  @Test func theInterfaceOfWordPressIsNoFeed() {
    let links = [
      ("https://a.example/wp-json/wp/v2/pages/2", "JSON"), ("https://a.example/oembed?x", ""),
    ]
    #expect(candidates(links, type: "application/json").feeds.isEmpty)
  }
}
