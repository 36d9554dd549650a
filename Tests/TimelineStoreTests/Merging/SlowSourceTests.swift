import Feeds
import HTTP
import HTTPTransport
import Library
import Subscriptions
import Synchronization
import TestSupport
import Testing

@testable import TimelineStore

/// The deadline of merged sources, by a clock that the test moves.
@MainActor @Suite(.ownThreads) struct SlowSourceTests {
  typealias Step = MisbehavingServer.Step

  private let server: MisbehavingServer
  private let clock = ManualClock()

  init() throws { server = try MisbehavingServer() }

  private func open(_ addresses: [String]) throws -> MergedTimeline {
    try MergedTimeline(
      addresses.map { address in
        try MergedSource(
          TimelineSource(argument: address), after: 0, format: nil, as: .source, pictures: nil
        ) { PatientTransport() }
      }, clock: clock.clock)
  }

  private func feed(_ titles: [String]) -> [UInt8] {
    let items = titles.map {
      "<item><title>\($0)</title><pubDate>Sat, 02 Mar 2024 08:05:00 GMT</pubDate></item>"
    }
    return Array("<rss><channel>\(items.joined())</channel></rss>".utf8)
  }

  private func errors(_ merged: MergedTimeline) -> [String] {
    merged.directory.feeds.compactMap(\.health.lastError)
  }

  /// One that never answers, and one that sends a byte from time to time, leave their places to the
  /// next source of their host after a while, and fail when their time is up.
  @Test func slowSourcesAreGivenUp() async throws {
    server.route("/good", Step.response(type: "application/rss+xml", body: feed(["good"])))
    server.route("/hanging", [.hang])
    server.route(
      "/dripping",
      [.head(type: "application/rss+xml", length: 9_999), .drip([0x20], milliseconds: 20)])
    let merged = try open(["/hanging", "/dripping", "/good"].map(server.url))
    merged.start()
    let server = server
    await eventually { server.seen.paths.count == 2 && clock.next == 5 }
    #expect(merged.posts.count == 0)
    clock.advance(by: 5)
    await eventually { merged.posts.count == 1 && server.seen.paths.count == 3 }
    await eventually { merged.directory.refresher.progress?.done == 1 }
    await eventually { clock.next == 25 }
    clock.advance(by: 25)
    await eventually { merged.posts.isComplete }
    #expect(merged.posts.count == 1 && merged.posts.failure == nil)
    merged.directory.reload()
    await eventually { errors(merged).count == 2 }
    #expect(errors(merged) == ["timed out after 30 s", "timed out after 30 s"])
    // Nothing wakes the merge any more.
    #expect(clock.next == nil)
    server.stop()
  }

  /// What has arrived of a feed that is given up stays, and it is asked for whole afterwards.
  @Test func whatHasArrivedStays() async throws {
    let transport = HaltingTransport(Array(feed(["first", "second"]).dropLast(40)))
    let source = try MergedSource(
      .url("https://tide.example/slow"), after: 0, format: nil, as: .source, pictures: nil
    ) { transport }
    let merged = try MergedTimeline([source], clock: clock.clock)
    merged.start()
    await eventually { transport.isWaiting && clock.next == 30 }
    clock.advance(by: 30)
    await eventually { merged.posts.isComplete }
    #expect(merged.posts.count > 0 && merged.posts.post(at: 0).title.plainText == "first")
    merged.directory.reload()
    await eventually { errors(merged) == ["timed out after 30 s"] }
    #expect(merged.directory.refresher.refresh(.due).isStarted)
    await eventually { transport.requests.count == 2 && clock.next == 30 }
    #expect(transport.requests.allSatisfy { $0.validators == nil })
    clock.advance(by: 30)
    await eventually { merged.posts.isComplete }
    server.stop()
  }

  /// Half an id would make it another post than the whole one.
  @Test func thePostInWhichAnAnswerBreaksOffComesWithTheNextOne() async throws {
    let text = """
      <rss><channel><item><guid>first</guid><title>Ebb</title></item>\
      <item><guid>second</guid><title>Flood</title></item></channel></rss>
      """
    let body = Array(text.utf8)
    let cut = try #require(body.firstRange(of: "ond</guid>".utf8)).lowerBound
    let head = Step.head(type: "application/rss+xml", length: body.count)
    server.route("/feed", [head, .send(Array(body[..<cut]))])
    let merged = try open([server.url("/feed")])
    merged.start()
    await eventually { merged.posts.isComplete }
    #expect((0..<merged.posts.count).map { merged.posts.post(at: $0).title.plainText } == ["Ebb"])
    merged.directory.reload()
    await eventually { errors(merged).count == 1 }
    server.route("/feed", [head, .send(body)])
    #expect(merged.directory.refresher.refresh(.due).isStarted)
    await eventually { merged.posts.isComplete && merged.posts.count == 2 }
    let titles = (0..<2).map { merged.posts.post(at: $0).title.plainText }
    #expect(Set(titles) == ["Ebb", "Flood"])
    server.stop()
  }

  /// A feed that has brought posts goes on, however late it is.
  @Test func aFeedThatHasBegunGoesOn() async throws {
    let gate = ServerGate()
    let lines = (0..<3_000).map { "{\"id\":\"\($0)\",\"content_text\":\"\(words)\"}\n" }
    let whole = Array(lines.joined().utf8)
    server.route(
      "/long",
      [
        .head(type: "application/x-ndjson", length: whole.count),
        .send(Array(whole.prefix(whole.count - 100))), .wait(gate),
        .send(Array(whole.suffix(100))),
      ])
    let merged = try open([server.url("/long")])
    merged.start()
    await eventually { merged.posts.count > 0 }
    await eventually { clock.next == 30 }
    clock.advance(by: 30)
    gate.open()
    await eventually { merged.posts.isComplete && merged.posts.count == 3_000 }
    merged.directory.reload()
    await eventually { !merged.directory.feeds.isEmpty }
    #expect(errors(merged).isEmpty)
    server.stop()
  }

  private let words = String(repeating: "tide ", count: 400)
}

/// A transport without limits of time, which a busy machine may reach before the deadline.
private struct PatientTransport: HTTPTransport {
  private let transport = CurlTransport(userAgent: "tideline/test")

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    var request = request
    request.limits = HTTPLimits(
      connectSeconds: 600, headSeconds: 600, idleSeconds: 600, rateSeconds: 600)
    return try await transport.send(request)
  }
}

/// A transport whose answers bring some bytes and then nothing until they are cancelled.
private final class HaltingTransport: HTTPTransport {
  private struct State {
    var requests: [HTTPRequest] = []
    var isWaiting = false
  }

  private final class Body: HTTPBodySource {
    private let transport: HaltingTransport
    private let isFirst = Mutex(true)

    init(_ transport: HaltingTransport) { self.transport = transport }

    func next() async throws(HTTPError) -> [UInt8]? {
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isFirst { return transport.bytes }
      transport.state.withLock { $0.isWaiting = true }
      // Nothing comes until the task is cancelled.
      let (silence, source) = AsyncStream.makeStream(of: Void.self)
      for await _ in silence {}
      source.finish()
      throw .cancelled
    }

    func cancel() {}
  }

  private let bytes: [UInt8]
  private let state = Mutex(State())

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    state.withLock { $0.requests.append(request) }
    return (
      HTTPResponse(
        status: 200, headers: ["ETag": "\"1\""], url: request.url, reach: .publicAddresses),
      HTTPBody(Body(self))
    )
  }
}
