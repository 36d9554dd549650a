import Testing

@testable import Feeds

/// A file without a title is shown with its name.
@Suite struct FileNameTests {
  @Test(arguments: [
    ("https://x.example/a/episode-12.mp3", "episode-12.mp3"),
    ("https://x.example/episode%2012%20%E2%80%93%20tides.mp3?key=1#t=5", "episode 12 – tides.mp3"),
    ("https://x.example/o/audio%2Fepisode.mp3?alt=media", "episode.mp3"),
    ("https://x.example/%FFa.mp3", "%FFa.mp3"), ("https://x.example/a%1B%5B31m.mp3", "a.mp3"),
    ("https://x.example/a%E2%80%AEgp3.mp3", "agp3.mp3"), ("https://x.example/a%0Ab.mp3", "a b.mp3"),
    ("https://x.example/a/", nil), ("https://x.example", nil), ("https://x.example/stream", nil),
    ("https://x.example/.mp3", nil), ("https://x.example/a.", nil), ("a.mp3", "a.mp3"),
  ])
  func ofAnAddress(address: String, name: String?) throws {
    #expect(FeedAddress.fileName(of: address) == name)
    let item = "<item><title>t</title><enclosure url=\"\(address)\" type=\"audio/mpeg\"/></item>"
    let file = try read(rss(item), baseURL: "https://x.example/").posts.at(0).attachments.at(0)
    #expect(file.shownName == name ?? file.url)
    #expect(!isUnsafe(file.shownName))
  }

  @Test func aTitleComesFirstAndALongNameIsCut() {
    let named = Post.Attachment(url: "https://x.example/a.mp3", title: "High water")
    #expect(named.shownName == "High water")
    let long = Post.Attachment(
      url: "https://x.example/" + String(repeating: "a", count: 200) + "-part-2.mp3")
    #expect(long.shownName.count == FeedAddress.longestFileName)
    #expect(long.shownName.hasSuffix("a-part-2.mp3"))
  }
}
