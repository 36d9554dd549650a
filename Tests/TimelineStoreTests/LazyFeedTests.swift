import Feeds
import FoundationEssentials
import TestSupport
import Testing

@testable import TimelineStore

/// RSS and Atom feeds read row by row, compared with the same bytes read whole.
@MainActor @Suite struct LazyFeedTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8], _ format: FeedFormat) throws -> FilePostSource {
    let path = try folder.write(bytes, to: "feed.xml")
    let file = try FileBytes(path: path)
    let head = try file.read(0..<min(file.size ?? 0, SourceReader.firstChunk))
    let indexer = try FileIndexer(file: file, format: format, head: head, path: path)
    return FilePostSource(source: .file(path), file: file, format: format, indexer: indexer)
  }

  private func count(_ posts: FilePostSource) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    posts.onChange = { _ in continuation.yield() }
    posts.start()
    posts.advance()
    for await _ in changes where posts.isComplete { break }
  }

  private func feed(_ count: Int, _ format: FeedFormat, damaged: Set<Int> = []) -> [UInt8] {
    let words = String(repeating: "The tide comes and goes. ", count: 20)
    let items = (0..<count).map { number in
      let end = damaged.contains(number) ? "</p></div>" : ""
      return format == .rss
        ? "<item><title>n\(number)</title>\n<guid>g\(number)</guid>\(end)"
          + "<description><![CDATA[<p>\(words)</p><item>]]></description></item>"
        : "<entry><title>n\(number)</title>\n<id>g\(number)</id>\(end)"
          + "<link href=\"p\(number)\"/><content type=\"html\">\(words)</content></entry>"
    }.joined(separator: "\n")
    return Array(
      (format == .rss
        ? "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>Tides</title>\n\(items)\n"
          + "<language>en</language></channel></rss>"
        : "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\""
          + " xml:base=\"http://x.example/\"><title>Tides</title>\n\(items)\n</feed>").utf8)
  }

  /// The feed is larger than what is counted before the first frame.
  @Test(arguments: [FeedFormat.rss, .atom]) func rowsEqualThoseOfTheWholeFeed(
    _ format: FeedFormat
  ) async throws {
    let count = 9_000
    let damaged: Set<Int> = [3, 70, 4_711, 8_999]
    let bytes = feed(count, format, damaged: damaged)
    #expect(bytes.count > FileIndexer.smallFile)
    let posts = try open(bytes, format)
    #expect(posts.info.title == "Tides")
    #expect(posts.count > 50)
    #expect(posts.post(at: 0).title.plainText == "n0")
    await self.count(posts)
    #expect(posts.count == count)
    for row in [0, 1, 63, 64, 65, 4_000, count - 1] + damaged {
      let post = posts.post(at: row)
      #expect(post.title.plainText == "n\(row)")
      #expect(post.id == "g\(row)")
      #expect(post.author?.name == "Tides")
      if format == .atom { #expect(post.url == "http://x.example/p\(row)") }
      if format == .rss { #expect(post.language == "en") }
      let line = "XML error in line \(3 + 2 * row + 1): an end of “p” that began nowhere"
      #expect(post.damage == (damaged.contains(row) ? line : nil))
    }
    #expect(posts.failure == nil)
    #expect(posts.message == nil)
  }

  /// The file is read in pieces, and only the requested rows are parsed.
  @Test func openingReadsOnlyTheBeginning() throws {
    let bytes = feed(20_000, .rss)
    let path = try folder.write(bytes, to: "large.xml")
    let file = try FileBytes(path: path)
    let head = try file.read(0..<SourceReader.firstChunk)
    let before = file.bytesReadByPosition
    let indexer = try FileIndexer(file: file, format: .rss, head: head, path: path)
    let posts = FilePostSource(source: .file(path), file: file, format: .rss, indexer: indexer)
    _ = posts.post(at: 0)
    #expect(file.bytesReadByPosition - before < 1 << 20)
  }

  /// The last rows are located from the end; damage there is reported with its line once lines are
  /// counted.
  @Test(arguments: [FeedFormat.rss, .atom]) func theEndIsReadBeforeTheRowsAreCounted(
    _ format: FeedFormat
  ) async throws {
    let count = 20_000
    let posts = try open(feed(count, format, damaged: [count - 1]), format)
    let before = posts.file.bytesReadByPosition
    #expect(posts.count > count / 2 && posts.count < 2 * count && posts.count != count)
    let last = posts.post(at: posts.count - 1)
    #expect(last.title.plainText == "n\(count - 1)")
    let fault = "an end of “p” that began nowhere"
    #expect(last.damage == "XML error in line 2 of the item: \(fault)")
    for row in 2...200 {
      #expect(posts.post(at: posts.count - row).title.plainText == "n\(count - row)")
    }
    #expect(posts.post(at: posts.count / 2).title.plainText.hasPrefix("n"))
    #expect(posts.file.bytesReadByPosition - before < 1 << 20)
    await self.count(posts)
    #expect(posts.count == count)
    #expect(
      posts.post(at: count - 1).damage
        == "XML error in line \(3 + 2 * (count - 1) + 1): \(fault)")
  }

  /// In a long text, whose beginning is not found, items are taken for rows until they are counted.
  @Test func falseItemsDisappearAfterCounting() async throws {
    let tail = String(repeating: "<item><title>no</title></item>\n", count: 50_000)
    var bytes = feed(9_000, .rss)
    let next = Array("<item><title>n8500<".utf8)
    let index = try #require(bytes.firstRange(of: next)?.lowerBound)
    bytes.insert(
      contentsOf: "<item><title>long</title><description><![CDATA[\(tail)]]></description></item>"
        .utf8, at: index)
    let posts = try open(bytes, .rss)
    #expect(posts.post(at: posts.count - 3_000).title.plainText == "no")
    await self.count(posts)
    #expect(posts.count == 9_001)
    #expect(posts.post(at: 8_499).title.plainText == "n8499")
    #expect(posts.post(at: 8_500).title.plainText == "long")
    #expect(posts.post(at: 9_000).title.plainText == "n8999")
  }

  @Test func aPackedFeedIsUnpackedAsItIsRead() async throws {
    // `printf '<rss><channel><title>T</title><item><title>one</title></item></channel></rss>' | gzip -n`
    let packed = try #require(Data(base64Encoded: GzipSample.feed))
    let path = try folder.write(Array(packed), to: "feed.xml.gz")
    let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
    #expect(reader.fileSize == nil)
    var posts: [Post] = []
    while let batch = try await reader.next() { posts += batch.posts }
    #expect(posts.map(\.title.plainText) == ["one"])
    #expect(reader.isRefreshable)
  }
}

enum GzipSample {
  static let feed =
    "H4sIAAAAAAAAA7MpKi62s0nOSMzLS82xsynJLMlJtQux0YcwbDJLUnNhovl5qXBxfYiEPlyjPsgcAOmD5G1NAAAA"
}
