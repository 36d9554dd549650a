import HTTP
import TestSupport
import Testing

@testable import HTTPTransport

/// Transfers on a thread of their own: how it sleeps, and the cost of a slow reader.
@Suite(.timeLimit(.minutes(10))) struct CurlTransportTests {
  private let transport = CurlTransport(userAgent: "tideline/test")

  private func withServer(
    _ routes: [String: [MisbehavingServer.Step]], _ body: (MisbehavingServer) async throws -> Void
  ) async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    for (path, steps) in routes { server.route(path, steps) }
    try await body(server)
  }

  private func failure(
    _ url: String, limits: HTTPLimits = HTTPLimits(), of transport: CurlTransport? = nil
  ) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await (transport ?? self.transport).fetch(
        HTTPRequest(url: url, reach: .everywhere, limits: limits))
      return nil
    } catch {
      return error
    }
  }

  @Test func aSilentServerIsWaitedForWithoutSpinning() async throws {
    try await withServer(["/a": [.hang], "/b": [.head(length: 9), .send([1]), .hang]]) { server in
      for path in ["/a", "/b"] {
        let before = transport.thread(for: .everywhere).wakeUps
        #expect(
          await failure(server.url(path), limits: HTTPLimits(idleSeconds: 1))
            == .timeout(seconds: 1))
        // Connecting, sending, the response, the timeout, and libcurl's own timers.
        #expect(transport.thread(for: .everywhere).wakeUps - before < 25)
      }
    }
  }

  @Test func anIdleThreadSleeps() async throws {
    try await withServer(["/a": MisbehavingServer.Step.response(body: [1]), "/b": [.hang]]) {
      server in
      _ = try await transport.fetch(HTTPRequest(url: server.url("/a"), reach: .everywhere))
      let before = transport.thread(for: .everywhere).wakeUps
      // The first transport's thread sleeps while another transport waits for a second.
      let other = CurlTransport(userAgent: "tideline/test")
      #expect(
        await failure(server.url("/b"), limits: HTTPLimits(idleSeconds: 1), of: other)
          == .timeout(seconds: 1))
      #expect(transport.thread(for: .everywhere).wakeUps - before <= 1)
    }
  }

  @Test func nothingRunsBeforeTheFirstRequest() async throws {
    #expect(transport.thread(for: .everywhere).wakeUps == 0)
    #expect(await failure("gopher://a.example/") == .unsupportedScheme("gopher"))
    #expect(transport.thread(for: .everywhere).wakeUps == 0)
  }

  /// The server sends a piece whenever the one before it has left: it gets no further than the
  /// buffers of the reader, of libcurl and of the system allow.
  @Test func aSlowReaderMakesTheServerWait() async throws {
    let piece = [UInt8](repeating: 7, count: 100_000)
    let total = 400 * piece.count
    var steps: [MisbehavingServer.Step] = [.head(length: total)]
    for _ in 0..<400 { steps.append(.send(piece)) }
    try await withServer(["/a": steps, "/b": [.hang]]) { server in
      let limits = HTTPLimits(totalSeconds: 600, idleSeconds: 1)
      let (_, body) = try await transport.send(
        HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits))
      // Longer than the idle limit of the held transfer, which does not count.
      #expect(
        await failure(server.url("/b"), limits: HTTPLimits(idleSeconds: 2))
          == .timeout(seconds: 2))
      await server.until { $0.hungUp == ["/b"] }
      // Still sending: the server could not get rid of all of it.
      #expect(server.seen.open == 1)
      // A held transfer is not polled: only earlier bytes woke the thread.
      #expect(transport.thread(for: .everywhere).wakeUps < 2000)
      var count = 0
      var largest = 0
      for try await chunk in body {
        count += chunk.count
        largest = max(largest, chunk.count)
        #expect(chunk.first == 7 && chunk.last == 7)
      }
      #expect(count == total)
      // The last bytes of a transfer are in addition: gathered, but not passed on yet.
      #expect(largest <= Exchange.bufferLimit + 65_536)
    }
  }

  @Test func aHeldTransferCanBeCancelled() async throws {
    let piece = [UInt8](repeating: 7, count: 100_000)
    try await withServer(["/a": [.head(), .sendForever(piece)]]) { server in
      var body: HTTPBody? = try await transport.send(
        HTTPRequest(url: server.url("/a"), reach: .everywhere)
      ).1
      var iterator = body?.makeAsyncIterator()
      _ = try await iterator?.next()
      iterator = nil
      body = nil
      _ = body
      await server.until { $0.hungUp == ["/a"] }
    }
  }

  @Test func compressedBodiesAreInflatedAndCounted() async throws {
    // 20,000 times the letter a, and bytes that are not compressed at all.
    let bomb = Self.gzip(of: UInt8(ascii: "a"), count: 20_000)
    let fields = [("Content-Encoding", "gzip")]
    try await withServer([
      "/a": [.head(length: bomb.count, fields: fields), .send(bomb)],
      "/cut": [.head(length: bomb.count, fields: fields), .send(Array(bomb.prefix(12)))],
      "/lie": [.head(length: 4, fields: fields), .send([1, 2, 3, 4])],
    ]) { server in
      let (response, bytes) = try await transport.fetch(
        HTTPRequest(url: server.url("/a"), reach: .everywhere))
      #expect(bytes == [UInt8](repeating: UInt8(ascii: "a"), count: 20_000))
      #expect(response.expectedLength == nil)
      #expect(try server.seen.heads.at(0).lowercased().contains("accept-encoding: "))
      #expect(try server.seen.heads.at(0).contains("gzip"))
      #expect(
        await failure(server.url("/a"), limits: HTTPLimits(maximumBytes: 19_999))
          == .tooLarge(limit: 19_999))
      guard case .truncated(expected: nil, _) = await failure(server.url("/cut")) else {
        Issue.record("what is cut counts as whole")
        return
      }
      #expect(
        await failure(server.url("/lie"))
          == .malformed(reason: "its compression cannot be read"))
    }
  }

  /// The transfer ends at the limit although the reader has taken nothing: libcurl unpacks 65,536
  /// bytes at once, and would keep the result while the reader has no room.
  @Test func unpackedBytesAreBounded() async throws {
    let bomb = Self.gzip(of: UInt8(ascii: "a"), count: 9_000_000)
    #expect(bomb.count < 65_536)
    let limits = HTTPLimits(maximumBytes: 3_000_000, totalSeconds: 600, idleSeconds: 600)
    try await withServer([
      "/a": [.head(fields: [("Content-Encoding", "gzip")]), .send(bomb), .hang]
    ]) { server in
      let (_, body) = try await transport.send(
        HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits))
      await server.until { $0.hungUp == ["/a"] }
      var iterator = body.makeAsyncIterator()
      await #expect(throws: HTTPError.tooLarge(limit: 3_000_000)) { _ = try await iterator.next() }
    }
  }

  /// Stored and repeated by one fixed Huffman block: a literal and matches of 258 at distance 1
  /// (RFC 1951, 3.2.6), in the wrapping of RFC 1952.
  private static func gzip(of byte: UInt8, count: Int) -> [UInt8] {
    var bits: [UInt8] = []
    func least(_ value: Int, _ width: Int) {
      for bit in 0..<width { bits.append(UInt8(value >> bit & 1)) }
    }
    func most(_ value: Int, _ width: Int) {
      for bit in (0..<width).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    func literal() { most(Int(byte) + 0x30, 8) }
    least(1, 1)
    least(1, 2)
    literal()
    var left = count - 1
    while left >= 258 {
      most(0b1100_0101, 8)
      most(0, 5)
      left -= 258
    }
    for _ in 0..<left { literal() }
    most(0, 7)
    while bits.count % 8 != 0 { bits.append(0) }
    let deflated = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    var check: UInt32 = 0xffff_ffff
    for _ in 0..<count {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + deflated + word(~check) + word(UInt32(count))
  }

  @Test func aMissingLibraryFailsEveryRequest() async throws {
    let transport = CurlTransport(
      TransferSettings(userAgent: "tideline/test", libraries: ["libnosuchcurl.so.4"]))
    for _ in 0..<2 {
      #expect(
        await failure("http://127.0.0.1:1/", of: transport)
          == .unavailable(reason: "libnosuchcurl.so.4 is not installed"))
    }
  }

  @Test func aResponseOutlivesTheFailureOfItsBody() async throws {
    let exchange = Exchange(
      HTTPRequest(url: "http://127.0.0.1:1/", reach: .everywhere), login: nil, start: .now,
      thread: TransferThread(TransferSettings(userAgent: "tideline/test")))
    exchange.receive(HTTPResponse(status: 203, headers: HTTPHeaders(), url: "http://127.0.0.1:1/"))
    let reason = HTTPError.malformed(reason: "its compression cannot be read")
    exchange.finish(.failure(reason))
    #expect(try await exchange.response().get().status == 203)
    await #expect(throws: reason) { try await exchange.next() }
  }

  @Test func theSecondLibraryNameIsAFallback() async throws {
    let transport = CurlTransport(
      TransferSettings(
        userAgent: "tideline/test", libraries: ["libnosuchcurl.so.4"] + CurlLibrary.names))
    try await withServer(["/a": MisbehavingServer.Step.response(body: [5])]) {
      let (_, bytes) = try await transport.fetch(HTTPRequest(url: $0.url("/a"), reach: .everywhere))
      #expect(bytes == [5])
    }
  }

  @Test func aBodyOutlivesItsTransport() async throws {
    let gate = ServerGate()
    let bytes = [UInt8](repeating: 3, count: 5000)
    try await withServer(["/a": MisbehavingServer.Step.held(bytes, after: 10, by: gate)]) {
      server in
      let (_, body) = try await CurlTransport(userAgent: "tideline/test")
        .send(HTTPRequest(url: server.url("/a"), reach: .everywhere))
      gate.open()
      var received: [UInt8] = []
      for try await chunk in body { received += chunk }
      #expect(received == bytes)
    }
  }

  @Test func addressesAreSentEncodedWithoutCredentials() async throws {
    try await withServer([
      "/a%20b/%c3%bc?q=%20": MisbehavingServer.Step.response(body: [1]),
      "/a%20b/%C3%BC?q=%20": MisbehavingServer.Step.response(body: [1]),
    ]) { server in
      let url = "http://name:word@127.0.0.1:\(server.port)/a b/ü?q=%20"
      let (_, bytes) = try await transport.fetch(HTTPRequest(url: url, reach: .everywhere))
      #expect(bytes == [1])
      #expect(try !server.seen.heads.at(0).lowercased().contains("authorization"))
    }
  }

  /// Requests that are cancelled at any moment: none is lost, none ends twice.
  @Test func cancellingAnywhereEndsEveryRequestOnce() async throws {
    var random = SeededGenerator(seed: 20)
    let bytes = [UInt8](repeating: 9, count: 50_000)
    try await withServer(["/a": MisbehavingServer.Step.response(body: bytes), "/b": [.hang]]) {
      server in
      let transport = transport
      let url = server.url("")
      var all: [String: Int] = [:]
      await withTaskGroup(of: String.self) { group in
        for number in 0..<200 {
          let yields = Int.random(in: 0...200, using: &random)
          let path = number % 4 == 0 ? "/b" : "/a"
          group.addTask {
            let task = Task {
              do throws(HTTPError) {
                let (_, received) = try await transport.fetch(
                  HTTPRequest(url: url + path, reach: .everywhere))
                return received == bytes ? "whole" : "damaged"
              } catch {
                return "\(error)"
              }
            }
            for _ in 0..<yields { await Task.yield() }
            if path == "/b" || number % 3 == 0 { task.cancel() }
            return await task.value
          }
        }
        for await end in group { all[end, default: 0] += 1 }
      }
      #expect(Set(all.keys).isSubset(of: ["whole", "cancelled"]), "seed 20: \(all)")
      #expect(all.values.reduce(0, +) == 200)
    }
  }
}
