import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

@Suite struct DecodingTests {
  private let decoder = SystemImageDecoder()
  private let box = PixelSize(width: 640, height: 640)

  private func bytes(_ name: String) throws -> [UInt8]? {
    guard let path = SharedData.files(in: "pictures").first(where: { $0.hasSuffix("/\(name)") })
    else { return nil }
    return try SharedData.bytes(path)
  }

  private func near(_ a: SIMD4<UInt8>, _ b: SIMD4<UInt8>, _ tolerance: Int = 6) -> Bool {
    (0..<4).allSatisfy { abs(Int(a[$0]) - Int(b[$0])) <= tolerance }
  }

  @Test(arguments: [
    ("anim.gif", 32, 32), ("baseline.jpeg", 450, 300), ("baseline.webp", 550, 368),
    ("card-32c-alpha.png", 1100, 827), ("dancing-banana.gif", 365, 360),
    ("fixture.png", 640, 360), ("gradient-16b-gray.png", 64, 64),
    ("gradient-8b-indexed.png", 64, 64), ("grayscale.jpeg", 200, 200),
    ("pixel-cmyk.jpeg", 1, 1), ("progressive.jpeg", 450, 300),
    ("right-orientation.jpeg", 640, 480), ("swift.png", 200, 180), ("taxic.jpg", 1280, 853),
  ])
  func realPicturesDecodeToTheirSize(name: String, width: Int, height: Int) throws {
    guard let bytes = try bytes(name) else { return }
    let size = PixelSize(width: width, height: height)
    guard case .header(let header) = decoder.header(of: bytes) else {
      Issue.record("no header")
      return
    }
    #expect(header.size == size)
    let pixels = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    #expect(pixels.size == size.fitted(in: box))
    #expect(Set(pixels.bytes).count > 1 || width == 1)
    let small = PixelSize(width: 40, height: 40)
    let scaled = try decoder.decode(bytes, fitting: small, limits: ImageLimits())
    #expect(scaled.size == size.fitted(in: small))
    // Scaling while decoding and afterwards come to the same picture.
    let reference = Self.overBlack(pixels.scaled(to: scaled.size))
    let shown = Self.overBlack(scaled)
    let difference = zip(reference, shown).reduce(0) { $0 + abs($1.0 - $1.1) }
    #expect(difference / reference.count <= 5)
  }

  /// The colours of a picture as they show on black.
  private static func overBlack(_ picture: PixelBuffer) -> [Int] {
    stride(from: 0, to: picture.bytes.count, by: 4).flatMap { index in
      let alpha = Int(picture.bytes[index + 3])
      return (0..<3).map { Int(picture.bytes[index + $0]) * alpha / 255 }
    }
  }

  @Test(arguments: ["lodepng-zlib-big-alloc.png", "no-frame-data.gif"])
  func hugeHeadersAreRefusedBeforeDecoding(name: String) throws {
    guard let bytes = try bytes(name) else { return }
    #expect {
      try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    } throws: { error in
      guard case ImageError.tooManyPixels = error else { return false }
      return true
    }
  }

  @Test func limitsHoldForAreaAndSide() throws {
    let png = SamplePictures.png
    for limits in [ImageLimits(maximumPixels: 5), ImageLimits(maximumSide: 2)] {
      #expect(
        throws: ImageError.tooManyPixels(PixelSize(width: 3, height: 2), limits: limits)
      ) {
        try decoder.decode(png, fitting: box, limits: limits)
      }
    }
    #expect(
      try decoder.decode(
        png, fitting: box, limits: ImageLimits(maximumPixels: 6, maximumSide: 3)
      ).size == PixelSize(width: 3, height: 2))
  }

  @Test func alphaIndexedAndDeepPicturesKeepTheirColours() throws {
    let png = try decoder.decode(SamplePictures.png, fitting: box, limits: ImageLimits())
    #expect(png.bytes == SamplePictures.pngPixels)
    if let bytes = try bytes("gradient-16b-gray.png") {
      let picture = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
      let pixel = picture[63, 63]
      #expect(pixel.x == pixel.y && pixel.y == pixel.z && pixel.w == 255)
      #expect(near(picture[0, 0], [0, 0, 0, 255]) != near(picture[63, 63], [0, 0, 0, 255]))
    }
    if let bytes = try bytes("swift.png") {
      #expect(try decoder.decode(bytes, fitting: box, limits: ImageLimits())[0, 0].w == 0)
    }
    if let bytes = try bytes("grayscale.jpeg") {
      let picture = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
      let places = stride(from: 0, to: picture.bytes.count, by: 4)
      let isGrey = places.allSatisfy { place in
        let red = picture.bytes[place]
        return picture.bytes[place + 1] == red && picture.bytes[place + 2] == red
      }
      #expect(isGrey)
    }
  }

  @Test func cmykIsInkNotLight() throws {
    guard let bytes = try bytes("pixel-cmyk.jpeg") else { return }
    let pixel = try decoder.decode(bytes, fitting: box, limits: ImageLimits())[0, 0]
    #expect(near(pixel, SamplePictures.cmykPixel), "\(pixel)")
  }

  @Test func progressiveAndBaselineAreTheSamePicture() throws {
    guard let one = try bytes("baseline.jpeg"), let other = try bytes("progressive.jpeg") else {
      return
    }
    let a = try decoder.decode(one, fitting: box, limits: ImageLimits())
    let b = try decoder.decode(other, fitting: box, limits: ImageLimits())
    let difference = zip(a.bytes, b.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference / a.bytes.count <= 3)
  }

  @Test(arguments: PixelOrientation.allCases, [true, false])
  func exifTurnsPictureAndSize(orientation: PixelOrientation, isBig: Bool) throws {
    guard let plain = try bytes("grayscale.jpeg").map(SamplePictures.withoutEXIF) else { return }
    // A strip, so that the sides differ.
    guard let wide = try bytes("baseline.jpeg").map(SamplePictures.withoutEXIF) else { return }
    for picture in [plain, wide] {
      let upright = try decoder.decode(picture, fitting: box, limits: ImageLimits())
      let turned = SamplePictures.withEXIF(picture, orientation: orientation.rawValue, isBig: isBig)
      guard case .header(let header) = decoder.header(of: turned) else {
        Issue.record("no header")
        return
      }
      #expect(header.size == orientation.applied(to: upright.size))
      #expect(header.orientation == orientation)
      let seen = try decoder.decode(turned, fitting: box, limits: ImageLimits())
      #expect(seen == upright.oriented(orientation))
    }
  }

  @Test func aPhotographStoredOnItsSideIsTurned() throws {
    guard let bytes = try bytes("right-orientation.jpeg") else { return }
    let seen = try decoder.decode(bytes, fitting: box, limits: ImageLimits())
    let stored = try decoder.decode(
      SamplePictures.withoutEXIF(bytes), fitting: box, limits: ImageLimits())
    #expect(stored.size == PixelSize(width: 480, height: 640))
    #expect(seen == stored.oriented(.quarterClockwise))
  }

  @Test func headersNeedOnlyAPrefix() throws {
    for path in SharedData.files(in: "pictures") {
      let bytes = try SharedData.bytes(path)
      let whole = decoder.header(of: bytes)
      #expect(whole != .needsMore && whole != .unknownFormat)
      var isSettled = false
      for count in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 500)) {
        let result = decoder.header(of: Array(bytes.prefix(count)))
        if result != .needsMore { isSettled = true }
        #expect(result == (isSettled ? whole : .needsMore), "\(path) at \(count)")
      }
      #expect(decoder.header(of: Array(bytes.prefix(20_000))) == whole, "\(path)")
    }
  }

  @Test func firstFramesOfAnimations() throws {
    let gif = try decoder.decode(SamplePictures.gif, fitting: box, limits: ImageLimits())
    #expect(gif == SamplePictures.gifCanvas)
    let unsized = SamplePictures.gifWithoutScreen
    #expect(
      try decoder.decode(unsized, fitting: box, limits: ImageLimits()) == SamplePictures.gifCanvas)
    guard let still = try bytes("baseline.webp") else { return }
    let plain = try decoder.decode(still, fitting: box, limits: ImageLimits())
    let same = SamplePictures.animatedWebP(still, canvas: plain.size, at: (0, 0))
    #expect(try decoder.decode(same, fitting: box, limits: ImageLimits()) == plain)
    let canvas = PixelSize(width: plain.size.width + 10, height: plain.size.height + 4)
    let placed = SamplePictures.animatedWebP(still, canvas: canvas, at: (6, 2))
    let seen = try decoder.decode(placed, fitting: box, limits: ImageLimits())
    #expect(seen.size == canvas && seen[0, 0].w == 0)
    let differs = (0..<plain.size.height).contains { y in
      (0..<plain.size.width).contains { seen[$0 + 6, y + 2] != plain[$0, y] }
    }
    #expect(!differs)
    let outside = SamplePictures.animatedWebP(still, canvas: plain.size, at: (2, 0))
    #expect(throws: ImageError.corrupted(format: .webp, reason: "a frame beyond the canvas")) {
      try decoder.decode(outside, fitting: box, limits: ImageLimits())
    }
  }

  @Test func whatIsNoPictureSaysSo() {
    let cases: [([UInt8], ImageError)] = [
      ([], .empty), (Array("<html><body>".utf8), .notAPicture(mediaType: nil)),
      ([0xFF, 0xD8], .notAPicture(mediaType: nil)),
      (Array("RIFF....WAVEfmt ".utf8), .notAPicture(mediaType: nil)),
      (Array("GIF89a".utf8), .corrupted(format: .gif, reason: "it ends within its header")),
    ]
    for (bytes, expected) in cases {
      #expect(throws: expected) {
        try decoder.decode(bytes, fitting: box, limits: ImageLimits())
      }
    }
  }
}
