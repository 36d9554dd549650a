import Feeds
import HTTP
import HTTPTransport
import TestSupport
import Testing

@testable import TimelineStore

/// Answers that are truncated, come in an unknown encoding, or ask the client to wait.
@MainActor @Suite(.ownThreads) struct BrokenAnswerTests {
  typealias Step = MisbehavingServer.Step

  private let server: MisbehavingServer

  init() throws { server = try MisbehavingServer() }

  private func reader(_ path: String, format: FeedFormat? = nil) throws -> SourceReader {
    try SourceReader(source: .url(server.url(path)), format: format) {
      CurlTransport(userAgent: "tideline/test")
    }
  }

  /// The posts that are printed of a source.
  private func printed(_ path: String, format: FeedFormat? = nil) async throws -> [Post] {
    let reader = try reader(path, format: format)
    var posts: [Post] = []
    while let more = try await reader.nextUnparsed() { more.readEach { posts.append($0) } }
    return posts
  }

  private nonisolated static let jsonFeed =
    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":["
    + "{\"id\":\"1\",\"content_text\":\"one\"},{\"id\":\"2\",\"content_text\":\"two\"}"
  private nonisolated static let rss =
    "<rss><channel><title>T</title><item><title>one</title></item><item><title>two</title></item>"
  private nonisolated static let long =
    jsonFeed
    + (0..<50).map { number in
      ",{\"id\":\"long \(number)\",\"content_text\":\""
        + String(repeating: "tide ", count: 20_000) + "\"}"
    }.joined()

  /// The received part of an answer, and the number of its first posts that are undamaged.
  private nonisolated static let bodies: [(body: [UInt8], sound: Int)] = [
    (Array((jsonFeed + ",").utf8), 2), (Array((jsonFeed + ",{\"id\":\"3\",\"con").utf8), 2),
    (Array(rss.utf8), 2), (Array((rss + "<item><title>thr").utf8), 2),
    (Array((rss + "</channel></rss>").utf8), 2),
    (Array("{\"id\":\"1\",\"content_text\":\"one\"}\n{\"id\":\"2\",\"title\":\"two\"}\n".utf8), 2),
    (Array("{\"id\":\"1\",\"content_text\":\"one\"}\n{\"id\":\"2\",\"ti".utf8), 1),
    (Array("one\n\ntwo\n".utf8), 2), (Array(long.utf8), 52),
  ]

  private nonisolated static let breaks = ["length", "chunks", "packed"]

  private func steps(_ body: [UInt8], breakingBy kind: String) -> [Step] {
    switch kind {
    case "length": return [.head(length: body.count + 500), .send(body)]
    case "chunks":
      let size = String(body.count + 500, radix: 16)
      return [
        .head(fields: [("Transfer-Encoding", "chunked")]), .send(Array("\(size)\r\n".utf8) + body),
      ]
    default:
      // Without the check sum and the size.
      let packed = Array(TestArchive.gzip(body).dropLast(8))
      return [
        .head(length: packed.count, fields: [("Content-Encoding", "gzip")]), .send(packed),
      ]
    }
  }

  @Test(arguments: bodies.indices, breaks)
  func brokenAnswersAreMarked(index: Int, kind: String) async throws {
    let (body, sound) = Self.bodies[index]
    server.route("/feed", steps(body, breakingBy: kind))
    let posts = try await printed("/feed")
    #expect(posts.prefix(sound).allSatisfy { $0.damage == nil })
    if sound < 3 { #expect(posts[0].title.plainText + posts[0].body.plainText == "one") }
    #expect(posts.count > sound && posts.count <= sound + 3)
    let last = try #require(posts.last)
    #expect(last.isBlank && last.damage?.hasPrefix("the answer is incomplete: ") == true)
    #expect(posts.count { $0.damage?.hasPrefix("the answer is incomplete") == true } == 1)
    let store = TimelineStore(source: try reader("/feed"))
    let changes = Changes(of: store)
    try await store.open()
    store.start()
    await changes.until { store.isComplete }
    #expect(store.failure == nil && store.count == posts.count)
    store.stop()
    server.stop()
  }

  @Test func anAnswerWithoutPostsReportsTheError() async throws {
    for body in ["", "<rss><channel>", "{\"items\":[", "<?xml version=\"1.0\"?>", "<opml><body>"] {
      server.route("/feed", [.head(length: 5_000), .send(Array(body.utf8))])
      let expected = "ended after \(body.utf8.count) of 5000 bytes"
      await #expect {
        try await printed("/feed")
      } throws: {
        ($0 as? SourceError)?.reason.text == expected && ($0 as? SourceError)?.exitStatus == 69
      }
    }
    server.stop()
  }

  @Test func aTruncatedHTMLPageIsNotAFeed() async throws {
    let page = "<!DOCTYPE html><html><head><title>x</title></head><body><p>x"
    server.route("/feed", [.head(length: 5_000), .send(Array(page.utf8))])
    await #expect {
      try await printed("/feed")
    } throws: {
      ($0 as? SourceError)?.reason.text == "an HTML page, not a feed"
    }
    server.stop()
  }

  @Test func aRefreshLoadsMissingPosts() async throws {
    server.route("/feed", [.head(length: 5_000), .send(Array(Self.jsonFeed.utf8))])
    let store = TimelineStore(source: try reader("/feed"))
    let changes = Changes(of: store)
    try await store.open()
    store.start()
    await changes.until { store.isComplete }
    #expect(store.count > 2)
    let whole = Self.jsonFeed + ",{\"id\":\"3\",\"content_text\":\"three\"}]}"
    server.route("/feed", Step.response(body: Array(whole.utf8)))
    store.reload()
    await changes.until { !store.isReloading }
    #expect((0..<store.count).map { store.post(at: $0).id } == ["1", "2", "3"])
    store.stop()
    server.stop()
  }

  // MARK: Packing

  private nonisolated static let whole = Array((jsonFeed + "]}").utf8)
  private nonisolated static let packings: [(body: [UInt8], encoding: String)] = {
    let packed = TestArchive.gzip(whole)
    let halves = TestArchive.gzip(Array(whole.prefix(70))) + TestArchive.gzip(Array(whole[70...]))
    return [
      (whole, "utf-8"), (whole, "foo"), (whole, "none"), (whole, "aws-chunked"), (whole, "UTF-8"),
      (whole, "x-unknown, identity"), (whole, "gzip"), (whole, ""), (packed, "x-unknown, gzip"),
      (packed, "gzip, x-unknown"), (packed, "gzip"), (packed, "x-gzip"), (packed, "foo"),
      (packed + Array("and more".utf8), "gzip"), (packed + [0, 0, 0, 0], "gzip"),
      (packed + [0x1F, 0x8B], "gzip"), (packed + Array(repeating: 0xFF, count: 5_000), "gzip"),
      (halves, "gzip"), (halves + [7], "gzip"),
    ]
  }()

  @Test(arguments: packings.indices) func ignoresContentEncoding(index: Int) async throws {
    let (body, encoding) = Self.packings[index]
    server.route(
      "/feed", [.head(length: body.count, fields: [("Content-Encoding", encoding)]), .send(body)])
    let posts = try await printed("/feed")
    #expect(posts.map(\.id) == ["1", "2"] && posts.allSatisfy { $0.damage == nil })
    #expect(server.seen.paths.count == 1)
    server.stop()
  }

  @Test func damagedGzipIsMarkedAfterItsPosts() async throws {
    var packed = TestArchive.gzip(Self.whole)
    packed[packed.count - 6] ^= 0x55
    server.route("/feed", Step.response(body: packed))
    let posts = try await printed("/feed")
    #expect(posts.map(\.id).prefix(2) == ["1", "2"] && posts.count == 3)
    #expect(posts.last?.damage?.contains("its gzip data is damaged") == true)
    server.stop()
  }

  // MARK: Patience

  @Test func aRefusalSaysWhenToTryAgain() async throws {
    let date = ("Date", "Sun, 06 Nov 1994 08:49:07 GMT")
    let delays: [(fields: [(String, String)], status: Int, text: String)] = [
      ([("Retry-After", "300")], 429, "HTTP status 429 (too many requests); try again in 5 min"),
      ([("Retry-After", "25")], 503, "HTTP status 503 (service unavailable); try again in 25 s"),
      (
        [date, ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")], 429,
        "HTTP status 429 (too many requests); try again in 30 s"
      ),
      (
        [("Retry-After", "864000")], 429,
        "HTTP status 429 (too many requests); try again in an hour at the earliest"
      ),
      ([], 429, "HTTP status 429 (too many requests)"),
      ([("Retry-After", "soon")], 503, "HTTP status 503 (service unavailable)"),
      ([("Retry-After", "-5")], 503, "HTTP status 503 (service unavailable)"),
      ([("Retry-After", "nan")], 429, "HTTP status 429 (too many requests)"),
      (
        [date, ("Retry-After", "Sun, 06 Nov 1994 08:40:37 GMT")], 503,
        "HTTP status 503 (service unavailable)"
      ),
    ]
    for (fields, status, text) in delays {
      server.route("/feed", [.head(status: status, length: 0, fields: fields)])
      await #expect {
        try await printed("/feed")
      } throws: {
        ($0 as? SourceError)?.reason.text == text && ($0 as? SourceError)?.exitStatus == 69
      }
      let store = TimelineStore(source: try reader("/feed"))
      let changes = Changes(of: store)
      try await store.open()
      store.start()
      await changes.until { store.failure != nil }
      #expect(store.message?.text == "\(server.url("/feed")): \(text)")
      store.stop()
    }
    server.stop()
  }
}
