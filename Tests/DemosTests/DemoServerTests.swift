import DemoContent
import HTTP
import HTTPTransport
import ImageDecoding
import Pixels
import Synchronization
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(10))) struct DemoServerTests {
  private let transport = CurlTransport(userAgent: "tideline/test", connectionsPerHost: 50)

  /// Serves without waiting and notes how long it would have waited.
  private func withServer<Result>(
    _ body: (String, @escaping @Sendable () -> [Duration]) async throws -> Result
  ) async throws -> Result {
    let waits = Waits()
    let server = try DemoServer(
      latency: DemoServerLatency(seed: 1) { duration in waits.note(duration) })
    let base = try await server.start()
    do {
      let result = try await body(base) { waits.all }
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  private final class Waits: Sendable {
    private let durations = Mutex<[Duration]>([])
    func note(_ duration: Duration) { durations.withLock { $0.append(duration) } }
    var all: [Duration] { durations.withLock { $0 } }
  }

  private func get(_ url: String) async throws -> (status: Int, type: String?, bytes: [UInt8]) {
    // The server waits its turn among all other tests.
    let limits = HTTPLimits(headSeconds: 600, idleSeconds: 600, rateSeconds: 600)
    let (response, body) = try await transport.send(
      HTTPRequest(url: url, reach: .everywhere, limits: limits))
    var bytes: [UInt8] = []
    for try await chunk in body { bytes += chunk }
    return (response.status, response.headers["Content-Type"], bytes)
  }

  @Test func bundledPicturesAreServedAsTheyAre() async throws {
    try await withServer { base, waits in
      for name in ["harbour-dusk.jpeg", "tide-staff.gif", "avatar-wave.webp"] {
        let answer = try await get("\(base)/pictures/\(name)")
        let picture = try DemoContent.picture(named: name)
        #expect(answer.status == 200)
        #expect(answer.type == picture.mediaType)
        #expect(answer.bytes == picture.bytes)
      }
      let latency = DemoServerLatency(seed: 1)
      #expect(waits().first == latency.delay(for: "/pictures/harbour-dusk.jpeg"))
    }
  }

  @Test func generatedPicturesHaveTheSizeAskedFor() async throws {
    try await withServer { base, _ in
      let png = try await get("\(base)/generated/345x267/12.png")
      #expect(png.type == "image/png")
      #expect(png.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
      #expect(Array(png.bytes[16..<24]) == [0, 0, 1, 89, 0, 0, 1, 11])
      let jpeg = try await get("\(base)/generated/345x267/12.jpeg")
      #expect(jpeg.type == "image/jpeg")
      // The start of frame: marker, length, precision, height, width.
      let frame = try #require(jpeg.bytes.firstRange(of: [0xff, 0xc0, 0x00, 0x11, 0x08]))
      let size = Array(jpeg.bytes[frame.upperBound...].prefix(4))
      #expect(size == [1, 11, 1, 89])
      #expect(try await get("\(base)/generated/345x267/12.png").bytes == png.bytes)
      #expect(try await get("\(base)/generated/345x267/13.png").bytes != png.bytes)
    }
  }

  @Test func aFlakyPictureFailsOnceAndThenComes() async throws {
    try await withServer { base, _ in
      let path = "/flaky/30x20/7.jpeg"
      #expect(try await get(base + path).status == 503)
      for _ in 0..<2 { #expect(try await get(base + path).status == 200) }
      let steady = try await get(base + "/generated/30x20/7.jpeg")
      #expect(try await get(base + path).bytes == steady.bytes)
      #expect(try await get(base + "/flaky/30x20/8.jpeg").status == 503)
    }
  }

  @Test func sizesAreKnownWithoutServing() throws {
    let decoder = SystemImageDecoder()
    for (path, size) in [
      ("/generated/345x267/1.jpeg", PixelSize(width: 345, height: 267)),
      ("/flaky/20x30/1.png", PixelSize(width: 20, height: 30)),
      ("/pictures/lighthouse-noon.webp", PixelSize(width: 900, height: 1200)),
      ("/pictures/tide-staff.gif", PixelSize(width: 600, height: 600)),
    ] {
      #expect(try DemoServerContent(path: path)?.size(decoder: decoder) == size)
    }
    #expect(try DemoServerContent(path: "/pictures/none.png")?.size(decoder: decoder) == nil)
    #expect(DemoServerContent(path: "/nothing") == nil)
  }

  @Test(arguments: [
    "/", "/flaky/10x10", "/pictures/none.png", "/pictures/..%2Ftimeline.json", "/pictures",
    "/timeline.json",
    "/generated/345x267/12.gif", "/generated/0x10/1.png", "/generated/-1x10/1.png",
    "/generated/2001x10/1.png", "/generated/99999999999999999999x1/1.png", "/generated/10x10/x.png",
    "/generated/10x10x10/1.png", "/generated/10x10",
  ])
  func everythingElseIsNotFound(path: String) async throws {
    try await withServer { base, _ in
      let answer = try await get(base + path)
      #expect(answer.status == 404)
    }
  }

  @Test func theSmallestAndTheLargestPictures() throws {
    for size in ["1x1", "2000x1", "1x2000"] {
      for file in ["0.png", "18446744073709551615.jpeg"] {
        let picture = try #require(DemoServerPicture(size: size, file: file))
        #expect(picture.pixels().count == picture.width * picture.height * 3)
        #expect(try !picture.encoded().bytes.isEmpty)
      }
    }
  }

  @Test func aPictureHasAWhiteFrame() throws {
    let picture = try #require(DemoServerPicture(size: "40x80", file: "5.png"))
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
    let first = DemoServerLatency(seed: 7)
    let waits = paths.map(first.delay)
    #expect(waits == paths.map(DemoServerLatency(seed: 7).delay))
    #expect(waits != paths.map(DemoServerLatency(seed: 8).delay))
    #expect(waits.allSatisfy { (.milliseconds(100))...(.milliseconds(2000)) ~= $0 })
    // Spread over the whole range, not in one corner of it.
    #expect(waits.contains { $0 < .milliseconds(400) })
    #expect(waits.contains { $0 > .milliseconds(1700) })
  }

  @Test func startingTwiceGivesTheSameAddress() async throws {
    let server = try DemoServer(seed: 1)
    let base = try await server.start()
    #expect(base.hasPrefix("http://127.0.0.1:"))
    #expect(try await server.start() == base)
    await server.stop()
    await #expect(
      throws: HTTPError.unreachable(
        host: String(base.dropFirst("http://".count)), reason: "connection refused")
    ) { try await get(base + "/") }
    let again = try await server.start()
    #expect(try await get(again + "/").status == 404)
    await server.stop()
    await server.stop()
  }

  @Test func theServerWaitsByItself() async throws {
    let server = try DemoServer(latency: DemoServerLatency(seed: 1, milliseconds: 1...20))
    let base = try await server.start()
    for _ in 0..<3 { #expect(try await get(base + "/generated/3x2/1.png").status == 200) }
    await server.stop()
  }

  /// Each of the fifty is answered only when all fifty wait.
  @Test func waitsDoNotBlockEachOther() async throws {
    let gate = Gate(count: 50)
    let server = try DemoServer(latency: DemoServerLatency(seed: 1) { _ in await gate.pass() })
    let base = try await server.start()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask { try await get("\(base)/generated/4x4/\(number).png").status }
      }
      for try await status in group { #expect(status == 200) }
    }
    await server.stop()
  }

  @Test func aDroppedWaitHangsUp() async throws {
    struct Refusal: Error {}
    let server = try DemoServer(latency: DemoServerLatency(seed: 1) { _ in throw Refusal() })
    let base = try await server.start()
    await #expect(throws: HTTPError.self) { try await get(base + "/pictures/tide-staff.gif") }
    await server.stop()
  }

  /// Lets everybody pass when `count` have come.
  private actor Gate {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { missing = count }

    func pass() async {
      missing -= 1
      guard missing > 0 else {
        for continuation in waiting { continuation.resume() }
        waiting = []
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}
