import Testing
import TextLayout

@testable import Feeds

@Suite struct ActivityPubTests {
  private let document: FeedDocument
  private var posts: [Post] { document.posts }

  init() throws {
    document = try read(SocialSamples.outbox)
    try #require(document.format == .activitypub)
    try #require(document.posts.count == 4)
  }

  @Test func aNoteOfAnArchive() throws {
    let post = try posts.at(0)
    #expect(post.id == "https://tideline.example/users/gauge/statuses/1")
    #expect(post.url == "https://tideline.example/@gauge/1")
    #expect(post.body.plainText == "First words")
    #expect(post.author?.handle == "@gauge@tideline.example")
    #expect(post.contentWarning == "Storm" && post.isSensitive)
    #expect(post.language == "en" && post.tags == ["pier"])
    #expect(post.inReplyTo == "https://sea.example/users/buoy/statuses/9")
    #expect(post.published == 1_675_764_000)
    #expect(post.counts == Post.Counts(replies: 2, reposts: 3, likes: 7))
    #expect(post.damage == nil)
  }

  @Test func filesAreRelativeToTheArchive() throws {
    #expect(
      try posts.at(0).pictures == [
        Post.Picture(
          url: "media_attachments/files/1.jpeg", alternativeText: "A pier", width: 800, height: 600)
      ])
    #expect(
      try posts.at(0).attachments == [
        Post.Attachment(
          url: "media_attachments/files/2.mp4", mediaType: "video/mp4", title: "Waves")
      ])
    let remote = try read(SocialSamples.outbox, baseURL: "https://tideline.example/outbox")
    #expect(
      try remote.posts.at(0).pictures.map(\.url)
        == ["https://tideline.example/media_attachments/files/1.jpeg"])
  }

  @Test func anAnnouncedAddressIsALink() throws {
    let post = try posts.at(1)
    #expect(post.repostedBy?.handle == "@gauge@tideline.example")
    #expect(post.author?.handle == "@buoy@sea.example")
    #expect(post.url == "https://sea.example/users/buoy/statuses/42")
    #expect(post.body.plainText == post.url)
    #expect(post.published == 1_675_850_400)
  }

  @Test func objectsWithoutActivities() throws {
    let poll = try #require(posts.at(2).poll)
    #expect(poll.options.map { poll.share(of: $0) } == [0.75, 0.25])
    #expect(try posts.at(2).author?.name == "The ferry")
    #expect(try posts.at(2).author?.avatar == "https://sea.example/f.png")
    #expect(try posts.at(3).body.plainText == "Like https://sea.example/users/buoy/statuses/43")
    let alone = try read(
      """
      {"@context": "https://www.w3.org/ns/activitystreams",
       "type": "Article", "id": "https://x.example/1", "name": "Title", "summary": "Short",
       "content": "<p>Long</p>", "attributedTo": ["https://x.example/@a"], "to": []}
      """)
    #expect(alone.format == .activitypub)
    #expect(alone.posts.map(\.title.plainText) == ["Title"])
    #expect(alone.posts.first?.contentWarning == nil)
  }

  @Test func nextPages() throws {
    #expect(document.info.nextPage == "https://tideline.example/users/gauge/outbox?page=2")
    let empty = try read(
      #"{"id":"https://x.example/o","type":"OrderedCollection","first":"https://x.example/o?page=1"}"#
    )
    #expect(empty.format == .activitypub)
    #expect(empty.posts.isEmpty)
    #expect(empty.info.nextPage == "https://x.example/o?page=1")
    let nested = try read(
      #"{"type":"Collection","@context":"x","first":{"type":"CollectionPage","next":"https://x.example/2","items":["https://x.example/@a/1"]}}"#
    )
    #expect(nested.posts.map(\.url) == ["https://x.example/@a/1"])
    #expect(nested.info.nextPage == "https://x.example/2")
  }
}
