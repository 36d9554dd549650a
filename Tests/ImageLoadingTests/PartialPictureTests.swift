import FoundationEssentials
import HTTP
import HTTPTransport
import ImageDecoding
import Pixels
import TestSupport
import Testing

@testable import ImageLoading

/// Bodies that break off: the part received of a picture is shown, and marked as incomplete.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PartialPictureTests {
  private static let size = PixelSize(width: 90, height: 60)
  private let picture = SamplePictures.png(
    size, PixelBuffer(size: size, red: 7, green: 8, blue: 9).bytes)
  private var half: [UInt8] { Array(picture.prefix(picture.count / 2)) }

  private func loader(tries: Int, clock: ManualClock = ManualClock()) -> ImageLoader {
    var configuration = ImageLoaderConfiguration()
    configuration.retries.maximumAttempts = tries
    return ImageLoader(
      configuration: configuration, transport: CurlTransport(userAgent: "tideline/test"),
      decoder: SystemImageDecoder(), clock: clock)
  }

  /// With an announced length, in chunks without their end, and to the end of the connection.
  @Test func partsAreShown() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let count = half.count
    server.route("/announced", [.head(length: picture.count), .send(half)])
    server.route(
      "/chunked",
      [
        .head(fields: [("Transfer-Encoding", "chunked")]),
        .send(Array("\(String(count, radix: 16))\r\n".utf8) + half + Array("\r\n".utf8)),
      ])
    server.route("/closed", [.head(), .send(half)])
    let loader = loader(tries: 1)
    let expected = [
      ("/announced", "ended after \(count) of \(picture.count) bytes"),
      ("/chunked", "broke off after \(count) bytes"),
      ("/closed", "broke off after \(count) bytes"),
    ]
    for (path, reason) in expected {
      let log = EventLog()
      loader.load(server.url(path), reach: .everywhere, onEvent: log.handler("a"))
      await log.until("a image")
      let image = try #require(log.images["a"])
      #expect(image.size == Self.size && image.pixels[5, 5] == [7, 8, 9, 255], "\(path)")
      #expect(image.pixels[5, 59] == [0, 0, 0, 0], "\(path)")
      #expect(image.damage.map { "\($0)" } == reason, "\(path)")
      #expect(loader.damage(of: server.url(path)) == image.damage)
      // Shown again from memory, until the caller requests all of it.
      #expect(loader.knownFailure(of: server.url(path), reach: .everywhere) == nil)
      #expect(loader.cachedImage(for: server.url(path)) == image)
    }
    server.route("/announced", MisbehavingServer.Step.response(body: picture))
    let url = server.url("/announced")
    loader.tryAgain(url, reach: .everywhere)
    #expect(loader.cachedImage(for: url) == nil)
    let log = EventLog()
    loader.load(url, reach: .everywhere, onEvent: log.handler("b"))
    await log.until("b image")
    #expect(log.images["b"]?.damage == nil && loader.damage(of: url) == nil)
  }

  /// The connection breaks once, which is not visible.
  @Test func retriesComeFirst() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/a", [.head(length: picture.count), .send(half)])
    let clock = ManualClock()
    let loader = loader(tries: 2, clock: clock)
    let log = EventLog()
    loader.load(server.url("/a"), reach: .everywhere, onEvent: log.handler("a"))
    await eventually { loader.activity.waiting != 0 }
    server.route("/a", MisbehavingServer.Step.response(body: picture))
    clock.advance()
    await log.until("a image")
    #expect(log.lines == ["a size 90x60", "a image"] && log.images["a"]?.damage == nil)
  }

  /// A decoded row counts even if it is transparent; a file without a decoded row is an error.
  @Test(arguments: [0, 255] as [UInt8])
  func transparentBeginningsAreShownLikeOpaqueOnes(alpha: UInt8) throws {
    let black = PixelBuffer(size: Self.size, red: 0, green: 0, blue: 0, alpha: alpha)
    let picture = SamplePictures.png(Self.size, black.bytes)
    let decoder = SystemImageDecoder()
    for box in [Self.size, PixelSize(width: 9, height: 6)] {
      let image = try decoder.decodeAvailable(
        Array(picture.prefix(picture.count / 2)), fitting: box, limits: ImageLimits())
      #expect(!image.isComplete && image.pixels.size == box)
      #expect(image.pixels[0, 0] == [0, 0, 0, alpha])
      #expect(throws: ImageError.corrupted(format: .png, reason: "it ends early")) {
        try decoder.decodeAvailable(
          Array(picture.prefix(200)), fitting: box, limits: ImageLimits())
      }
    }
  }

  /// The bundled pictures, cut in half: their beginning is shown.
  @Test(arguments: ["jpeg", "png", "webp"])
  func everyFormatShowsItsBeginning(format: String) throws {
    let folder = PackageFiles.root + "/Resources/Content/pictures"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".\(format)") && !$0.hasPrefix("avatar") }
    #expect(!names.isEmpty)
    let decoder = SystemImageDecoder()
    let box = PixelSize(width: 64, height: 64)
    for name in names {
      let bytes = try PackageFiles.bytes(at: folder + "/" + name)
      let whole = try decoder.decodeAvailable(bytes, fitting: box, limits: ImageLimits())
      #expect(whole.isComplete, "\(name)")
      let half = Array(bytes.prefix(bytes.count / 2))
      let image = try decoder.decodeAvailable(half, fitting: box, limits: ImageLimits())
      #expect(!image.isComplete && image.pixels.size == whole.pixels.size, "\(name)")
      // Its first row is that of the whole; its last one is missing.
      let columns = 0..<whole.pixels.size.width
      let last = whole.pixels.size.height - 1
      let isSame = columns.allSatisfy { column in
        (0..<4).allSatisfy { channel in
          abs(Int(image.pixels[column, 0][channel]) - Int(whole.pixels[column, 0][channel])) <= 60
        }
      }
      #expect(isSame, "\(name)")
      #expect(columns.contains { image.pixels[$0, last] != whole.pixels[$0, last] }, "\(name)")
    }
  }
}
