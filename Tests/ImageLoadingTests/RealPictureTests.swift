import ImageLoading
import Pixels
import TestSupport
import Testing

@testable import ImageDecoding

/// Pictures of many programs, if `TIDELINE_SHARED` names a folder that has some.
@Suite(.realData) struct RealPictureTests {
  private let decoder = SystemImageDecoder()
  private let box = PixelSize(width: 640, height: 640)

  private static var pictures: [PictureChecks.Picture] {
    get throws {
      try RealData.files(in: "pictures").map { path in
        (String(path.split(separator: "/").last ?? ""), try PackageFiles.bytes(at: path))
      }
    }
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try #require(try Self.pictures.first { $0.name == name }).bytes
  }

  @Test(arguments: [
    ("anim.gif", 32, 32), ("baseline.jpeg", 450, 300), ("baseline.webp", 550, 368),
    ("card-32c-alpha.png", 1100, 827), ("dancing-banana.gif", 365, 360),
    ("fixture.png", 640, 360), ("gradient-16b-gray.png", 64, 64),
    ("gradient-8b-indexed.png", 64, 64), ("grayscale.jpeg", 200, 200),
    ("pixel-cmyk.jpeg", 1, 1), ("progressive.jpeg", 450, 300),
    ("right-orientation.jpeg", 640, 480), ("swift.png", 200, 180), ("taxic.jpg", 1280, 853),
  ])
  func theyDecodeToTheirSize(name: String, width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    try PictureChecks().decodes(bytes(name), to: size, name)
  }

  @Test(arguments: ["lodepng-zlib-big-alloc.png", "no-frame-data.gif"])
  func hugeHeadersAreRefusedBeforeDecoding(name: String) throws {
    let bytes = try bytes(name)
    #expect {
      try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    } throws: { error in
      guard case ImageError.tooManyPixels = error else { return false }
      return true
    }
  }

  @Test func cmykIsInkNotLight() throws {
    let pixel = try decoder.decode(
      bytes("pixel-cmyk.jpeg"), fitting: box, limits: ImageLimits())[0, 0]
    // Magenta ink, no black.
    let magenta: [UInt8] = [255, 18, 254, 255]
    #expect((0..<4).allSatisfy { abs(Int(pixel[$0]) - Int(magenta[$0])) <= 6 }, "\(pixel)")
  }

  @Test func aSidewaysPhotographIsTurned() throws {
    let bytes = try bytes("right-orientation.jpeg")
    let seen = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    let stored = try decoder.decode(
      SamplePictures.withoutEXIF(bytes), fitting: box, limits: ImageLimits())
    #expect(stored.size == PixelSize(width: 480, height: 640))
    #expect(seen == stored.oriented(.quarterClockwise))
  }

  @Test func headersNeedOnlyAPrefix() throws {
    for (name, bytes) in try Self.pictures {
      PictureChecks().headerNeedsOnlyAPrefix(bytes, name)
    }
  }

  @Test(arguments: ImageFormat.allCases) func damageIsAnErrorOrAPicture(format: ImageFormat) throws
  {
    let small = try Self.pictures.filter { $0.bytes.count < 60_000 }
    try PictureChecks().damageIsAnErrorOrAPicture(format, of: small)
  }

  @Test func aSeparateProcessDecodesTheSame() throws {
    let program = try ProgramUnderTest.path(of: DecoderProgram.name)
    let other = SystemImageDecoder(program: DecoderProgram(path: program))
    for (name, bytes) in try Self.pictures {
      for side in [640, 97, 3] {
        let box = PixelSize(width: side, height: side)
        let here = Result { try decoder.decode(bytes, fitting: box, limits: ImageLimits()) }
        let there = Result { try other.decode(bytes, fitting: box, limits: ImageLimits()) }
        switch (here, there) {
        case (.success(let here), .success(let there)): #expect(here == there, "\(name)")
        case (.failure(let here), .failure(let there)): #expect("\(here)" == "\(there)", "\(name)")
        default: Issue.record("\(name): \(here) here, \(there) there")
        }
      }
    }
  }
}
