import Feeds
import HTTP
import HTTPTransport
import TestSupport
import Testing

@testable import TimelineStore

/// Timelines in pages over real HTTP, from correct and faulty servers.
@MainActor @Suite struct PagingServerTests {
  typealias Step = MisbehavingServer.Step
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer() }

  private func open(_ path: String) async throws -> (TimelineStore, Changes) {
    let source = try SourceReader(source: .url(server.url(path)), format: nil) {
      CurlTransport(userAgent: "tideline/test")
    }
    let store = TimelineStore(source: source)
    let changes = Changes(of: store)
    try await store.open()
    store.start()
    await changes.until { store.count > 0 || store.failure != nil }
    return (store, changes)
  }

  private func feed(_ numbers: some Sequence<Int>, next: String? = nil) -> [Step] {
    let items = numbers.map { "{\"id\":\"p\($0)\",\"content_text\":\"Post \($0)\"}" }
    let link = next.map { "\"next_url\":\"\($0)\"," } ?? ""
    let body =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\(link)"
      + "\"items\":[\(items.joined(separator: ","))]}"
    return Step.response(type: "application/feed+json", body: Array(body.utf8))
  }

  private func ids(_ store: TimelineStore) -> [String] {
    (0..<store.count).map { store.post(at: $0).id }
  }

  @Test(arguments: [ServedTimeline.Form.jsonFeed, .linkHeader])
  func pagesAreOneTimeline(form: ServedTimeline.Form) async throws {
    let served = ServedTimeline(95, pageSize: 20, form: form, of: server)
    let (store, changes) = try await open(served.path)
    #expect(store.count == 20 && !store.isComplete)
    store.didShow(rows: 0..<6)
    #expect(store.activity.isEmpty)
    store.didShow(rows: 3..<9)
    #expect(store.activity == "loading page 2")
    await changes.until { store.count == 40 }
    // New posts on top are neither lost nor duplicated.
    served.add(7)
    #expect(store.seek(.end))
    #expect(store.activity == "seeking, any key stops: 40 posts, page 3")
    await changes.until { store.isComplete }
    #expect(ids(store) == (1...95).reversed().map { "p\($0)" })
    #expect(changes.found == [.end])
    #expect(server.seen.mostOpen == 1)
    #expect(!store.seek(.end))
    store.reload()
    await changes.until { store.count == 102 }
    #expect(ids(store) == (1...102).reversed().map { "p\($0)" })
    store.stop()
    server.stop()
  }

  @Test func theCursorIsSentToTheServer() async throws {
    func page(_ numbers: ClosedRange<Int>, cursor: String?) -> [Step] {
      let posts = numbers.map {
        "{\"post\":{\"uri\":\"at://did:plc:a/app.bsky.feed.post/\($0)\",\"cid\":\"c\($0)\","
          + "\"author\":{\"did\":\"did:plc:a\",\"handle\":\"gauge.example\"},\"record\":"
          + "{\"$type\":\"app.bsky.feed.post\",\"text\":\"Post \($0)\","
          + "\"createdAt\":\"2024-01-01T00:00:00Z\"},\"indexedAt\":\"2024-01-01T00:00:00Z\"}}"
      }
      let cursor = cursor.map { ",\"cursor\":\"\($0)\"" } ?? ""
      return Step.response(
        type: "application/json",
        body: Array("{\"feed\":[\(posts.joined(separator: ","))]\(cursor)}".utf8))
    }
    server.route("/xrpc/feed?actor=a&limit=3", page(1...3, cursor: "x/2 3"))
    server.route("/xrpc/feed?actor=a&limit=3&cursor=x%2F2%203", page(4...6, cursor: "end"))
    server.route("/xrpc/feed?actor=a&limit=3&cursor=end", page(7...8, cursor: nil))
    let (store, changes) = try await open("/xrpc/feed?actor=a&limit=3")
    #expect(store.seek(.end))
    await changes.until { store.isComplete }
    #expect(store.count == 8 && store.message == nil)
    store.stop()
    server.stop()
  }

  @Test func aCollectionLoadsPages() async throws {
    func page(_ numbers: ClosedRange<Int>, next: String?) -> [Step] {
      let items = numbers.map {
        "{\"type\":\"Create\",\"id\":\"https://a.example/\($0)/activity\",\"object\":{\"type\":"
          + "\"Note\",\"id\":\"https://a.example/\($0)\",\"content\":\"<p>Post \($0)</p>\"}}"
      }
      let next = next.map { "\"next\":\"\($0)\"," } ?? ""
      let body =
        "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"type\":\"OrderedCollectionPage\","
        + "\(next)\"orderedItems\":[\(items.joined(separator: ","))]}"
      return Step.response(type: "application/activity+json", body: Array(body.utf8))
    }
    let outbox =
      "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"type\":\"OrderedCollection\","
      + "\"totalItems\":5,\"first\":\"\(server.url("/outbox?page=1"))\"}"
    server.route("/outbox", Step.response(type: "application/json", body: Array(outbox.utf8)))
    server.route("/outbox?page=1", page(1...3, next: server.url("/outbox?page=2")))
    server.route("/outbox?page=2", page(4...5, next: nil))
    let (store, changes) = try await open("/outbox")
    #expect(store.count == 3)
    #expect(store.seek(.row(4)))
    await changes.until { store.count == 5 }
    #expect(store.isComplete && store.message == nil)
    store.stop()
    // Printing fetches the first posts, too.
    let reader = try SourceReader(source: .url(server.url("/outbox")), format: nil) {
      CurlTransport(userAgent: "tideline/test")
    }
    #expect(try await reader.next()?.posts.count == 3)
    server.stop()
  }

  /// RFC 5005; the address of the second page is relative to the first one's.
  @Test func atomFeedsFollowTheNextLink() async throws {
    func page(_ numbers: ClosedRange<Int>, next: String?) -> [Step] {
      let entries = numbers.map {
        "<entry><id>p\($0)</id><title>Post \($0)</title>"
          + "<updated>2024-01-01T00:00:00Z</updated></entry>"
      }
      let link = next.map { "<link rel=\"next\" href=\"\($0)\"/>" } ?? ""
      let feed =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(link)\(entries.joined())</feed>"
      return Step.response(type: "application/atom+xml", body: Array(feed.utf8))
    }
    server.route("/blog/atom.xml", page(1...3, next: "atom.xml?page=2&amp;x=1"))
    server.route("/blog/atom.xml?page=2&x=1", page(4...5, next: nil))
    let (store, changes) = try await open("/blog/atom.xml")
    #expect(store.seek(.end))
    await changes.until { store.isComplete }
    #expect(ids(store) == (1...5).map { "p\($0)" } && store.message == nil)
    store.stop()
    server.stop()
  }

  @Test func filesDoNotFetch() async throws {
    let folder = try TemporaryFolder()
    let served = ServedTimeline(60, pageSize: 20, of: server)
    let url = server.url(served.path)
    let path = try folder.write(
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"next_url\":\"\(url)\","
        + "\"items\":[{\"id\":\"1\",\"content_text\":\"one\"}]}", to: "feed.json")
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    let changes = Changes(of: store)
    try await store.open()
    store.start()
    await changes.until { store.isComplete }
    store.didShow(rows: 0..<1)
    #expect(store.info.nextPage == url && !store.seek(.end))
    #expect(store.count == 1 && server.seen.paths.isEmpty)
    store.stop()
    server.stop()
  }

  /// Faults of a server in the place of page 2, and their messages.
  private var faults: [(steps: [Step], message: String)] {
    [
      (
        Step.response(status: 503),
        "page 2: HTTP status 503 (service unavailable); r tries again"
      ),
      (
        [.head(status: 429, length: 0, fields: [("Retry-After", "0")])],
        "page 2: HTTP status 429 (too many requests); r tries again"
      ),
      (
        Step.response(
          type: "text/html", body: Array("<!doctype html><html><body>Hello</body></html>".utf8)),
        "page 2: an HTML page, not a feed; r tries again"
      ),
      (
        [.head(length: 5_000), .send(Array("{\"items\":[".utf8))],
        "page 2: ended after 10 of 5000 bytes; r tries again"
      ),
      (
        Step.response(
          type: "application/rss+xml",
          body: Array("<rss><channel><item><title>x</title></item></channel></rss>".utf8)),
        "page 2: it is rss, and the timeline began as jsonfeed; r tries again"
      ),
      (
        Step.response(type: "text/plain", body: Array("Bad gateway\n".utf8)),
        "page 2: it is text, and the timeline began as jsonfeed; r tries again"
      ),
      ([], "page 2: cannot reach 127.0.0.1:\(server.port): "),
    ]
  }

  @Test(arguments: 0..<7) func aMissingPageIsReportedAndRetried(_ index: Int) async throws {
    let served = ServedTimeline(60, pageSize: 20, of: server)
    let (store, changes) = try await open(served.path)
    served.answer(page: 2, once: faults[index].steps)
    store.didShow(rows: 10..<20)
    await changes.until { store.message != nil }
    #expect(store.message?.text.hasPrefix(faults[index].message) == true)
    #expect(store.count == 20 && !store.isComplete)
    // The frame that shows the message requests nothing.
    store.didShow(rows: 10..<20)
    #expect(store.activity == "")
    store.didShow(rows: 11..<20)
    await changes.until { store.count == 40 }
    #expect(store.message == nil)
    #expect(server.seen.paths.count == 3)
    store.stop()
    server.stop()
  }

  @Test func cancellingEndsARequestThatHangs() async throws {
    let served = ServedTimeline(60, pageSize: 20, of: server)
    let (store, changes) = try await open(served.path)
    store.didShow(rows: 0..<5)
    served.answer(page: 2, once: [.hang])
    #expect(store.seek(.end))
    await server.until { $0.paths.count == 2 }
    store.cancelSeek()
    await server.until { $0.hungUp.count == 1 }
    await changes.until { store.activity.isEmpty }
    #expect(store.message == nil && store.count == 20)
    // Closing the timeline cancels the request as well.
    served.answer(page: 2, once: [.hang])
    store.didShow(rows: 15..<20)
    await server.until { $0.paths.count == 3 }
    store.stop()
    await server.until { $0.hungUp.count == 2 }
    server.stop()
  }

  @Test func pagesThatLeadNowhereEndTheTimeline() async throws {
    let ends: [(next: String, message: String)] = [
      ("/feed", "the timeline ends here: page 1 leads back to itself"),
      (
        "file:///etc/passwd",
        "the timeline ends here: the next page is at no http(s) address: file:///etc/passwd"
      ),
      ("ftp://a.example/b", "the timeline ends here: the next page is at no http(s) address: "),
    ]
    for (next, message) in ends {
      server.route("/feed", feed(1...5, next: next))
      let (store, _) = try await open("/feed")
      #expect(store.isComplete && store.count == 5)
      #expect(store.message?.text.hasPrefix(message) == true, "\(store.message?.text ?? "")")
      store.stop()
    }
    #expect(server.seen.paths == ["/feed", "/feed", "/feed"])
    server.stop()
  }

  @Test func aPageOnAnotherHostIsPartOfTheTimeline() async throws {
    let other = try MisbehavingServer()
    other.route("/older", feed(4...6))
    server.route("/feed", feed(1...3, next: other.url("/older")))
    let (store, changes) = try await open("/feed")
    #expect(store.seek(.end))
    await changes.until { store.isComplete }
    #expect(ids(store) == (1...6).map { "p\($0)" })
    store.stop()
    other.stop()
    server.stop()
  }

  @Test func pagesOnHTTPSStayOnHTTPS() {
    func next(_ target: String, from url: String, asked: String? = nil) -> NextPage {
      var info = TimelineInfo()
      info.nextPage = target
      let response = HTTPResponse(status: 200, headers: [:], url: url)
      return NextPage(after: response, info: info, asked: asked ?? url)
    }
    let refused = NextPage.refused("the next page is not on https, as this one is")
    #expect(next("http://a.example/2", from: "https://a.example/1") == refused)
    #expect(
      next("http://a.example/2", from: "http://a.example/1", asked: "https://a.example/1")
        == refused)
    #expect(
      next("2", from: "https://a.example/b/1?c") == .address("https://a.example/b/2"))
    #expect(
      next("https://b.example/2", from: "http://a.example/1") == .address("https://b.example/2"))
  }

  @Test func aFailedRefreshChangesNothing() async throws {
    let served = ServedTimeline(60, pageSize: 20, of: server)
    let (store, changes) = try await open(served.path)
    served.add(30)
    served.answer(page: 1, once: Step.response(status: 500))
    store.reload()
    await changes.until { !store.isReloading }
    #expect(
      store.message?.text == "refresh: HTTP status 500 (internal server error); r tries again")
    #expect(store.count == 20)
    store.reload()
    await changes.until { !store.isReloading }
    #expect(store.message == nil)
    #expect(ids(store) == (41...90).reversed().map { "p\($0)" })
    store.stop()
    server.stop()
  }

  /// What was just read is asked for conditionally, and only where the validators come from.
  @Test func aRefreshIsConditional() async throws {
    let feed = Array(
      "{\"items\":[{\"id\":\"1\",\"content_text\":\"a\"},{\"id\":\"2\",\"content_text\":\"b\"}]}"
        .utf8)
    server.route(
      "/feed",
      [
        .head(
          type: "application/feed+json", length: feed.count,
          fields: [("ETag", "\"7\""), ("Last-Modified", "Sat, 09 Mar 2024 08:05:00 GMT")]),
        .send(feed),
      ])
    let (store, changes) = try await open("/feed")
    #expect(store.count == 2)
    server.route("/feed", MisbehavingServer.Step.response(status: 304))
    for _ in 0..<2 {
      #expect(store.reload())
      await changes.until { !store.isReloading }
      #expect(store.count == 2 && store.message == nil)
    }
    let heads = server.seen.heads
    #expect(heads.count == 3 && !heads[0].contains("If-None-Match"))
    for head in heads.dropFirst() {
      #expect(head.contains("If-None-Match: \"7\""))
      #expect(head.contains("If-Modified-Since: Sat, 09 Mar 2024 08:05:00 GMT"))
    }
    store.stop()
    server.stop()
  }

  @Test func printingAndMergingAskOnce() async throws {
    let served = ServedTimeline(60, pageSize: 20, of: server)
    let reader = try SourceReader(source: .url(server.url(served.path)), format: nil) {
      CurlTransport(userAgent: "tideline/test")
    }
    var posts: [Post] = []
    while let batch = try await reader.next() { posts += batch.posts }
    #expect(posts.count == 20)
    let source = try MergedSource(
      reader.source, after: 0, format: nil, as: .source, pictures: nil
    ) { CurlTransport(userAgent: "tideline/test") }
    let merged = MergedPrintout([source], as: .styled)
    #expect(try await merged.next()?.posts.count == 20)
    #expect(server.seen.paths == [served.path, served.path])
    server.stop()
  }
}

/// The changes that a store reports.
@MainActor final class Changes {
  private(set) var found: [SeekTarget] = []
  private var waiting: (condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)?

  init(of store: TimelineStore) {
    store.onChange = { [weak self] change in
      if case .found(let target) = change { self?.found.append(target) }
      self?.look()
    }
  }

  /// Returns as soon as the condition holds after a change. The condition is examined where the
  /// continuation is stored: a task with an executor preference lets the main actor handle changes
  /// before that.
  func until(_ condition: @escaping () -> Bool) async {
    await withCheckedContinuation { continuation in
      guard !condition() else { return continuation.resume() }
      waiting = (condition, continuation)
    }
  }

  private func look() {
    guard let (condition, continuation) = waiting, condition() else { return }
    waiting = nil
    continuation.resume()
  }
}
