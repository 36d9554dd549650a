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

  @Test func statusFieldsAreRead() throws {
    let post = try posts.at(0)
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

  @Test func filmsAreShownByTheirPreviews() throws {
    #expect(
      try posts.at(0).pictures == [
        Post.Picture(
          url: "https://m.example/1.jpeg", alternativeText: "The pier", width: 1600, height: 1200),
        Post.Picture(
          url: "https://m.example/2.png", alternativeText: "Waves", width: 640, height: 480),
        Post.Picture(url: "https://m.example/3.jpeg"),
      ])
    #expect(
      try posts.at(0).attachments == [
        Post.Attachment(url: "https://m.example/2.mp4", mediaType: "gifv", duration: 3.5),
        Post.Attachment(
          url: "https://m.example/4.ogg", mediaType: "audio", title: "Surf", duration: 12),
      ])
  }

  @Test func multipleChoicePollsCountVoters() throws {
    let poll = try #require(posts.at(0).poll)
    #expect(poll.options.map(\.title) == ["Ebb", "Flood", "Neither"])
    #expect(poll.options.map { poll.share(of: $0) } == [1, 0.5, nil])
    #expect(poll.closes == 1_714_564_800)
  }

  @Test func quotes() throws {
    let quote = try posts.at(0).quotes.first
    #expect(quote?.body.plainText == "Quoted words")
    #expect(quote?.author?.handle == "@buoy@sea.example")
    #expect(try posts.at(4).quotes.first?.body.plainText == "quoted post: revoked")
  }

  @Test func boostsNameBoth() throws {
    #expect(try posts.at(1).id == "111")
    #expect(try posts.at(1).repostedBy?.name == "Ferry")
    #expect(try posts.at(1).author?.name == "Buoy")
    #expect(try posts.at(1).body.plainText == "Boosted words")
    #expect(try posts.at(1).contentWarning == "Storm ahead" && posts.at(1).isSensitive)
  }

  @Test func filters() throws {
    #expect(try posts.at(2).contentWarning == "filtered: weather" && posts.at(2).filter == nil)
    #expect(try posts.at(3).filter == "sport" && posts.at(3).contentWarning == nil)
  }

  @Test func wrongFieldTypesAreReported() throws {
    #expect(try posts.at(4).damage == "of an unexpected type: “content”")
  }

  @Test func otherObjectsAreShownAsText() throws {
    let posts = try read("[{\"error\":\"not allowed\"}, 7]", format: .mastodon).posts
    #expect(try posts.at(0).body.plainText.contains("not allowed") && posts.at(0).damage == nil)
    #expect(try posts.at(1).damage?.contains("not a JSON object") == true)
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

  @Test func contextsAreReadInOrder() throws {
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
    let event =
      #"{"stream":["public"],"event":"update","payload":\#(JSONStringEscaping.quoted(status))}"#
    let document = try read("\(status)\n\(event)\n{\"id\":\"6\",\"content_text\":\"item\"}\n")
    #expect(document.format == .jsonl)
    #expect(document.posts.map(\.body.plainText) == ["live", "live", "item"])
  }

  @Test func nestedStatusesAreBounded() throws {
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
}
