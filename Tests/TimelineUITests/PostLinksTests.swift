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
}
