import FoundationEssentials
import TestSupport
import Testing

@testable import Feeds

/// Real feeds that may lie beside the checkout.
@Suite struct SharedFeedTests {
  /// How often `needle` occurs.
  private func count(_ needle: String, in bytes: [UInt8]) -> Int {
    String(decoding: bytes, as: UTF8.self).ranges(of: needle).count
  }

  private struct AnyFeed: Decodable {
    struct Item: Decodable {}
    struct RSS: Decodable { var channel: Channel }
    struct Channel: Decodable { var item: [Item] }
    var items: [Item]?
    var rss: RSS?
  }

  private func expectedCount(_ bytes: [UInt8]) throws -> Int {
    if bytes.first == UInt8(ascii: "{") {
      let feed = try JSONDecoder().decode(AnyFeed.self, from: Data(bytes))
      return feed.items?.count ?? feed.rss?.channel.item.count ?? 0
    }
    return count("</item>", in: bytes) + count("</entry>", in: bytes)
  }

  @Test func everyFileReadsWhole() throws {
    for path in SharedData.files(in: "feeds") {
      let bytes = try SharedData.bytes(path)
      let document = try FeedReader.read(bytes)
      #expect(document.posts.count == (try expectedCount(bytes)), "\(path)")
      #expect(!document.info.title.isEmpty, "\(path)")
      #expect(Set(document.posts.map(\.id)).count == document.posts.count, "\(path)")
      for post in document.posts {
        #expect(post.damage == nil, "\(path): \(post.id): \(post.damage ?? "")")
        #expect(!post.title.isEmpty || !post.body.isEmpty, "\(path): \(post.id)")
        #expect(post.author != nil, "\(path): \(post.id)")
        #expect(!strings(of: post).contains(where: isUnsafe), "\(path): \(post.id)")
        let shown = post.title.plainText + post.body.plainText
        for leftover in ["<p>", "</a>", "&nbsp;", "&#8217;", "&amp;"] {
          #expect(!shown.contains(leftover), "\(path): \(post.id): \(leftover)")
        }
      }
    }
  }

  @Test func datesAndTitlesAreThere() throws {
    for path in SharedData.files(in: "feeds") {
      let bytes = try SharedData.bytes(path)
      let posts = try FeedReader.read(bytes).posts
      let start = path.hasSuffix(".json") ? 0 : posts.count
      // As many dates as items have; a date of the feed itself comes before the first item.
      let names = ["<pubDate>", "<published>", "<dc:date>", "\"date_published\"", "\"guid\""]
      let dated = names.map { count($0, in: bytes) }.max() ?? 0
      let read = posts.compactMap(\.published)
      #expect(read.count >= min(dated, start == 0 ? dated : start), "\(path)")
      #expect(read.allSatisfy { (883_612_800..<1_893_456_000).contains($0) }, "\(path)")
      let isUntitled = ["ScriptingNews.json", "rss_0.92_spec_1.xml"].contains { path.hasSuffix($0) }
      #expect(isUntitled || posts.allSatisfy { !$0.title.isEmpty }, "\(path)")
    }
  }

  @Test func truncatedAnywhereKeepsWhatCameBefore() throws {
    for path in SharedData.files(in: "feeds") {
      let bytes = try SharedData.bytes(path)
      let whole = try FeedReader.read(bytes)
      for part in 1...3 {
        let cut = Array(bytes.prefix(bytes.count * part / 4))
        guard failure(cut) == nil else { continue }
        let document = try FeedReader.read(cut)
        let complete = document.posts.prefix { $0.damage == nil }
        #expect(document.posts.last?.damage != nil, "\(path) cut to \(cut.count)")
        #expect(complete.count >= document.posts.count - 2, "\(path) cut to \(cut.count)")
        #expect(complete.map(\.id) == whole.posts.prefix(complete.count).map(\.id), "\(path)")
      }
    }
  }
}
