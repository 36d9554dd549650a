import Testing
import TextLayout

@testable import Feeds

@Suite struct BlueskyTests {
  private let document: FeedDocument
  private var posts: [Post] { document.posts }

  init() throws {
    document = try read(SocialSamples.bluesky)
    try #require(document.format == .bluesky)
    try #require(document.posts.count == 4)
  }

  @Test func facetsCountBytes() throws {
    let text = try posts.at(0).body
    #expect(text.plainText == "🌊 tides at charts.example #pier @buoy\n\nsecond")
    let marked = runs(text).filter { $0.1 != .body }
    #expect(marked.map(\.0) == ["charts.example", "#pier", "@buoy"])
    #expect(marked.map(\.1.role) == [.link, .tag, .tag])
    #expect(
      text.links == [
        "https://charts.example/very/long", "https://bsky.app/hashtag/pier",
        "https://bsky.app/profile/did:plc:buoy",
      ])
  }

  @Test func aPost() throws {
    let post = try posts.at(0)
    #expect(post.url == "https://bsky.app/profile/did:plc:gauge/post/3k1")
    #expect(post.author?.name == "Harbour gauge")
    #expect(post.author?.handle == "@gauge.tideline.example")
    #expect(post.author?.avatar == "https://cdn.example/a.jpg")
    #expect(post.published == 1_713_520_800)
    #expect(post.counts == Post.Counts(replies: 3, reposts: 12, likes: 40))
    #expect(post.inReplyTo == "at://did:plc:buoy/app.bsky.feed.post/0")
    #expect(post.tags == ["pier"] && post.language == "en")
    #expect(post.isSensitive && post.contentWarning == nil)
    #expect(
      post.pictures == [
        Post.Picture(
          url: "https://cdn.example/f.jpg", alternativeText: "The pier", width: 1000, height: 750)
      ])
    #expect(post.damage == nil)
  }

  @Test func repostsAndCards() throws {
    #expect(try posts.at(1).repostedBy?.name == "Ferry")
    #expect(try posts.at(1).author?.name == "" && posts.at(1).author?.handle == "@buoy.example")
    #expect(try posts.at(1).card == Post.Card(url: "https://charts.example/", title: "Charts"))
    #expect(try posts.at(1).id != "at://did:plc:buoy/app.bsky.feed.post/3k2")
  }

  @Test func aRecordBesideAFilm() throws {
    #expect(try posts.at(2).pictures.map(\.url) == ["https://video.example/t.jpg"])
    #expect(try posts.at(2).attachments.map(\.url) == ["https://video.example/p.m3u8"])
    let quote = try posts.at(2).quotes.first
    #expect(quote?.body.plainText == "quoted words")
    #expect(quote?.author?.name == "Buoy")
    #expect(quote?.pictures.map(\.alternativeText) == ["Quoted picture"])
  }

  @Test func missingQuotesAreShown() throws {
    #expect(try posts.at(3).quotes.first?.body.plainText == "quoted post: not found")
    #expect(try posts.at(3).body.plainText == "gone")
    #expect(try posts.at(3).damage?.contains("fits no place") == true)
  }

  @Test func cursorsAndOtherLists() throws {
    #expect(document.info.nextCursor == "2024-04-19T00:00:00Z::abc")
    let post =
      #"{"uri":"at://d/app.bsky.feed.post/1","author":{"handle":"a"},"record":{"text":"x"}}"#
    let list = try read("{\"posts\":[\(post)]}")
    #expect(list.format == .bluesky && list.info.nextCursor == nil)
    #expect(list.posts.map(\.body.plainText) == ["x"])
    #expect(try read("\(post)\n\(post)\n").posts.map(\.author?.handle) == ["@a", "@a"])
    #expect(try read("{\"cursor\":\"c\",\"feed\":[]}\n").format == .bluesky)
  }

  @Test func facetsWithinACharacterAreLeftOut() throws {
    for (start, end) in [(1, 3), (3, 2), (0, 0), (-1, 2)] {
      let post = """
        [{"uri":"at://d/app.bsky.feed.post/1","author":{"handle":"a"},"record":{"text":"潮x",\
        "facets":[{"index":{"byteStart":\(start),"byteEnd":\(end)},"features":[{"tag":"t"}]}]}}]
        """
      let read = try read(post, format: .bluesky).posts.first
      #expect(read?.body.plainText == "潮x")
      #expect(read?.damage != nil)
    }
  }
}
