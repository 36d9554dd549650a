import Testing

@testable import Feeds

/// Limits on documents with very many items, and on items with very many parts.
@Suite struct PostLimitTests {
  private static let documents: [(before: String, item: String, between: String, after: String)] = [
    (
      before: "{\"items\":[", item: "{\"id\":\"a\",\"content_text\":\"x\"}", between: ",",
      after: "]}"
    ),
    ("{\"title\":\"t\",\"items\":[", "{}", ",", "]}"),
    ("{\"rss\":{\"channel\":{\"item\":[", "{\"title\":\"x\"}", ",", "]}}}"),
    ("<rss><channel>", "<item/>", "", "</channel></rss>"),
    ("", "x", "\n\n", ""),
  ]

  private static func list(_ item: String, _ count: Int, _ separator: String = ",") -> String {
    Array(repeating: item, count: count).joined(separator: separator)
  }

  @Test(arguments: documents.indices)
  func documentPostsAreLimited(index: Int) throws {
    let document = Self.documents[index]
    for count in [99, 100, 101, 1_000] {
      let items = Self.list(document.item, count, document.between)
      let bytes = Array((document.before + items + document.after).utf8)
      let format = try FeedReader.detect(bytes)
      var reader = try FeedReader.open(bytes, format: format, atMost: 100)
      #expect((reader.ending == .atLimit) == (count > 100), "\(document.before)")
      #expect(reader.lengths.count == min(count, 100), "\(document.before)")
      // Empty items alone are an error, which does not matter here.
      let posts = try? reader.next(atMost: .max)
      #expect(posts.map(\.count) ?? min(count, 100) == min(count, 100), "\(document.before)")
    }
  }

  @Test func postsAreHeldUpToTheirNumberAndMemory() {
    var few = LimitedPosts(PostLimit(count: 3, bytes: .max))
    for _ in 0..<3 { few.add(Post(id: "a")) }
    #expect(few.posts.map(\.id) == ["a", "a#2", "a#3"] && !few.isCut)
    few.add(Post(id: "b"))
    #expect(few.posts.count == 3 && few.isCut)
    var small = LimitedPosts(PostLimit(count: .max, bytes: 10_000))
    var post = Post(id: "")
    post.body = .init(String(repeating: "tide ", count: 1_000))
    for _ in 0..<10 { small.add(post) }
    #expect(small.posts.count == 2 && small.isCut)
  }

  /// Paragraphs and similar parts take many times the memory of their source.
  @Test func footprintGrowsWithThePost() {
    var post = Post(id: "a")
    let empty = post.footprint
    post.body = .init(Array(repeating: "x", count: 1_000).joined(separator: "\n\n"))
    let text = post.footprint
    #expect(text - empty > 100_000)
    post.attachments = (0..<1_000).map { Post.Attachment(url: "http://a.example/\($0)") }
    #expect(post.footprint - text > 1_000 * MemoryLayout<Post.Attachment>.stride)
    var quoting = Post(id: "b")
    quoting.quotes = [post]
    #expect(quoting.footprint > post.footprint)
  }

  private func post(_ item: String) throws -> Post {
    try #require(try FeedReader.read(Array("{\"items\":[\(item)]}".utf8)).posts.first)
  }

  @Test func anItemOfTooManyValuesIsMarked() throws {
    let tags = Self.list("0", FeedLimits.itemValues)
    let post = try post("{\"content_text\":\"x\"},{\"content_text\":\"x\",\"tags\":[\(tags)]}")
    #expect(post.damage == nil)
    let all = try FeedReader.read(
      Array("{\"items\":[{\"content_text\":\"x\",\"tags\":[\(tags)]},{\"title\":\"y\"}]}".utf8))
    #expect(all.posts.first?.damage?.contains("more than 250000 values") == true)
    #expect(all.posts.last?.title.plainText == "y")
  }

  @Test func aTextOfTooManyElementsIsCutAndMarked() throws {
    let html = Self.list("<b>a</b> ", FeedLimits.itemElements + 10, "")
    let bold = try post("{\"content_html\":\"\(html)\"}")
    // One element contains all the others.
    #expect(bold.body.plainText.utf8.count == 2 * (FeedLimits.itemElements - 1) - 1)
    #expect(bold.damage == "HTML of more than 50000 elements: the rest is left out")
    let long = Self.list("<p>a", FeedLimits.paragraphs + 10, "")
    let text = try post("{\"content_html\":\"\(long)\"}")
    #expect(text.body.paragraphs.count == FeedLimits.paragraphs)
    #expect(text.damage == "more than 20000 paragraphs: the rest is left out")
  }

  @Test(arguments: ["content_text", "content_html"])
  func aTextOfTooManyLinesIsCutAndMarked(field: String) throws {
    let text = Self.list("a", FeedLimits.textLines, "\\n\\n")
    let post = try post("{\"\(field)\":\"\(text)\"}")
    #expect(post.body.paragraphs.count == FeedLimits.textLines / 2)
    #expect(post.damage == "more than 40000 lines: the rest is left out")
  }

  // MARK: Lists of feeds

  private func list(of count: Int, limit: Int = FeedList.limit) -> FeedList {
    let feeds = (0..<count).map { "<outline xmlUrl=\"http://a.example/\($0)\"/>" }
    return FeedList(Array("<opml><body>\(feeds.joined())</body></opml>".utf8), limit: limit)
  }

  @Test func aCutListIsMarked() {
    #expect(list(of: 700).addresses.count == 700)
    #expect(!list(of: 10, limit: 10).isCut)
    let cut = list(of: 11, limit: 10)
    #expect(cut.addresses.count == 10 && cut.isCut)
    let empty = Self.list("<outline/>", FeedLimits.itemElements, "")
    let late = "<outline xmlUrl=\"http://a.example/\"/>"
    let long = FeedList(Array("<opml><body>\(empty)\(late)</body></opml>".utf8))
    #expect(long.addresses.isEmpty && long.isCut)
  }
}
