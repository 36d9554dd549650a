import HTTP
import TestSupport
import Testing

@testable import HTTPTransport

/// Endless responses, and their cost until they are given up. The limits are a request's, shortened
/// if a test would have to wait for them.
@Suite(.timeLimit(.minutes(10))) struct EndlessAnswerTests {
  typealias Step = MisbehavingServer.Step
  private let server: MisbehavingServer
  private let transport = CurlTransport(userAgent: "tideline/test")

  init() throws { server = try MisbehavingServer() }

  private func failure(_ steps: [Step], _ limits: HTTPLimits) async -> HTTPError? {
    server.route("/a", steps)
    do throws(HTTPError) {
      _ = try await transport.fetch(
        HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits))
      return nil
    } catch {
      return error
    }
  }

  private static let chunked = Step.head(fields: [("Transfer-Encoding", "chunked")])
  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Each is activity, none an acceptable rate.
  private static let drips: [[Step]] = [
    [.head(), .drip([65], milliseconds: 10)],
    [.head(length: 100_000), .drip([65], milliseconds: 10)],
    [chunked, .drip(text("1\r\nA\r\n"), milliseconds: 10)],
    [chunked, .send(text("1;x=")), .drip([65], milliseconds: 10)],
    [chunked, .send(text("0\r\n")), .drip(text("A: b\r\n"), milliseconds: 10)],
    [.head(), .sendForever([])],
  ]

  @Test(arguments: 0..<5) func aSlowBodyIsGivenUp(_ index: Int) async {
    var limits = HTTPLimits(rateSeconds: 0.5)
    limits.idleSeconds = 60
    #expect(
      await failure(Self.drips[index], limits) == .tooSlow(bytesPerSecond: 500, seconds: 0.5))
    await server.until { $0.hungUp.count == 1 }
    server.stop()
  }

  /// The rate counts in every stretch of time, not in total: a quick beginning earns nothing.
  @Test func aBodyThatBecomesSlowIsGivenUp() async {
    let limits = HTTPLimits(idleSeconds: 60, rateSeconds: 0.5)
    let steps: [Step] = [
      .head(), .send([UInt8](repeating: 65, count: 500_000)), .drip([65], milliseconds: 10),
    ]
    #expect(await failure(steps, limits) == .tooSlow(bytesPerSecond: 500, seconds: 0.5))
    server.stop()
  }

  /// 2 kB a second, however long it takes.
  @Test func slowLinksAreAllowed() {
    let start = SuspendingClock.Instant.now
    var limits = TransferLimits(HTTPLimits(), start: start, now: start)
    limits.bodyBegins(now: start)
    for second in 1..<600 {
      limits.received(2_000)
      let now = start + .seconds(second)
      limits.recordServerActivity(now: now)
      #expect(limits.failure(now: now) == nil, "after \(second) s")
    }
  }

  @Test func phasesTimeOut() {
    let start = SuspendingClock.Instant.now
    func limits() -> TransferLimits { TransferLimits(HTTPLimits(), start: start, now: start) }
    // No bytes at all: while connecting, or before the first byte.
    var silent = limits()
    #expect(silent.deadline == start + .seconds(20))
    #expect(silent.failure(now: start + .seconds(19.9)) == nil)
    #expect(silent.failure(now: start + .seconds(20)) == .timeout(seconds: 20))
    // An endless head.
    var talkative = limits()
    for second in 1..<30 { talkative.recordServerActivity(now: start + .seconds(second)) }
    #expect(talkative.failure(now: start + .seconds(29.9)) == nil)
    #expect(talkative.deadline == start + .seconds(30))
    #expect(talkative.failure(now: start + .seconds(30)) == .timeout(seconds: 30))
    // A byte a second.
    var dripping = limits()
    dripping.bodyBegins(now: start + .seconds(1))
    for second in 2...20 {
      dripping.received(1)
      dripping.recordServerActivity(now: start + .seconds(second))
    }
    #expect(dripping.deadline == start + .seconds(21))
    #expect(
      dripping.failure(now: start + .seconds(21)) == .tooSlow(bytesPerSecond: 500, seconds: 20))
    // Just enough, forever.
    var enough = limits()
    enough.bodyBegins(now: start)
    for second in 1..<600 {
      enough.received(600)
      enough.recordServerActivity(now: start + .seconds(second))
      #expect(enough.failure(now: start + .seconds(second)) == nil)
    }
    #expect(enough.failure(now: start + .seconds(600)) == .timeout(seconds: 600))
    // Time in which the reader makes the transfer wait does not count.
    var held = limits()
    held.bodyBegins(now: start)
    held.hold(now: start + .seconds(5))
    #expect(held.deadline == nil && held.failure(now: start + .seconds(5_000)) == nil)
    held.resume(now: start + .seconds(5_005))
    #expect(held.failure(now: start + .seconds(5_019)) == nil)
    #expect(held.deadline == start + .seconds(5_020))
  }

  /// All heads of a redirect chain share one limit.
  @Test func redirectsShareOneTimeLimit() async {
    let limits = HTTPLimits(headSeconds: 0.5, maximumRedirects: .max)
    #expect(await failure(Step.redirect(to: "/a"), limits) == .timeout(seconds: 0.5))
    server.stop()
  }

  /// The body of a redirect is read to its end only if it is short, not merely announced as short.
  @Test func longRedirectBodyIsDropped() async throws {
    let fields = [("Location", "/b"), ("Transfer-Encoding", "chunked")]
    let chunk = Self.text("3e8\r\n" + String(repeating: "A", count: 1_000) + "\r\n")
    server.route("/a", [.head(status: 302, length: 5, fields: fields), .sendForever(chunk)])
    server.route("/b", Step.response(body: [1]))
    let limits = HTTPLimits(maximumBytes: .max, totalSeconds: 10)
    let request = HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits)
    #expect(try await transport.fetch(request).1 == [1])
    server.stop()
  }

  private static let heads: [[Step]] = [
    [.sendForever(text("HTTP/1.1 103 Early Hints\r\n\r\n"))],
    [.sendForever(text("HTTP/1.1 100 Continue\r\nA: b\r\n\r\n"))],
    [.send(text("HTTP/1.1 200 OK\r\n")), .sendForever(text("A: b\r\n"))],
    [.send(text("HTTP/1.1 200 OK\r\nA: ")), .sendForever([65])],
    [.send(text("HTTP/1.1 200 OK\r\nA: ") + [UInt8](repeating: 65, count: 50_000_000))],
    [.send(text("HTTP/1.1 200 ")), .sendForever([UInt8](repeating: 65, count: 10_000))],
    [.send(text("HTTP/1.1 302 Found\r\n")), .sendForever(text("Location: /b\r\n"))],
  ]

  @Test(arguments: heads.indices) func headsAreLimited(_ index: Int) async {
    #expect(
      await failure(Self.heads[index], HTTPLimits())
        == .malformed(reason: "its headers are longer than 256 kB"))
    server.stop()
  }

  /// One-byte chunks at full speed: neither the thread nor the reader wakes up for each.
  @Test func piecesShareWakeUps() async throws {
    server.route("/a", [Self.chunked, .sendForever(Self.text("1\r\nA\r\n"))])
    let limits = HTTPLimits(maximumBytes: 200_000)
    let thread = transport.thread(for: .everywhere)
    let before = thread.wakeUps
    let start = ContinuousClock.now
    let (_, body) = try await transport.send(
      HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits))
    var chunks = 0
    await #expect(throws: HTTPError.tooLarge(limit: 200_000)) {
      for try await _ in body { chunks += 1 }
    }
    let wakeUps = thread.wakeUps - before
    let passed = start.duration(to: .now) / WakeUpLimiter.interval
    #expect(Double(wakeUps) <= Double(WakeUpLimiter.credit) + passed + 20)
    #expect(chunks <= wakeUps)
    server.stop()
  }

  @Test func thinRoundsArePaced() {
    var pace = WakeUpLimiter()
    var now = SuspendingClock.Instant.now
    // A burst is free, up to the credit.
    for _ in 0..<WakeUpLimiter.credit { #expect(pace.pause(now: now) == .zero) }
    // Then each round costs its time.
    for _ in 0..<10 {
      let pause = pace.pause(now: now)
      #expect(pause > .zero && pause <= WakeUpLimiter.interval)
      now += pause
    }
    // Rest restores the credit, but no more than before.
    now += .seconds(3_600)
    for _ in 0..<WakeUpLimiter.credit { #expect(pace.pause(now: now) == .zero) }
    #expect(pace.pause(now: now) > .zero)
    // Exchanges that begin bring credit for small answers, up to the usual one.
    pace.begin(2)
    for _ in 1..<2 * WakeUpLimiter.creditOfExchange { #expect(pace.pause(now: now) == .zero) }
    #expect(pace.pause(now: now) > .zero)
    pace.begin(.max)
    for _ in 0..<WakeUpLimiter.credit { #expect(pace.pause(now: now) == .zero) }
    #expect(pace.pause(now: now) > .zero)
    var load = RoundLoad()
    #expect(load.isThin)
    load.add(4_096)
    #expect(!load.isThin)
    for _ in 0..<200 { load.add(1) }
    #expect(load.isThin)
  }
}
