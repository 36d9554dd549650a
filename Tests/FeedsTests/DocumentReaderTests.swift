import TestSupport
import Testing
import TextLayout

@testable import Feeds

/// Documents whose posts are read in parts.
@Suite struct DocumentReaderTests {
  /// Sources of every format: sound ones, with repeated ids, with damage inside and outside of
  /// items, and with bytes that are no text.
  private static let sources: [[UInt8]] = {
    let items = (0..<40).map {
      "<item><guid>p\($0 / 2)</guid><title>Post \($0)</title><description>&lt;p>\($0) &check; of"
        + " &lt;img src=\"http://x.example/\($0).png\">&lt;/p></description></item>"
    }
    let posts = (0..<40).map { #"{"id":"p\#($0 % 7)","content_html":"<p>Post \#($0)</p>"}"# }
    let feed = #"{"version":"https://jsonfeed.org/version/1.1","title":"Tides","items":["#
    let end = #"],"home_page_url":"http://x.example","icon":"/i.png"}"#
    var texts = [
      rss(items.joined(separator: "\n")),
      rss(items.joined(), head: "") + "<trailing>",
      rss(items.prefix(20).joined() + "<item><title>cut"),
      rss(items.joined() + "<title>Behind</title><image><url>http://x.example/i</url></image>"),
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Tides</title>"
        + items.map { $0.replacing("item>", with: "entry>").replacing("guid>", with: "id>") }
        .joined()
        + "</feed>",
      feed + posts.joined(separator: ",") + "]}",
      feed + posts.joined(separator: ",") + end,
      feed + posts.joined(separator: ",") + #",{"id":"cut"#,
      feed + "]}", rss(""),
      posts.joined(separator: "\n"),
    ]
    texts += SocialSamples.all.map(\.1)
    return texts.map { Array($0.utf8) } + [
      Array(feed.utf8) + [0x7B, 0x22, 0xFF] + Array("\":1}]}".utf8)
    ]
  }()

  private func open(_ bytes: [UInt8]) throws -> DocumentReader {
    try FeedReader.open(bytes, format: FeedReader.detect(bytes))
  }

  func expectSame(_ bytes: [UInt8], _ generator: inout SeededGenerator) throws {
    let whole = try FeedReader.read(bytes)
    var reader = try open(bytes)
    #expect(reader.info == whole.info)
    #expect(reader.lengths.count == whole.posts.count)
    for (index, post) in whole.posts.enumerated() {
      var alone = reader.post(at: index)
      #expect(post.id == alone.id || post.id.hasPrefix(alone.id + "#"))
      alone.id = post.id
      #expect(alone == post)
    }
    var posts: [Post] = []
    while !reader.isAtEnd {
      let count = Int.random(in: 1...9, using: &generator)
      let limit =
        Bool.random(using: &generator) ? Int.max : Int.random(in: 1...2_000, using: &generator)
      let part = try reader.next(atMost: count, within: limit)
      #expect(!part.isEmpty)
      posts += part
    }
    #expect(posts == whole.posts)
    #expect(try reader.next(atMost: 1).isEmpty)
  }

  @Test(arguments: Rounds.seeds(5)) func partsMakeTheWhole(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for bytes in Self.sources { try expectSame(bytes, &generator) }
  }

  @Test func aPartEndsWithThePostThatFillsIt() throws {
    let items = (0..<9).map {
      "<item><title>\(String(repeating: "\($0)", count: 1_000))</title></item>"
    }
    var reader = try open(Array(rss(items.joined()).utf8))
    #expect(try reader.next(atMost: 9, within: 2_500).count == 3)
    #expect(try reader.next(atMost: 9, within: 1).count == 1)
    #expect(try reader.next(atMost: 2, within: .max).count == 2)
    #expect(!reader.isAtEnd)
    #expect(try reader.next(atMost: .max).count == 3)
    #expect(reader.isAtEnd)
  }

  @Test func nextReadsUntilAPostIsSound() throws {
    // The first is no post at all; only the rest shows whether the document is readable.
    let bad = #"{"version":"https://jsonfeed.org/version/1.1","items":[{]}"#
    for more in ["", #","home_page_url":"x"#] {
      let text = bad.dropLast() + more + "}"
      let whole = failure(String(text))
      var reader: DocumentReader?
      var parts: FeedError.Kind?
      do throws(FeedError) {
        reader = try FeedReader.open(Array(text.utf8), format: .jsonfeed)
        _ = try reader?.next(atMost: 1)
      } catch {
        parts = error.kind
      }
      #expect(whole == parts)
    }
    let sound =
      (0..<4).map { _ in "<item><\u{1}></item>" }.joined() + "<item><title>x</title></item>"
    let bytes = Array(rss(sound).utf8)
    var reader = try open(bytes)
    let first = try reader.next(atMost: 1)
    let whole = try FeedReader.read(bytes).posts
    #expect(first == Array(whole.prefix(first.count)))
    #expect(first.contains { !$0.isBlank })
  }
}
