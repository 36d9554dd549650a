import FoundationEssentials
import TestSupport
import Testing

@testable import Feeds

/// Feeds and statuses of many programs, if `TIDELINE_SHARED` names a folder that has some.
@Suite(.realData) struct RealFeedTests {
  /// Number of occurrences of `needle`.
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
    for path in try RealData.files(in: "feeds") {
      let bytes = try PackageFiles.bytes(at: path)
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

  @Test func datesAndTitlesAreRead() throws {
    for path in try RealData.files(in: "feeds") {
      let bytes = try PackageFiles.bytes(at: path)
      let posts = try FeedReader.read(bytes).posts
      let start = path.hasSuffix(".json") ? 0 : posts.count
      // As many dates as items; a date of the feed itself comes before the first item.
      let names = ["<pubDate>", "<published>", "<dc:date>", "\"date_published\"", "\"guid\""]
      let dated = names.map { count($0, in: bytes) }.max() ?? 0
      let read = posts.compactMap(\.published)
      #expect(read.count >= min(dated, start == 0 ? dated : start), "\(path)")
      #expect(read.allSatisfy { (883_612_800..<1_893_456_000).contains($0) }, "\(path)")
      let isUntitled = ["ScriptingNews.json", "rss_0.92_spec_1.xml"].contains { path.hasSuffix($0) }
      #expect(isUntitled || posts.allSatisfy { !$0.title.isEmpty }, "\(path)")
    }
  }

  @Test func truncationKeepsCompletePosts() throws {
    for path in try RealData.files(in: "feeds") {
      let bytes = try PackageFiles.bytes(at: path)
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

  @Test func damagedFeedsDoNotCrash() throws {
    for path in try RealData.files(in: "feeds") + RealData.files(in: "mastodon") {
      let bytes = Array(try PackageFiles.bytes(at: path).prefix(12_000))
      for seed in UInt64(1)...12 {
        var generator = SeededGenerator(seed: seed)
        FuzzTests().check(FuzzTests().damaged(bytes, &generator), nil, "\(path), seed \(seed)")
      }
    }
  }

  @Test func aSearchMissesNothing() throws {
    for path in try RealData.files(in: "feeds") + RealData.files(in: "mastodon") {
      let bytes = try PackageFiles.bytes(at: path)
      guard bytes.count < 8 << 20, let format = try? FeedReader.detect(bytes) else { continue }
      RowPrefilterTests().check(bytes, format, 7, path)
    }
  }

  @Test func statusesReadWhole() throws {
    for path in try RealData.files(in: "mastodon") {
      let document = try FeedReader.read(try PackageFiles.bytes(at: path))
      #expect(document.format == .mastodon, "\(path)")
      #expect(!document.posts.isEmpty)
      for post in document.posts {
        #expect(post.damage == nil, "\(path): \(post.damage ?? "")")
        #expect(!post.body.isEmpty && post.author != nil && post.published != nil, "\(path)")
        #expect(!strings(of: post).contains(where: isUnsafe))
      }
    }
  }

  @Test func partsMakeTheWhole() throws {
    var generator = SeededGenerator(seed: 1)
    for path in try RealData.files(in: "feeds") {
      try DocumentReaderTests().expectSame(try PackageFiles.bytes(at: path), &generator)
    }
  }

  /// Stray end tags, a warning before the feed, and removed tags.
  @Test func damageCostsOnlyItsItem() throws {
    var generator = SeededGenerator(seed: 41)
    for path in try RealData.files(in: "feeds") where !path.hasSuffix(".json") {
      let bytes = try PackageFiles.bytes(at: path)
      let whole = try FeedReader.read(bytes).posts
      let markup = XMLMarkup(bytes)
      let starts = BoundaryTests().itemStarts(markup)
      if starts.count > 2 {
        let damaged = Array(bytes[..<starts[2]]) + Array("</p></div>".utf8) + bytes[starts[2]...]
        let posts = try FeedReader.read(damaged).posts
        #expect(posts.filter { !$0.isBlank }.count == whole.count, "\(path): stray end tags")
      }
      let warning = Array("<br />\n<b>Warning</b>: x on line <b>3</b><br />\n".utf8)
      let warned = try FeedReader.read(warning + bytes).posts.filter { !$0.isBlank }
      #expect(warned.count == whole.count, "\(path): a warning")
      let tags = BoundaryTests().tags(in: String(decoding: bytes, as: UTF8.self))
      for _ in 0..<20 {
        guard let tag = tags.randomElement(using: &generator), tag.upperBound <= bytes.count else {
          continue
        }
        var damaged = bytes
        damaged.removeSubrange(tag)
        let left = ((try? FeedReader.read(damaged))?.posts ?? []).filter { !$0.isBlank }
        let removed = String(decoding: bytes[tag].prefix(60), as: UTF8.self)
        #expect(left.count >= whole.count - 1, "\(path) without \(removed) at \(tag.lowerBound)")
      }
    }
  }
}
