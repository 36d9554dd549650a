import FoundationEssentials
import Testing
import TextLayout

@testable import Feeds

/// Threads, contexts and notifications of networks, lists of feeds, and refused documents.
@Suite struct ThreadTests {
  private func post(_ key: String, _ more: String = "") -> String {
    """
    {"$type":"app.bsky.feed.defs#threadViewPost","post":{"uri":"at://did:x/app.bsky.feed.post/\(key)",
    "author":{"did":"did:x","handle":"gauge.example"},"record":{"text":"post \(key)",
    "createdAt":"2024-03-09T08:05:00Z"}}\(more)}
    """
  }

  @Test func blueskyThreadsAreReadInOrder() throws {
    let gone =
      #"{"$type":"app.bsky.feed.defs#notFoundPost","uri":"at://did:x/app.bsky.feed.post/g","notFound":true}"#
    let parent = post("b", ",\"parent\":\(post("a"))")
    let replies = [post("d", ",\"replies\":[\(post("e"))]"), gone, post("f")].joined(separator: ",")
    let thread = post("c", ",\"parent\":\(parent),\"replies\":[\(replies)]")
    let source = "{\"thread\":\(thread),\"threadgate\":{\"uri\":\"at://x\"}}"
    #expect(try FeedReader.detect(Array(source.utf8)) == .bluesky)
    let document = try read(source)
    #expect(
      document.posts.map(\.body.plainText) == [
        "post a", "post b", "post c", "post d", "post e", "post not found", "post f",
      ])
    #expect(document.posts.allSatisfy { $0.damage == nil })
    // The same in pieces.
    var batcher = RowBatcher(format: .bluesky, offset: 0, as: .styled)
    var posts: [Post] = []
    for byte in source.utf8 { posts += batcher.consume([byte]).posts() }
    posts += try batcher.finish().posts()
    #expect(posts.map(\.body) == document.posts.map(\.body))
  }

  @Test func deepAndCutThreadsAreRead() throws {
    var thread = post("0")
    for depth in 1..<400 { thread = post("\(depth)", ",\"replies\":[\(thread)]") }
    let source = "{\"thread\":\(thread)}"
    #expect(try read(source, format: .bluesky).posts.count > 100)
    for length in stride(from: 20, to: 2_000, by: 7) {
      _ = try? read(String(source.prefix(length)), format: .bluesky)
    }
  }

  private static let account =
    #"{"id":"1","username":"gauge","acct":"gauge","display_name":"Gauge","url":"https://x.example/@gauge"}"#
  private static let status =
    #"{"id":"9","created_at":"2024-03-09T08:05:00Z","content":"<p>tide</p>","account":\#(account)}"#

  @Test(arguments: [
    ("mention", "tide", 0), ("favourite", "likes your post", 1),
    ("reblog", "reposted your post", 1), ("moderation_warning", "moderation warning", 1),
    ("follow", "follows you", 0),
  ])
  func notifications(_ type: String, _ text: String, _ quotes: Int) throws {
    let status = type == "follow" ? "" : ",\"status\":\(Self.status)"
    let source = """
      [{"id":"5","type":"\(type)","created_at":"2024-03-09T08:06:00Z","account":\(Self.account)\(status)}]
      """
    #expect(try FeedReader.detect(Array(source.utf8)) == .mastodon)
    let post = try #require(try read(source).posts.first)
    #expect(post.body.plainText == text)
    #expect(post.quotes.count == quotes)
    #expect(post.author?.name == "Gauge")
    #expect(post.damage == nil)
  }

  @Test func aContextIsATimeline() throws {
    let source = "{\"ancestors\":[\(Self.status)],\"descendants\":[\(Self.status)]}"
    #expect(try read(source).posts.map(\.body.plainText) == ["tide", "tide"])
  }

  /// The object is longer than the bytes that are examined.
  @Test func aLongObjectIsRefused() {
    let members = (0..<9_000).map { "\"package \($0)\": {\"version\": \"1\"}" }
    let source = "{\n\(members.joined(separator: ",\n"))\n}\n"
    #expect(source.utf8.count > 2 * FeedLimits.detectionBytes)
    #expect(failure(source) == .unknownJSON(members: (0..<4).map { "package \($0)" }))
  }

  @Test(arguments: [
    "{\n \"name\": \"tideline\",\n \"version\": \"1\"\n}\n", "{\"feed\":\"x\",\n\"posts\":[1]}\n",
    "{\"error\":\"This method requires an authenticated user\"}",
  ])
  func otherObjectsAreRefused(_ source: String) throws {
    guard case .unknownJSON(let members) = failure(source) else {
      Issue.record("read as a timeline")
      return
    }
    try #require(members.count > 0)
    #expect(source.contains("\"\(members[0])\""))
    #expect(FeedError(.unknownJSON(members: members)).message.contains("expected"))
  }

  @Test(arguments: [
    "{\"level\":\"info\",\"text\":\"started\"}\n", "{\"id\":\"1\",\"title\":\"x\"}",
  ])
  func objectLinesAreJSONLines(_ source: String) throws {
    #expect(try FeedReader.detect(Array(source.utf8)) == .jsonl)
  }

  @Test func unusableAddressesAreCounted() {
    let list = FeedList(
      Array(
        """
        <opml><body><outline xmlUrl="https://x.example/a"/><outline text="Folder"/>
        <outline xmlUrl="ftp://user:secret@x.example/a"/><outline text="Tides" xmlUrl=" "/>
        <outline xmlUrl="javascript:x()"/><outline xmlUrl="ftp://x.example/a"/>
        <outline type="RSS" title="Gone"/><outline xmlUrl="no address"/>
        <outline xmlUrl="http://"/><outline xmlUrl="file:///etc/passwd"/>
        <outline xmlUrl="https://x.example/a"/></body></opml>
        """.utf8))
    #expect(list.addresses == ["https://x.example/a"])
    #expect(
      list.unusable == ["ftp://x.example/a", "“Tides” without an address", "javascript:x()"])
    #expect(list.unusableCount == 7)
    let long = String(repeating: "x", count: 300)
    let one = FeedList(Array("<opml><outline xmlUrl=\"gopher:\(long)\"/></opml>".utf8))
    #expect(one.unusable.map(\.count) == [80])
  }

  @Test func listsOfFeeds() {
    let list = """
      <?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
      <outline text="Sea"><outline text="Tides" type="rss" xmlUrl="https://x.example/feed?a=1&b=2"/>
      <outline text="Again" xmlUrl="https://x.example/feed?a=1&amp;b=2"/></outline>
      <outline text="File" xmlUrl="file:///etc/passwd"/><outline xmlURL="http://y.example/"/>
      <outline xmlUrl="javascript:x()"/></body></opml>
      """
    #expect(FeedList.begins(Array(list.utf8)))
    #expect(!FeedList.begins(Array("<rss/>".utf8)))
    #expect(FeedError(.unknownXML(root: "opml")).message.contains("OPML"))
    #expect(
      FeedList(Array(list.utf8)).addresses
        == ["https://x.example/feed?a=1&b=2", "http://y.example/"])
    let many = (0..<2_000).map { "<outline xmlUrl='http://y.example/\($0)'/>" }.joined()
    let cut = FeedList(Array("<opml>\(many)".utf8), limit: 500)
    #expect(cut.addresses.count == 500 && cut.isCut)
    let deep = String(repeating: "<outline>", count: 10_000)
    #expect(FeedList(Array("<opml>\(deep)".utf8)).addresses.isEmpty)
  }

  @Test func aListThatEndsEarlyIsIncomplete() {
    let feeds = ["a", "bc>d"].map { "<outline text='it' xmlUrl='http://y.example/\($0)'/>" }
    let list = Array("<opml><body>\(feeds.joined())</body></opml>".utf8)
    let whole = FeedList(list + Array("<!-- <it's -->".utf8))
    #expect(whole.addresses == ["http://y.example/a", "http://y.example/bc>d"])
    #expect(whole.incompleteness == nil)
    for count in 5..<list.count {
      let cut = FeedList(Array(list.prefix(count)))
      #expect(whole.addresses.starts(with: cut.addresses), "\(count) bytes")
      #expect(cut.incompleteness?.hasPrefix("the list is incomplete: ") == true)
    }
  }

  @Test(arguments: [260, 5_000]) func aListThatIsNestedTooDeeplyIsIncomplete(depth: Int) {
    let deep = String(repeating: "<outline text='x'>", count: depth)
    let ends = String(repeating: "</outline>", count: depth)
    let feed = "<outline xmlUrl='http://y.example/a'/>"
    let list = FeedList(Array("<opml><body>\(feed)\(deep)\(ends)</body></opml>".utf8))
    #expect(list.addresses == ["http://y.example/a"])
    #expect(
      list.incompleteness == "the list is incomplete: elements nested deeper than is read")
  }

  @Test(
    arguments: [
      259_205.0: "closes in 3 days, 2023-11-17 22:13 UTC",
      3_600: "closes in 1 hour, 2023-11-14 23:13 UTC",
      3: "closes in a moment, 2023-11-14 22:13 UTC", -30: "closed 2023-11-14 22:12 UTC",
    ] as [Double: String])
  func endOfPollIsWritten(_ ahead: Double, _ expected: String) {
    let now = 1_700_000_000.0
    var post = Post(id: "1")
    post.poll = Post.Poll(options: [Post.Poll.Option(title: "Ebb")], closes: now + ahead)
    #expect(PostWriter.plainText(post, now: now).hasSuffix(expected))
  }

  /// The option `--format` determines the items, whatever the name of the root.
  @Test(arguments: [
    (FeedFormat.rss, "<items><item><title>a</title></item></items>"),
    (.atom, "<entries><entry><title>a</title></entry></entries>"),
  ])
  func aForcedFormat(_ format: FeedFormat, _ source: String) throws {
    let posts = try read(source, format: format).posts
    #expect(posts.first?.title.plainText == "a")
    #expect(posts.first?.damage == nil)
    // The root is reported as not belonging to a feed.
    #expect(posts.dropFirst().map { $0.damage != nil && $0.isBlank } == [true])
  }
}
