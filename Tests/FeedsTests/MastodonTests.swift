import TestSupport
import Testing
import TextLayout

@testable import Feeds

@Suite struct MastodonTests {
  private let posts: [Post]

  init() throws {
    let document = try read(SocialSamples.mastodon)
    #expect(document.format == .mastodon)
    posts = document.posts
    try #require(posts.count == 5)
  }

  @Test func aStatusWithEverything() throws {
    try #require(posts.count > 0)
    let post = posts[0]
    #expect(post.id == "110")
    #expect(post.url == "https://tideline.example/@gauge/110")
    #expect(post.body.plainText == "High water at #pier :wave:\n\ncharts.example/ve…")
    #expect(post.author?.name == "Harbour gauge")
    #expect(post.author?.handle == "@gauge@tideline.example")
    #expect(post.author?.avatar == "https://m.example/a.png")
    #expect(post.published == 1_713_564_888.415)
    #expect(post.modified == 1_713_564_922)
    #expect(post.language == "en")
    #expect(post.inReplyTo == "109")
    #expect(post.tags == ["pier"])
    #expect(post.contentWarning == nil && !post.isSensitive && post.filter == nil)
    #expect(post.counts == Post.Counts(replies: 3, reposts: 12, likes: 40))
    #expect(
      post.card
        == Post.Card(url: "https://charts.example/very/long", title: "Charts & tides"))
    #expect(post.damage == nil)
  }

  @Test func filmsAreShownByTheirPreviews() {
    #expect(
      posts[0].pictures == [
        Post.Picture(
          url: "https://m.example/1.jpeg", alternativeText: "The pier", width: 1600, height: 1200),
        Post.Picture(
          url: "https://m.example/2.png", alternativeText: "Waves", width: 640, height: 480),
        Post.Picture(url: "https://m.example/3.jpeg"),
      ])
    #expect(
      posts[0].attachments == [
        Post.Attachment(url: "https://m.example/2.mp4", mediaType: "gifv", duration: 3.5),
        Post.Attachment(
          url: "https://m.example/4.ogg", mediaType: "audio", title: "Surf", duration: 12),
      ])
  }

  @Test func pollsCountVotersWhereOneMayChooseSeveral() throws {
    try #require(posts.count > 0)
    let poll = try #require(posts[0].poll)
    #expect(poll.options.map(\.title) == ["Ebb", "Flood", "Neither"])
    #expect(poll.options.map { poll.share(of: $0) } == [1, 0.5, nil])
    #expect(poll.closes == 1_714_564_800)
  }

  @Test func quotes() throws {
    try #require(posts.count > 4)
    let quote = posts[0].quotes.first
    #expect(quote?.body.plainText == "Quoted words")
    #expect(quote?.author?.handle == "@buoy@sea.example")
    #expect(posts[4].quotes.first?.body.plainText == "quoted post: revoked")
  }

  @Test func boostsNameBoth() throws {
    try #require(posts.count > 1)
    #expect(posts[1].id == "111")
    #expect(posts[1].repostedBy?.name == "Ferry")
    #expect(posts[1].author?.name == "Buoy")
    #expect(posts[1].body.plainText == "Boosted words")
    #expect(posts[1].contentWarning == "Storm ahead" && posts[1].isSensitive)
  }

  @Test func filters() throws {
    try #require(posts.count > 3)
    #expect(posts[2].contentWarning == "filtered: weather" && posts[2].filter == nil)
    #expect(posts[3].filter == "sport" && posts[3].contentWarning == nil)
  }

  @Test func aFieldOfAnotherTypeIsNamed() throws {
    try #require(posts.count > 4)
    #expect(posts[4].damage == "of an unexpected type: “content”")
  }

  @Test func whatIsNoStatusIsShownAsItIs() throws {
    let posts = try read("[{\"error\":\"not allowed\"}, 7]", format: .mastodon).posts
    try #require(posts.count > 1)
    #expect(posts[0].body.plainText.contains("not allowed") && posts[0].damage == nil)
    #expect(posts[1].damage?.contains("not a JSON object") == true)
  }

  @Test func oneStatusAloneIsARow() throws {
    let status = """
      {
        "id": "1", "created_at": "2024-04-19T22:14:48Z", "content": "<p>alone</p>",
        "account": {"acct": "a@b.example"}, "spoiler_text": "", "items": [1]
      }
      """
    let document = try read(status)
    #expect(document.format == .mastodon)
    #expect(document.posts.map(\.body.plainText) == ["alone"])
    #expect(document.posts.first?.damage == nil)

    let cut = try read(status.firstPart(before: ", \"spoiler"))
    #expect(cut.format == .mastodon)
    #expect(cut.posts.map(\.body.plainText) == ["alone"])
    #expect(cut.posts.first?.damage?.contains("ends inside a value") == true)
  }

  @Test func aThreadsContextIsReadWhole() throws {
    let status = { (id: String) in
      "{\"id\":\"\(id)\",\"content\":\"\(id)\",\"account\":{\"acct\":\"a\"},\"reblog\":null,\"visibility\":\"public\"}"
    }
    let text = "{\"ancestors\":[\(status("a")),\(status("b"))],\"descendants\":[\(status("c"))]}\n"
    let document = try read(text)
    #expect(document.format == .mastodon)
    #expect(document.posts.map(\.id) == ["a", "b", "c"])
  }

  @Test func linesOfStatusesAndEventsAreRecognized() throws {
    let status =
      #"{"id":"5","content":"<p>live</p>","account":{"acct":"a@b.example"},"visibility":"public"}"#
    let event = #"{"stream":["public"],"event":"update","payload":\#(JSONText.quoted(status))}"#
    let document = try read("\(status)\n\(event)\n{\"id\":\"6\",\"content_text\":\"item\"}\n")
    #expect(document.format == .jsonl)
    #expect(document.posts.map(\.body.plainText) == ["live", "live", "item"])
  }

  @Test func statusesInsideStatusesEnd() throws {
    var status = #"{"id":"0","content":"deep","account":{"acct":"a"},"url":"https://x.example/0"}"#
    for index in 1...60 {
      status =
        #"{"id":"\#(index)","content":"x","account":{"acct":"a"},"quote":{"state":"accepted","quoted_status":\#(status)}}"#
    }
    var post = try #require(try read("[\(status)]").posts.first)
    var depth = 0
    while let inner = post.quotes.first {
      depth += 1
      post = inner
    }
    #expect(depth == FeedLimits.nestedPosts)
  }

  @Test func realStatuses() throws {
    for path in SharedData.files(in: "mastodon") {
      let document = try FeedReader.read(try SharedData.bytes(path))
      #expect(document.format == .mastodon, "\(path)")
      #expect(!document.posts.isEmpty)
      for post in document.posts {
        #expect(post.damage == nil, "\(path): \(post.damage ?? "")")
        #expect(!post.body.isEmpty && post.author != nil && post.published != nil, "\(path)")
        #expect(!strings(of: post).contains(where: isUnsafe))
      }
    }
  }
}
