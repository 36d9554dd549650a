import DemoContent
import HTTP
import ImageDecoding
import Pixels
import Synchronization
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(10))) struct DemoTransportTests {
  /// Records the waits instead of waiting.
  private final class Waits: Sendable {
    private let durations = Mutex<[Duration]>([])
    func note(_ duration: Duration) { durations.withLock { $0.append(duration) } }
    var all: [Duration] { durations.withLock { $0 } }
  }

  private let waits = Waits()
  private let transport: DemoTransport

  init() {
    let waits = waits
    transport = DemoTransport(latency: DemoLatency(seed: 1) { waits.note($0) })
  }

  private func get(
    _ path: String, of transport: DemoTransport? = nil
  ) async throws -> (status: Int, type: String?, pieces: [[UInt8]], bytes: [UInt8]) {
    let request = HTTPRequest(url: DemoPictures.origin + path)
    let (response, body) = try await (transport ?? self.transport).send(request)
    var pieces: [[UInt8]] = []
    for try await piece in body { pieces.append(piece) }
    let bytes = pieces.flatMap { $0 }
    #expect(response.expectedLength == bytes.count)
    return (response.status, response.headers["Content-Type"], pieces, bytes)
  }

  @Test func bundledPicturesAreUnchanged() async throws {
    for name in ["harbour-dusk.jpeg", "tide-staff.gif", "avatar-wave.webp"] {
      let answer = try await get("/pictures/\(name)")
      let picture = try DemoContent.picture(named: name)
      #expect(answer.status == 200)
      #expect(answer.type == picture.mediaType)
      #expect(answer.bytes == picture.bytes)
    }
  }

  /// The head comes after a quarter of the delay, then three pieces with the rest of it.
  @Test func answersArriveDelayedInPieces() async throws {
    let path = "/pictures/harbour-dusk.jpeg"
    let answer = try await get(path)
    #expect(answer.pieces.count == 3)
    #expect(waits.all.count == 4)
    let delay = DemoLatency(seed: 1).delay(for: path)
    #expect(waits.all.allSatisfy { $0 == delay / 4 })
  }

  @Test func generatedPicturesHaveTheirSize() async throws {
    let jpeg = try await get("/generated/345x267/12.jpeg")
    #expect(jpeg.type == "image/jpeg")
    // The start of frame: marker, length, precision, height, width.
    let frame = try #require(jpeg.bytes.firstRange(of: [0xff, 0xc0, 0x00, 0x11, 0x08]))
    let size = Array(jpeg.bytes[frame.upperBound...].prefix(4))
    #expect(size == [1, 11, 1, 89])
    #expect(try await get("/generated/345x267/12.jpeg").bytes == jpeg.bytes)
    #expect(try await get("/generated/345x267/13.jpeg").bytes != jpeg.bytes)
  }

  @Test func aFlakyPictureFailsOnceAndThenComes() async throws {
    let path = "/flaky/30x20/7.jpeg"
    #expect(try await get(path).status == 503)
    for _ in 0..<2 { #expect(try await get(path).status == 200) }
    let steady = try await get("/generated/30x20/7.jpeg")
    #expect(try await get(path).bytes == steady.bytes)
    #expect(try await get("/flaky/30x20/8.jpeg").status == 503)
  }

  @Test func sizesNeedNoRequest() throws {
    let decoder = SystemImageDecoder()
    for (path, size) in [
      ("/generated/345x267/1.jpeg", PixelSize(width: 345, height: 267)),
      ("/flaky/20x30/1.jpeg", PixelSize(width: 20, height: 30)),
      ("/pictures/lighthouse-noon.webp", PixelSize(width: 900, height: 1200)),
      ("/pictures/tide-staff.gif", PixelSize(width: 600, height: 600)),
    ] {
      #expect(try DemoPicture(path: path)?.size(decoder: decoder) == size)
    }
    #expect(try DemoPicture(path: "/pictures/none.png")?.size(decoder: decoder) == nil)
    #expect(DemoPicture(path: "/nothing") == nil)
  }

  @Test(arguments: [
    "/", "/flaky/10x10", "/pictures/none.png", "/pictures/..%2Ftimeline.json", "/pictures",
    "/pictures/../timeline.json", "/timeline.json",
    "/generated/345x267/12.png", "/generated/0x10/1.jpeg", "/generated/-1x10/1.jpeg",
    "/generated/2001x10/1.jpeg", "/generated/99999999999999999999x1/1.jpeg",
    "/generated/10x10/x.jpeg", "/generated/10x10x10/1.jpeg", "/generated/10x10",
  ])
  func everythingElseIsNotFound(path: String) async throws {
    #expect(try await get(path).status == 404)
  }

  @Test func extremePictureSizesWork() throws {
    for size in ["1x1", "2000x1", "1x2000"] {
      for file in ["0.jpeg", "18446744073709551615.jpeg"] {
        let picture = try #require(GeneratedPicture(size: size, file: file))
        #expect(picture.pixels().count == picture.width * picture.height * 3)
        #expect(try !picture.encoded().bytes.isEmpty)
      }
    }
  }

  @Test func aPictureHasAWhiteFrame() throws {
    let picture = try #require(GeneratedPicture(size: "40x80", file: "5.jpeg"))
    let pixels = picture.pixels()
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(pixels[(y * 40 + x) * 3..<(y * 40 + x) * 3 + 3])
    }
    for (x, y) in [(0, 0), (39, 0), (0, 79), (39, 79), (20, 0), (0, 40)] {
      #expect(pixel(x, y) == [255, 255, 255])
    }
    #expect(pixel(20, 70) != [255, 255, 255])
  }

  @Test func waitsAreFixedBySeedAndPath() {
    let paths = (0..<200).map { "/generated/300x200/\($0).jpeg" }
    let first = DemoLatency(seed: 7)
    let waits = paths.map(first.delay)
    #expect(waits == paths.map(DemoLatency(seed: 7).delay))
    #expect(waits != paths.map(DemoLatency(seed: 8).delay))
    #expect(waits.allSatisfy { (.milliseconds(100))...(.milliseconds(2000)) ~= $0 })
    // Spread over the whole range, not in one corner of it.
    #expect(waits.contains { $0 < .milliseconds(400) })
    #expect(waits.contains { $0 > .milliseconds(1700) })
  }

  @Test func cancellingEndsAWait() async throws {
    let transport = DemoTransport(
      latency: DemoLatency(seed: 1, milliseconds: 3_600_000...3_600_000))
    let task = Task { () -> HTTPError? in
      do throws(HTTPError) {
        _ = try await transport.send(
          HTTPRequest(url: DemoPictures.origin + "/pictures/tide-staff.gif"))
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  /// A body that is dropped is not read to its end.
  @Test func aDroppedBodyStops() async throws {
    let request = HTTPRequest(url: DemoPictures.origin + "/pictures/tide-staff.gif")
    var body = try await transport.send(request).1.makeAsyncIterator()
    #expect(try await body.next() != nil)
    #expect(waits.all.count == 2)
  }

  // MARK: Other addresses

  private struct Others: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
      throw .status(418)
    }
  }

  @Test func othersAreForwarded() async throws {
    let request = HTTPRequest(url: "\(DemoPictures.origin).example/pictures/tide-staff.gif")
    await #expect(throws: HTTPError.unavailable(reason: "the demo has no network")) {
      try await transport.send(request)
    }
    let passing = DemoTransport(seed: 1, others: Others())
    await #expect(throws: HTTPError.status(418)) { try await passing.send(request) }
  }

  // MARK: A server's pictures

  @Test func aTemplateIsFilledIn() throws {
    let pictures = try DemoPictures(from: "http://me:word@tide.example/{width}/{height}?x={width}")
    #expect(!pictures.areBuiltIn)
    #expect(
      pictures.made(width: 30, height: 20, seed: 1) == "http://tide.example/30/20?x=30")
    #expect(pictures.icon(named: "a.png") == "http://tide.example/160/160?x=160")
    #expect(pictures.login?.origin == "http://tide.example")
    #expect(DemoPictures.own.areBuiltIn && DemoPictures.own.login == nil)
  }

  @Test(arguments: [
    ("http://tide.example/", "it needs {width} and {height} in it"),
    ("http://tide.example/{width}", "it needs {width} and {height} in it"),
    ("{width}x{height}", "an address without a scheme cannot be opened, only http: and https: can"),
    ("ftp://a/{width}x{height}", "“ftp:” cannot be opened, only http: and https: can"),
    ("http:///{width}x{height}", "not a URL: it has no host"),
  ])
  func badTemplatesFail(text: String, reason: String) {
    #expect(throws: DemoTemplateError(reason: reason)) { try DemoPictures(from: text) }
  }
}
