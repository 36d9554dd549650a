import Testing

@testable import TimelineStore

/// The hints after "no such file".
@Suite struct MissingFileHintTests {
  @Test(arguments: [
    ("tide.example", "https://tide.example"),
    ("tide.example/feed.xml", "https://tide.example/feed.xml"),
    ("tide.example:8080/x", "https://tide.example:8080/x"), ("xn--pa-fka.example", nil as String?),
    ("@gauge@tide.example", "https://tide.example/@gauge.rss"),
    ("r/swift", "https://www.reddit.com/r/swift/.rss"),
    ("/r/swift/", "https://www.reddit.com/r/swift/.rss"),
  ])
  func hintsAtAnAddress(name: String, address: String?) throws {
    let hint = try #require(MissingFileHint(name))
    #expect(hint.text.hasSuffix(" \(address ?? "https://\(name)")"))
    let error = SourceError(source: .file(name), reason: .missing)
    #expect(error.message == "\(name): no such file; \(hint.text)")
  }

  @Test(arguments: [
    "", "tides", "tides.rss", "a/b.txt", "./tide.example", "../tide.example", "/tide.example",
    "@gauge",
    "@@tide.example", "@a@b@c.example", "r/a/b", "s/swift", "r/a b", "..", "a..example",
    "-a.example",
    "feed.JSONL", "archive.tar.gz", "1.2.3.4.5", "my file.example x",
  ])
  func filesGetNoHint(name: String) { #expect(MissingFileHint(name) == nil) }
}
