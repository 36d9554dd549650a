import FoundationEssentials
import HTTP
import HTTPCache
import HTTPTransport
import ImageDecoding
import Pixels
import TestSupport
import Testing

@testable import ImageLoading

/// The loader with a cache on disk, over real sockets: the requests of a second start.
@MainActor @Suite(.timeLimit(.minutes(10))) struct LoaderCacheTests {
  private let folder: TemporaryFolder
  private let server: MisbehavingServer
  private let picture = SamplePictures.png(
    PixelSize(width: 90, height: 60),
    PixelBuffer(size: PixelSize(width: 90, height: 60), red: 7, green: 8, blue: 9).bytes)

  init() throws {
    folder = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  /// The events of one picture in one start of the program.
  private struct Start {
    var lines: [String]
    var traced: [String]
  }

  private func start(
    _ path: String = "/a", transport: (any HTTPTransport)? = nil,
    _ change: (inout ImageLoaderConfiguration) -> Void = { _ in }
  ) async -> Start {
    var configuration = ImageLoaderConfiguration()
    configuration.retries.maximumAttempts = 1
    change(&configuration)
    let cache = HTTPCache(path: folder.path + "/cache")
    let loader = ImageLoader(
      configuration: configuration,
      transport: transport ?? CurlTransport(userAgent: "tideline/test"),
      decoder: SystemImageDecoder(), disk: cache)
    let log = EventLog()
    var traced: [String] = []
    loader.onTrace = { traced.append($0.state.rawValue) }
    loader.load(server.url(path), reach: .everywhere, onEvent: log.handler("a"))
    await log.until { $0.contains { $0.hasSuffix("image") || $0.contains("failure") } }
    await eventually { loader.isQuiet }
    await cache.flush()
    return Start(lines: log.lines, traced: traced)
  }

  private func route(
    _ fields: [(String, String)], status: Int = 200, body: [UInt8]? = nil, at path: String = "/a"
  ) {
    let body = body ?? picture
    server.route(
      path,
      [.head(status: status, length: body.count, fields: fields), .send(body)])
  }

  private let shown = ["a size 90x60", "a image"]

  @Test func aSecondStartSendsNothing() async {
    defer { server.stop() }
    route([("Cache-Control", "max-age=600")])
    let first = await start()
    #expect(first.lines == shown)
    #expect(first.traced == ["queued", "started", "header", "done"])
    let second = await start()
    #expect(second.lines == shown)
    #expect(second.traced == ["queued", "diskHit", "header", "done"])
    #expect(server.seen.paths == ["/a"])
    // Without caches it is fetched each time, and nothing is written.
    let without = await start { $0.usesCache = false }
    #expect(without.traced == ["queued", "started", "header", "done"])
    #expect(server.seen.paths == ["/a", "/a"])
  }

  @Test func stalePictureIsRevalidated() async {
    defer { server.stop() }
    route([("ETag", "\"one\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
    route(
      [("ETag", "\"one\""), ("Cache-Control", "max-age=0"), ("Cache-Control", "must-revalidate")])
    _ = await start()
    route([("Cache-Control", "max-age=600")], status: 304, body: [])
    let second = await start()
    #expect(second.lines == shown)
    #expect(second.traced == ["queued", "started", "revalidated", "header", "done"])
    #expect(server.seen.heads.last?.contains("If-None-Match: \"one\"") == true)
    // The server's new lifetime counts.
    let third = await start()
    #expect(third.traced == ["queued", "diskHit", "header", "done"])
    #expect(server.seen.paths.count == 2)
  }

  @Test func aChangedPictureReplacesIt() async {
    defer { server.stop() }
    route([("ETag", "\"one\"")])
    _ = await start()
    let size = PixelSize(width: 40, height: 20)
    let other = SamplePictures.png(
      size, PixelBuffer(size: size, red: 1, green: 2, blue: 3).bytes)
    route([("ETag", "\"two\""), ("Cache-Control", "max-age=600")], body: other)
    #expect(await start().lines == ["a size 40x20", "a image"])
    #expect(await start().lines == ["a size 40x20", "a image"])
    #expect(server.seen.paths.count == 2)
  }

  @Test func stalePictureIsShownIfAllowed() async {
    defer { server.stop() }
    route([("ETag", "\"one\""), ("Cache-Control", "max-age=0, stale-while-revalidate=600")])
    _ = await start()
    route([("Cache-Control", "max-age=600")], status: 304, body: [])
    let second = await start()
    #expect(second.traced == ["queued", "diskHit", "header", "done"])
    // Revalidated afterwards, in the background.
    #expect(server.seen.paths.count == 2)
    #expect(server.seen.heads.last?.contains("If-None-Match: \"one\"") == true)
    _ = await start()
    #expect(server.seen.paths.count == 2)
  }

  @Test func staleReplacesAFailure() async {
    route([("ETag", "\"one\""), ("Cache-Control", "max-age=0, stale-if-error=600")])
    _ = await start()
    route([("Content-Type", "text/plain")], status: 503, body: [])
    let second = await start()
    #expect(second.lines == shown && second.traced.contains("diskHit"))
    server.stop()
    let third = await start(
      transport: FailingTransport(error: .unreachable(host: "x", reason: "no network")))
    #expect(third.lines == shown && third.traced.contains("diskHit"))
    let fourth = await start(transport: FailingTransport(error: .status(404)))
    #expect(fourth.lines.count == 1)
  }

  @Test func otherBytesAreNotStored() async throws {
    defer { server.stop() }
    let fresh = ("Cache-Control", "max-age=600")
    route([fresh], body: Array(picture.prefix(60)), at: "/cut")
    route([fresh], body: Array("<p>no".utf8), at: "/html")
    route([fresh], body: [], at: "/empty")
    for path in ["/cut", "/html", "/empty"] {
      for _ in 0..<2 { #expect(await start(path).lines.last?.contains("failure") == true) }
    }
    #expect(server.seen.paths.count == 6)
    #expect(try HTTPCache(path: folder.path + "/cache").contents().count == 0)
  }

  @Test func absenceIsStoredIfItHasALifetime() async {
    defer { server.stop() }
    route([("Cache-Control", "max-age=600")], status: 404, body: [])
    for _ in 0..<2 { #expect(await start().lines == ["a failure HTTP status 404 (not found)"]) }
    #expect(server.seen.paths.count == 1)
    route([], status: 410, body: [], at: "/b")
    for _ in 0..<2 { _ = await start("/b") }
    #expect(server.seen.paths.count == 3)
  }

  @Test func tryAgainAsksTheServer() async {
    defer { server.stop() }
    route([("Cache-Control", "max-age=600")], status: 404, body: [])
    let cache = HTTPCache(path: folder.path + "/cache")
    let loader = ImageLoader(
      transport: CurlTransport(userAgent: "tideline/test"), decoder: SystemImageDecoder(),
      disk: cache)
    let log = EventLog()
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    await log.until("a failure HTTP status 404 (not found)")
    route([("Cache-Control", "max-age=600")])
    loader.tryAgain(server.url("/a"), reach: .everywhere)
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("b"))
    await log.until("b image")
    #expect(server.seen.paths.count == 2)
  }

  /// A picture for which a name and a password are sent.
  @Test func nothingIsStoredWithCredentials() async throws {
    defer { server.stop() }
    route([("Cache-Control", "max-age=600")])
    let login = HTTPAddress(server.url("/a").replacing("http://", with: "http://me:word@")).login
    let transport = CurlTransport(
      userAgent: "tideline/test", logins: [try #require(login)])
    for _ in 0..<2 { #expect(await start(transport: transport).lines == shown) }
    #expect(server.seen.paths.count == 2)
    #expect(server.seen.heads.allSatisfy { $0.contains("Authorization: Basic") })
    #expect(try HTTPCache(path: folder.path + "/cache").contents().count == 0)
  }

  @Test func temporaryRedirectsAreNotStored() async {
    defer { server.stop() }
    route([("Cache-Control", "max-age=600")], at: "/b")
    server.route("/a", MisbehavingServer.Step.redirect(to: "/b", status: 302))
    server.route("/c", MisbehavingServer.Step.redirect(to: "/b", status: 301))
    for _ in 0..<2 { #expect(await start("/a").lines == shown) }
    #expect(server.seen.paths == ["/a", "/b", "/a", "/b"])
    for _ in 0..<2 { #expect(await start("/c").lines == shown) }
    #expect(server.seen.paths.suffix(2) == ["/c", "/b"])
  }

  @Test func anUnwritableDiskIsIgnored() async throws {
    defer { server.stop() }
    try Data([1]).write(to: URL(filePath: folder.path + "/cache"))
    route([("Cache-Control", "max-age=600")])
    for _ in 0..<2 { #expect(await start().lines == shown) }
    #expect(server.seen.paths.count == 2)
  }
}

/// Responds to every request with the same failure.
private struct FailingTransport: HTTPTransport {
  let error: HTTPError
  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    throw error
  }
}
