import HTTP
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(10))) struct TransportTests {
  private let transport = CurlTransport(userAgent: "tideline/test", connectionsPerHost: 8)

  /// Runs `body` with a server that is stopped afterwards.
  private func withServer(
    _ routes: [String: [MisbehavingServer.Step]] = [:],
    _ body: (MisbehavingServer) async throws -> Void
  ) async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    for (path, steps) in routes { server.route(path, steps) }
    try await body(server)
  }

  private func failure(
    _ url: String, limits: HTTPLimits = HTTPLimits()
  ) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await transport.fetch(HTTPRequest(url: url, reach: .everywhere, limits: limits))
      return nil
    } catch {
      return error
    }
  }

  private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func fetchSendsUserAgent() async throws {
    try await withServer(["/a": MisbehavingServer.Step.response(type: "x/y", body: bytes)]) {
      let (response, body) = try await transport.fetch(
        HTTPRequest(url: $0.url("/a"), reach: .everywhere, headers: ["X-Extra": "1"]))
      #expect(response.status == 200 && response.mediaType == "x/y" && body == bytes)
      let head = $0.seen.heads.first ?? ""
      #expect(head.contains("User-Agent: tideline/test\r\n") && head.contains("X-Extra: 1\r\n"))
    }
  }

  @Test func bodyStreamsBeforeItIsComplete() async throws {
    let gate = ServerGate()
    try await withServer(["/a": MisbehavingServer.Step.held(bytes, after: 1000, by: gate)]) {
      let (_, body) = try await transport.send(HTTPRequest(url: $0.url("/a"), reach: .everywhere))
      var received: [UInt8] = []
      for try await chunk in body {
        received += chunk
        if received.count >= 1000 { gate.open() }
      }
      #expect(received == bytes)
    }
  }

  @Test(arguments: [404, 500, 403, 304])
  func statusesAreErrorsOfFetchButNotOfSend(status: Int) async throws {
    try await withServer(["/a": MisbehavingServer.Step.response(status: status)]) {
      #expect(await failure($0.url("/a")) == .status(status))
      let (response, _) = try await transport.send(
        HTTPRequest(url: $0.url("/a"), reach: .everywhere))
      #expect(response.status == status)
    }
  }

  @Test func redirectsAreFollowedWithinTheLimit() async throws {
    try await withServer([
      "/a": MisbehavingServer.Step.redirect(to: "/b"),
      "/b": MisbehavingServer.Step.redirect(to: "/c", status: 301),
      "/c": MisbehavingServer.Step.response(body: [1, 2]),
      "/loop": MisbehavingServer.Step.redirect(to: "/loop"),
      "/file": MisbehavingServer.Step.redirect(to: "file:///etc/hostname"),
    ]) { server in
      let (response, body) = try await transport.fetch(
        HTTPRequest(url: server.url("/a"), reach: .everywhere))
      #expect(response.url == server.url("/c") && body == [1, 2])
      let limits = HTTPLimits(maximumRedirects: 3)
      #expect(await failure(server.url("/loop"), limits: limits) == .tooManyRedirects(limit: 3))
      #expect(server.seen.paths.filter { $0 == "/loop" }.count == 4)
      let error = await failure(server.url("/file"))
      #expect(error == .unsupportedScheme("file"))
    }
  }

  // MARK: Cookies

  /// The `Cookie` fields sent in the requests for each path, in their order; empty for requests
  /// without one.
  private func cookies(_ server: MisbehavingServer) -> [String: [String]] {
    Dictionary(
      zip(server.seen.paths, server.seen.heads).map { path, head in
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("cookie:") }
        return (path, [line.map { String($0.dropFirst(8)) } ?? ""])
      }, uniquingKeysWith: +)
  }

  private func redirect(to place: String, setting cookies: String...) -> [MisbehavingServer.Step] {
    [
      .head(
        status: 302, length: 0,
        fields: [("Location", place)] + cookies.map { ("Set-Cookie", $0) })
    ]
  }

  @Test func cookiesOfARedirectAreSentOnlyToItsTarget() async throws {
    try await withServer([
      "/a": redirect(
        to: "/in/b", setting: "k=v; HttpOnly", "deep=1; Path=/in", "other=1; Path=/out",
        "gone=1", "late=1; Max-Age=0", "far=1; Domain=b.example"),
      "/in/b": redirect(to: "/in/c", setting: "gone=; Max-Age=0; Path=/", "more=\"2 3\""),
      "/in/c": redirect(to: "/d"),
      "/d": [.head(length: 1, fields: [("Set-Cookie", "last=1")]), .send([1])],
    ]) { server in
      for _ in 0..<2 {
        let (_, body) = try await transport.fetch(
          HTTPRequest(url: server.url("/a"), reach: .everywhere))
        #expect(body == [1])
      }
      let sent = cookies(server).mapValues { $0.map { Set($0.split(separator: "; ")) } }
      #expect(sent["/a"] == [[], []])
      #expect(sent["/in/b"]?[0] == ["k=v", "deep=1", "gone=1"])
      #expect(sent["/in/c"]?[0] == ["k=v", "deep=1", "more=\"2 3\""])
      #expect(sent["/d"]?[0] == ["k=v"])
      #expect(sent["/d"]?[1] == ["k=v"])
    }
  }

  @Test func aSelfRedirectWithACookieEnds() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.answer { [server] _ in
      let isKnown = server.seen.heads.last?.contains("Cookie: seen=yes\r\n") == true
      return isKnown
        ? MisbehavingServer.Step.response(body: [1])
        : [
          .head(
            status: 302, length: 0,
            fields: [("Location", "/a"), ("Set-Cookie", "seen=yes; Path=/")])
        ]
    }
    let (_, body) = try await transport.fetch(
      HTTPRequest(url: server.url("/a"), reach: .everywhere))
    #expect(body == [1] && server.seen.paths == ["/a", "/a"])
  }

  @Test func cookiesStayOnTheirSite() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    var settings = TransferSettings(userAgent: "tideline/test")
    settings.proxies = ProxySettings { _ in nil }
    settings.places = ["a.tide.example", "b.tide.example", "b.sea.example"].map {
      "\($0):\(server.port):127.0.0.1"
    }
    settings.isConnectionAllowed = { $0.kind == .loopback }
    let transport = CurlTransport(settings)
    let port = server.port
    server.route(
      "/a",
      redirect(
        to: "http://b.tide.example:\(port)/b", setting: "own=1; Path=/",
        "all=1; Domain=tide.example; Path=/", "top=1; Domain=example; Path=/",
        "else=1; Domain=sea.example; Path=/", "safe=1; Secure; Path=/"))
    server.route("/b", redirect(to: "http://b.sea.example:\(port)/c"))
    server.route("/c", redirect(to: "http://a.tide.example:\(port)/d"))
    server.route("/d", MisbehavingServer.Step.response(body: [1]))
    _ = try await transport.fetch(
      HTTPRequest(url: "http://a.tide.example:\(port)/a", reach: .everywhere))
    let sent = cookies(server).mapValues { Set($0[0].split(separator: "; ")) }
    #expect(sent["/b"] == ["all=1"])
    #expect(sent["/c"] == [])
    #expect(sent["/d"] == ["own=1", "all=1"])
  }

  // MARK: Encodings

  @Test(arguments: ["utf-8", "foo", "aws-chunked", "x-unknown, identity", "Binary"])
  func anUnknownEncodingIsIgnored(encoding: String) async throws {
    let fields = [("Content-Encoding", encoding)]
    try await withServer(["/a": [.head(length: bytes.count, fields: fields), .send(bytes)]]) {
      let (_, body) = try await transport.fetch(
        HTTPRequest(url: $0.url("/a"), reach: .everywhere))
      #expect(body == bytes)
      #expect($0.seen.paths.count == 2)
      #expect($0.seen.heads.last?.contains("Accept-Encoding: identity\r\n") == true)
    }
  }

  @Test(arguments: ["gzip", "x-gzip", "GZip", "identity", "none", ""])
  func aKnownEncodingIsSentOnce(encoding: String) async throws {
    let body = encoding.lowercased().hasSuffix("gzip") ? TestArchive.gzip(bytes) : bytes
    let fields = [("Content-Encoding", encoding)]
    try await withServer(["/a": [.head(length: body.count, fields: fields), .send(body)]]) {
      let (_, body) = try await transport.fetch(
        HTTPRequest(url: $0.url("/a"), reach: .everywhere))
      #expect(body == bytes)
      #expect($0.seen.paths.count == 1)
    }
  }

  @Test func httpsOnlyRequestsRefuseRedirectsToHTTP() async throws {
    let server = try MisbehavingServer()
    server.route("/a", MisbehavingServer.Step.redirect(to: server.url("/b")))
    server.route("/b", MisbehavingServer.Step.response(body: [1, 2]))
    let request = HTTPRequest(url: server.url("/a"), reach: .everywhere, redirectsToHTTPSOnly: true)
    await #expect(
      throws: HTTPError.tls(
        host: "127.0.0.1:\(server.port)", reason: "it redirects to http")
    ) { try await transport.fetch(request) }
    #expect(server.seen.paths == ["/a"])
    server.stop()
  }

  @Test func aWrongLengthIsTruncation() async throws {
    try await withServer([
      "/short": [.head(length: 500), .send(Array(bytes.prefix(200)))],
      "/none": [.head(length: 500)],
    ]) {
      #expect(await failure($0.url("/short")) == .truncated(expected: 500, received: 200))
      #expect(await failure($0.url("/none")) == .truncated(expected: 500, received: 0))
    }
  }

  @Test func brokenChunksAreTruncation() async throws {
    try await withServer([
      "/a": [.head(fields: [("Transfer-Encoding", "chunked")]), .send(Array("4\r\nabcd\r\n".utf8))]
    ]) {
      #expect(await failure($0.url("/a")) == .truncated(expected: nil, received: 4))
    }
  }

  @Test func tooLargeBodiesAreRefused() async throws {
    let limits = HTTPLimits(maximumBytes: 5000)
    try await withServer([
      "/announced": [.head(length: 5001), .hang],
      "/endless": [.head(), .sendForever(bytes)],
      "/exact": MisbehavingServer.Step.response(body: Array(bytes.prefix(5000))),
    ]) { server in
      #expect(await failure(server.url("/announced"), limits: limits) == .tooLarge(limit: 5000))
      #expect(await failure(server.url("/endless"), limits: limits) == .tooLarge(limit: 5000))
      #expect(await failure(server.url("/exact"), limits: limits) == nil)
      await server.until { $0.hungUp.contains("/announced") }
    }
  }

  @Test func silenceTimesOut() async throws {
    try await withServer(["/head": [.hang], "/body": [.head(length: 9), .send([1]), .hang]]) {
      let idle = HTTPLimits(totalSeconds: 60, idleSeconds: 0.2)
      #expect(await failure($0.url("/head"), limits: idle) == .timeout(seconds: 0.2))
      #expect(await failure($0.url("/body"), limits: idle) == .timeout(seconds: 0.2))
      let total = HTTPLimits(totalSeconds: 0.1, idleSeconds: 60)
      #expect(await failure($0.url("/body"), limits: total) == .timeout(seconds: 0.1))
      await $0.until { $0.hungUp.count == 3 }
    }
  }

  /// A server whose queue of connections is full does not respond at all.
  @Test func connectingTimesOut() async throws {
    let server = try FullServer()
    let limits = HTTPLimits(totalSeconds: 60, connectSeconds: 0.2, headSeconds: 60, idleSeconds: 60)
    let error = await failure(server.url, limits: limits)
    #expect(
      error == .unreachable(host: "127.0.0.1:\(server.port)", reason: "no connection in time"))
  }

  @Test func invalidHTTPIsAnError() async throws {
    try await withServer(["/empty": [], "/noise": [.send([0, 1, 2, 3, 13, 10, 13, 10])]]) {
      for path in ["/empty", "/noise"] {
        switch await failure($0.url(path)) {
        case .unreachable, .malformed: break
        case let other: Issue.record("\(path): \(String(describing: other))")
        }
      }
    }
  }

  @Test func unreachableAndUnsupported() async throws {
    let server = try MisbehavingServer()
    let url = server.url("/a")
    server.stop()
    // The port closes on the server's own thread; requests until it is refused end at the time
    // limit.
    var error = await failure(url)
    while error == nil || error == .status(404) { error = await failure(url) }
    guard case .unreachable(let host, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(host == "127.0.0.1:\(server.port)")
    #expect(await failure("ftp://a.example/x") == .unsupportedScheme("ftp"))
    #expect(await failure("file:///etc/hostname") == .unsupportedScheme("file"))
    #expect(await failure("no url") == .invalidURL("no url"))
    #expect(await failure("http://") == .invalidURL("http://"))
    #expect(await failure("") == .invalidURL(""))
  }

  @Test func noTLSIsATLSError() async throws {
    let server = try MisbehavingServer(greeting: Array("HTTP/1.1 400 No TLS\r\n\r\n".utf8))
    defer { server.stop() }
    let host = "127.0.0.1:\(server.port)"
    let error = await failure("https://\(host)/")
    guard case .tls(host, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func cancellingTheTaskHangsUp() async throws {
    try await withServer(["/head": [.hang], "/body": [.head(length: 9), .send([1]), .hang]]) {
      server in
      for path in ["/head", "/body"] {
        let task = Task { await failure(server.url(path)) }
        await server.until { $0.paths.contains(path) }
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.until { $0.hungUp.contains(path) }
      }
    }
  }

  @Test func droppingTheBodyHangsUp() async throws {
    try await withServer(["/a": [.head(), .send(bytes), .hang]]) { server in
      _ = try await transport.send(HTTPRequest(url: server.url("/a"), reach: .everywhere))
      await server.until { $0.hungUp == ["/a"] }
    }
  }

  @Test func manyAtOnceAllArrive() async throws {
    try await withServer(["/a": MisbehavingServer.Step.response(body: bytes)]) { server in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<40 {
          group.addTask {
            try await transport.fetch(HTTPRequest(url: server.url("/a"), reach: .everywhere)).1
              == bytes
          }
        }
        for try await isWhole in group { #expect(isWhole) }
      }
      #expect(server.seen.mostOpen <= 8)
    }
  }
}
