import HTTP
import HTTPTransport
import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

/// The loader over real sockets, against a server that misbehaves.
@MainActor @Suite(.timeLimit(.minutes(10))) struct LoaderServerTests {
  private let log = EventLog()
  private let picture = SamplePictures.png(
    PixelSize(width: 90, height: 60),
    PixelBuffer(size: PixelSize(width: 90, height: 60), red: 7, green: 8, blue: 9).bytes)

  private func loader(
    _ change: (inout ImageLoaderConfiguration) -> Void = { _ in }
  ) -> ImageLoader {
    var configuration = ImageLoaderConfiguration()
    // A gate may stay shut for long on a busy machine: only tests of timeouts shorten it again.
    configuration.fetchLimits.totalSeconds = 600
    configuration.fetchLimits.headSeconds = 600
    configuration.fetchLimits.idleSeconds = 600
    configuration.fetchLimits.rateSeconds = 600
    configuration.retries.maximumAttempts = 1
    change(&configuration)
    return ImageLoader(
      configuration: configuration, transport: CurlTransport(userAgent: "tideline/test"),
      decoder: SystemImageDecoder())
  }

  @Test func theSizeIsKnownBeforeThePixels() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let gate = ServerGate()
    server.route("/a", MisbehavingServer.Step.held(picture, after: 40, by: gate))
    let loader = loader()
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    await log.until("a size 90x60")
    #expect(loader.knownSize(of: server.url("/a")) == PixelSize(width: 90, height: 60))
    #expect(log.images.isEmpty)
    gate.open()
    await log.until("a image")
    #expect(log.images["a"]?.pixels[89, 59] == [7, 8, 9, 255])
    #expect(log.lines == ["a size 90x60", "a image"])
  }

  @Test func aSlowDripArrives() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let gates = (0..<5).map { _ in ServerGate() }
    var steps: [MisbehavingServer.Step] = [.head(length: picture.count)]
    let pieces = stride(from: 0, to: picture.count, by: picture.count / 5 + 1).map { start in
      Array(picture[start..<min(picture.count, start + picture.count / 5 + 1)])
    }
    for (gate, piece) in zip(gates, pieces) { steps += [.wait(gate), .send(piece)] }
    server.route("/a", steps)
    let loader = loader()
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    for gate in gates { gate.open() }
    await log.until("a image")
  }

  @Test func eachErrorIsOneFailure() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/404", MisbehavingServer.Step.response(status: 404))
    server.route("/500", MisbehavingServer.Step.response(status: 500, body: picture))
    server.route("/loop", MisbehavingServer.Step.redirect(to: "/loop"))
    let start = Array(picture.prefix(50))
    server.route("/short", [.head(length: picture.count), .send(start)])
    server.route("/cut", MisbehavingServer.Step.response(type: "image/png", body: start))
    server.route(
      "/html", MisbehavingServer.Step.response(type: "text/html", body: Array("<p>no".utf8)))
    server.route("/long", [.head(length: 60_000), .hang])
    server.route("/endless", [.head(), .send(picture), .sendForever(picture)])
    server.route("/nothing", [.head(), .sendForever(Array("nothing".utf8))])
    let loader = loader { $0.fetchLimits.maximumBytes = 50_000 }
    let expected: [(String, String)] = [
      ("/404", "HTTP status 404 (not found)"),
      ("/500", "HTTP status 500 (internal server error)"),
      ("/loop", "redirected more than 5 times"),
      ("/short", "ended after \(start.count) of \(picture.count) bytes"),
      ("/cut", "a broken PNG picture: "),
      ("/html", "not a known picture format (text/html)"),
      ("/long", "larger than the limit of 50000 bytes"),
      ("/endless", "larger than the limit of 50000 bytes"),
      ("/nothing", "not a known picture format"),
    ]
    for (path, _) in expected {
      loader.load(server.url(path), reach: .everywhere, onEvent: log.handler(path))
    }
    await log.until { $0.count { $0.contains(" failure ") } == expected.count }
    for (path, clause) in expected {
      #expect(
        log.lines.contains { $0.hasPrefix("\(path) failure \(clause)") }, "\(path): \(log.lines)")
    }
    #expect(loader.activity.isIdle && loader.activity.bytes == 0)
    await server.until { $0.hungUp.contains("/long") }
  }

  @Test func silenceIsAFailure() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/never", [.hang])
    let loader = loader { $0.fetchLimits.idleSeconds = 0.2 }
    loader.load(server.url("/never"), reach: .everywhere, onEvent: log.handler("never"))
    await log.until("never failure timed out after 0.2 s")
  }

  @Test func aWrongTypeIsIgnored() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/a", MisbehavingServer.Step.response(type: "text/html", body: picture))
    let loader = loader()
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    await log.until("a image")
  }

  @Test func manyLoadsKeepTheLimit() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let gate = ServerGate()
    for index in 0..<12 {
      server.route("/\(index)", MisbehavingServer.Step.held(picture, after: 10, by: gate))
    }
    let loader = loader { $0.maximumConcurrentFetches = 3 }
    for index in 0..<12 {
      for copy in 0..<3 {
        loader.load(
          server.url("/\(index)"), reach: .everywhere, onEvent: log.handler("\(index).\(copy)"))
      }
    }
    await server.until { $0.open == 3 }
    #expect(loader.activity.queued == 9 && loader.activity.inFlight == 3)
    gate.open()
    await log.until { $0.count { $0.hasSuffix(" image") } == 36 }
    #expect(server.seen.paths.count == 12 && server.seen.mostOpen == 3)
  }

  @Test func cancellingHangsUp() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let gate = ServerGate()
    server.route("/a", MisbehavingServer.Step.held(picture, after: 40, by: gate))
    let loader = loader()
    let request = loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    await log.until("a size 90x60")
    request.cancel()
    await server.until { $0.hungUp == ["/a"] }
    #expect(log.lines == ["a size 90x60"] && loader.activity.isIdle)
  }

  @Test func picturesBeyondTheBytesWaitAndArrive() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let gate = ServerGate()
    for index in 0..<4 {
      server.route("/\(index)", MisbehavingServer.Step.held(picture, after: 40, by: gate))
    }
    // Room for one and a half of the announced lengths.
    let loader = loader { $0.maximumBytesInFlight = picture.count * 3 / 2 }
    var most = 0
    loader.onActivityChange = { most = max(most, $0.bytes) }
    for index in 0..<4 {
      loader.load(server.url("/\(index)"), reach: .everywhere, onEvent: log.handler("\(index)"))
    }
    gate.open()
    await log.until { $0.count { $0.hasSuffix(" image") } == 4 }
    #expect(most <= picture.count * 3 / 2)
  }
}
