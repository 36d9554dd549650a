import Feeds
import Testing

@testable import TimelineUI

@Suite struct PostLinksTests {
  @Test func archivePicturesAreNotLinks() {
    var post = Post(id: "p")
    post.pictures = [
      Post.Picture(url: "archive:1/media_attachments/boat.png"),
      Post.Picture(url: "https://harbour.example/boat.png"),
    ]
    let links = PostLinks(of: post, isRevealed: true).links
    #expect(links.map(\.address) == ["https://harbour.example/boat.png"])
  }

  /// The quote shows its title, pictures and files, so their links open as well.
  @Test func quotesGiveAllTheirLinks() {
    var quote = Post(id: "q")
    quote.url = "https://harbour.example/q"
    quote.pictures = [Post.Picture(url: "https://harbour.example/boat.png")]
    quote.attachments = [
      Post.Attachment(url: "https://harbour.example/tides.pdf", mediaType: "application/pdf")
    ]
    var post = Post(id: "p")
    post.url = "https://harbour.example/p"
    post.quotes = [quote]
    let addresses = { PostLinks(of: post, isRevealed: $0).links.map(\.address) }
    let all = ["p", "q", "boat.png", "tides.pdf"].map { "https://harbour.example/\($0)" }
    #expect(addresses(false) == all)
    post.quotes[0].isSensitive = true
    #expect(addresses(false) == all.filter { !$0.hasSuffix("boat.png") })
    #expect(addresses(true) == all)
  }
}
