import Answers
import Feeds
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import TimelineStore

/// Answers of servers that exceed the limits.
@Suite struct AnswerReaderTests {
  /// Answers every request with the same bytes, in pieces, and counts those that were requested.
  private final class Served: HTTPTransport {
    private final class Body: HTTPBodySource {
      private let bytes: [UInt8]
      private let place: Mutex<Int>
      private let piece: Int
      private let served: Served

      init(_ bytes: [UInt8], piece: Int, of served: Served) {
        self.bytes = bytes
        self.piece = piece
        self.served = served
        place = Mutex(0)
      }

      func next() async throws(HTTPError) -> [UInt8]? {
        place.withLock { place in
          let end = min(place + piece, bytes.count)
          defer { place = end }
          served.taken.withLock { $0 += end - place }
          return place == end ? nil : Array(bytes[place..<end])
        }
      }

      func cancel() {}
    }

    let taken = Mutex(0)
    let bytes: [UInt8]
    let piece: Int

    init(_ bytes: [UInt8], piece: Int = 64 << 10) {
      self.bytes = bytes
      self.piece = piece
    }

    convenience init(_ text: String, piece: Int = 64 << 10) {
      self.init(Array(text.utf8), piece: piece)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
      (
        HTTPResponse(status: 200, headers: [:], url: request.url),
        HTTPBody(Body(bytes, piece: piece, of: self))
      )
    }
  }

  private func page(_ served: Served, format: FeedFormat? = nil, atMost count: Int = .max)
    async throws -> Page
  {
    try await PageReader(format: format).page(
      at: HTTPLink("https://a.example/feed", reach: .everywhere),
      limit: PostLimit(count: count, bytes: .max), by: served)
  }

  private static let status =
    "{\"id\":\"1\",\"created_at\":\"2024-01-01T00:00:00Z\",\"content\":\"x\","
    + "\"account\":{\"acct\":\"a\"}}"

  private static let documents: [(before: String, item: String, between: String, after: String)] = [
    ("{\"title\":\"t\",\"items\":[", "{\"id\":\"a\",\"content_text\":\"x\"}", ",", "]}"),
    ("<rss><channel><title>t</title>", "<item><title>x</title></item>", "", "</channel></rss>"),
    (
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>",
      "<entry><title>x</title></entry>", "", "</feed>"
    ),
    ("[", status, ",", "]"),
    ("{\"ancestors\":[],\"descendants\":[", status, ",", "]}"),
    (
      "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"type\":\"OrderedCollection\","
        + "\"orderedItems\":[", "{\"type\":\"Note\",\"content\":\"x\"}", ",", "]}"
    ),
    (
      "{\"feed\":[",
      "{\"post\":{\"uri\":\"at://a/app.bsky.feed.post/1\",\"record\":{\"text\":\"x\"}}}",
      ",", "]}"
    ),
    ("", "{\"id\":\"a\",\"content_text\":\"x\"}", "\n", "\n"),
    ("", "x", "\n\n", "\n"),
  ]

  private static func text(_ index: Int, _ count: Int) -> String {
    let (before, item, between, after) = documents[index]
    return before + String(repeating: item + between, count: count - 1) + item + after
  }

  @Test(arguments: documents.indices)
  func aShortAnswerIsCutAtTheLimit(index: Int) async throws {
    for count in [100, 101, 300] {
      let page = try await page(Served(Self.text(index, count)), atMost: 100)
      #expect(page.posts.count == 100)
      #expect(page.isCut == (count > 100))
      #expect(Set(page.posts.map(\.id)).count == 100)
    }
  }

  /// Only as much is read as shows that there are more posts.
  @Test(arguments: documents.indices.map { ($0, $0 % 2 == 0) })
  func aLongAnswerEndsEarly(index: Int, isPacked: Bool) async throws {
    let count = (7 << 20) / Self.documents[index].item.utf8.count
    let text = Self.text(index, count)
    let served =
      isPacked ? Served(TestArchive.gzip(Array(text.utf8)), piece: 1 << 10) : Served(text)
    let page = try await page(served, atMost: 100)
    #expect(page.posts.count == 100 && page.isCut)
    #expect(Set(page.posts.map(\.id)).count == 100)
    #expect(served.taken.withLock { $0 } < served.bytes.count * 2 / 3)
  }

  /// Reading row by row gives the same result as reading the whole.
  @Test func aLongAnswerIsReadToItsEnd() async throws {
    let words = String(repeating: "tide ", count: 20_000)
    let items = (0..<24).map {
      "{\"id\":\"\($0)\",\"url\":\"/p/\($0)\",\"content_text\":\"\(words)\"}"
    }
    let feed =
      "{\"title\":\"t\",\"items\":[\(items.joined(separator: ","))],"
      + "\"next_url\":\"https://a.example/2\"}"
    let page = try await page(Served(feed, piece: 10_007))
    let whole = try FeedReader.read(Array(feed.utf8), baseURL: "https://a.example/feed")
    #expect(page.posts.map(\.id) == whole.posts.map(\.id))
    #expect(page.posts.last?.url == "https://a.example/p/23")
    #expect(page.posts.last?.body == whole.posts.last?.body)
    #expect(page.info.title == "t" && !page.isCut)
    #expect(page.next == .address(HTTPLink("https://a.example/2", reach: .publicAddresses)))
    let packed = try await self.page(Served(TestArchive.gzip(Array(feed.utf8)), piece: 333))
    #expect(packed.posts == page.posts)
    let twice = TestArchive.gzip(TestArchive.gzip(Array(feed.utf8)))
    #expect(try await self.page(Served(twice, piece: 100)).posts == page.posts)
  }

  @Test func aLongAnswerInAnotherEncodingIsConverted() async throws {
    let words = String(repeating: "潮 ", count: 100_000)
    let items = (0..<16).map {
      "<item><title>潮 \($0)</title><description>\(words)</description></item>"
    }
    let feed =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><rss><channel>\(items.joined())</channel></rss>"
    var bytes: [UInt8] = [0xFF, 0xFE]
    Array(feed.utf16).map(\.littleEndian).withUnsafeBytes { bytes += $0 }
    let page = try await page(Served(bytes))
    #expect(page.posts.count == 16)
    #expect(page.posts.last?.title.plainText == "潮 15")
    #expect(page.posts.last?.damage == nil)
  }

  @Test func brokenGzipIsNotReadAsText() async throws {
    await #expect(throws: PageFailure.self) {
      try await page(Served([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 7, 7, 7, 7, 7, 7]))
    }
  }

  @Test func documentsReadWholeAreBounded() async throws {
    let text =
      "{\"rss\":{\"channel\":{\"item\":["
      + String(repeating: "{\"title\":\"x\"},", count: 2_000_000)
    do throws(PageFailure) {
      _ = try await PageReader(format: nil).page(
        at: HTTPLink("https://a.example/feed", reach: .everywhere), by: Served(text))
      Issue.record("read")
    } catch {
      guard case .tooLarge(AnswerReader.wholeLimit) = error.reason else {
        Issue.record("\(error.reason)")
        return
      }
    }
  }

  /// Posts of much text, or of many paragraphs, are limited by their memory.
  @Test func memoryOfHeldPostsIsBounded() async throws {
    let words = Array(repeating: "a", count: 1_000).joined(separator: "\\n\\n")
    let items = Array(repeating: "{\"content_text\":\"\(words)\"}", count: 100)
    let feed = "{\"items\":[\(items.joined(separator: ","))]}"
    let page = try await PageReader(format: nil).page(
      at: HTTPLink("https://a.example/feed", reach: .everywhere),
      limit: PostLimit(count: .max, bytes: 1 << 20), by: Served(feed))
    #expect((2..<20).contains(page.posts.count) && page.isCut)
  }

  @Test func aThreadIsCutWhileItIsRead() async throws {
    let status = Self.status.dropLast() + ",\"in_reply_to_id\":\"9\"}"
    let context =
      "{\"ancestors\":[],\"descendants\":["
      + String(repeating: status + ",", count: 99_999) + status + "]}"
    let served = Served(context)
    let reader = ThreadReader(transport: served, limit: PostLimit(count: 50, bytes: .max))
    var post = Post(id: "9")
    post.url = "https://a.example/@a/9"
    let thread = try #require(try await reader.thread(of: post))
    #expect(thread.isCut && thread.answers.count == 50)
    #expect(served.taken.withLock { $0 } < served.bytes.count)
  }

  @Test func printingReportsOmittedPosts() async throws {
    for (count, isCut) in [(100, false), (250, true)] {
      let text = Self.text(0, count)
      let reader = try SourceReader(
        source: .url("https://a.example/feed"), format: nil,
        limit: PostLimit(count: 100, bytes: .max)
      ) { Served(text) }
      var posts = 0
      while let more = try await reader.nextUnparsed() { more.readEach { _ in posts += 1 } }
      #expect(posts == 100)
      #expect(
        await reader.omission()
          == (isCut
            ? "https://a.example/feed: only the first 100 posts are kept, the maximum" : nil))
    }
  }

  /// Files that can be read row by row have no limit.
  @Test func aSmallFileIsPrintedWhole() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.text(0, 250), to: "feed.json")
    let reader = try SourceReader(
      source: .file(path), format: nil, limit: PostLimit(count: 100, bytes: .max), transport: nil)
    var posts = 0
    while let more = try await reader.nextUnparsed() { more.readEach { _ in posts += 1 } }
    #expect(posts == 250)
    #expect(await reader.omission() == nil)
  }

  @MainActor @Test func pagingEndsAtThePostLimit() async throws {
    let pages = StubPages()
    let posts = PagedPostSource(url: "https://a.example/1", loader: pages)
    posts.start()
    var page = Page(
      url: "https://a.example/1", format: .jsonfeed, posts: [Post(id: "a"), Post(id: "b")],
      next: .address(HTTPLink("https://a.example/2", reach: .publicAddresses)))
    page.isCut = true
    pages.answer(.success(page))
    #expect(posts.isComplete && pages.pending == nil)
    #expect(posts.message?.text == "2 posts kept, which is the most; the others are left out")
  }
}
