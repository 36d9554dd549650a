import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

@Suite struct DecodingTests {
  private let decoder = SystemImageDecoder()
  private let box = PixelSize(width: 640, height: 640)

  /// One of the bundled pictures.
  private func bundled(_ name: String) throws -> [UInt8] {
    try PackageFiles.bytes("/Resources/Content/pictures/" + name)
  }

  private func near(_ a: SIMD4<UInt8>, _ b: SIMD4<UInt8>, _ tolerance: Int = 6) -> Bool {
    (0..<4).allSatisfy { abs(Int(a[$0]) - Int(b[$0])) <= tolerance }
  }

  @Test(arguments: [
    ("moon-tide.jpeg", 1000, 1000), ("harbour-dusk.jpeg", 1200, 800), ("sailboat.webp", 800, 1100),
    ("avatar-buoy.webp", 96, 96), ("depth-chart.png", 900, 900), ("avatar-moon.png", 96, 96),
    ("tide-staff.gif", 600, 600), ("signal-flags.gif", 1000, 360),
  ])
  func bundledPicturesDecodeToTheirSize(name: String, width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    try PictureChecks().decodes(bundled(name), to: size, name)
  }

  @Test func encodedPicturesDecodeToTheirSize() throws {
    let sizes = [
      "wide.jpeg": PixelSize(width: 40, height: 16),
      "translucent.webp": PixelSize(width: 8, height: 8),
      "indexed.webp": PixelSize(width: 6, height: 6),
    ]
    for (name, bytes) in SamplePictures.encoded {
      let size = sizes[name] ?? PixelSize(width: 16, height: 16)
      try PictureChecks().decodes(bytes, to: size, name)
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
    let deep = try decoder.decode(SamplePictures.deepGrayPNG, fitting: box, limits: ImageLimits())
    for value in 0..<256 {
      let grey = UInt8(value)
      #expect(deep[value % 16, value / 16] == [grey, grey, grey, 255])
    }
    let gray = try decoder.decode(SamplePictures.grayJPEG, fitting: box, limits: ImageLimits())
    let isGrey = stride(from: 0, to: gray.bytes.count, by: 4).allSatisfy { place in
      let red = gray.bytes[place]
      return gray.bytes[place + 1] == red && gray.bytes[place + 2] == red
    }
    #expect(isGrey && Set(gray.bytes).count > 50)
    let sheer = try decoder.decode(
      SamplePictures.translucentWebP, fitting: box, limits: ImageLimits())
    #expect(sheer[0, 0].w == 90 && sheer[0, 7].w == 255)
    let indexed = try decoder.decode(
      SamplePictures.indexedWebP, fitting: box, limits: ImageLimits())
    #expect(indexed[0, 0] == [0, 7, 14, 90] && indexed[5, 5] == [212, 219, 226, 255])
  }

  @Test func cmykIsInkNotLight() throws {
    let picture = try decoder.decode(SamplePictures.cmykJPEG, fitting: box, limits: ImageLimits())
    #expect(near(picture[0, 0], [0, 50, 62, 255]), "\(picture[0, 0])")
    #expect(near(picture[15, 15], [127, 227, 107, 255]), "\(picture[15, 15])")
  }

  @Test func progressiveAndBaselineAreTheSamePicture() throws {
    let one = try decoder.decode(SamplePictures.colorJPEG, fitting: box, limits: ImageLimits())
    let other = try decoder.decode(
      SamplePictures.progressiveJPEG, fitting: box, limits: ImageLimits())
    #expect(one.size == other.size)
    let difference = zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference / one.bytes.count <= 3)
  }

  @Test(arguments: PixelOrientation.allCases, [true, false])
  func exifTurnsPictureAndSize(orientation: PixelOrientation, isBig: Bool) throws {
    for picture in [SamplePictures.grayJPEG, SamplePictures.wideJPEG] {
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

  @Test func headersNeedOnlyAPrefix() throws {
    for (name, bytes) in SamplePictures.encoded {
      PictureChecks().headerNeedsOnlyAPrefix(bytes, name)
    }
    for name in ["mudflats.jpeg", "bridge-fog.jpeg", "reef.webp", "radar.png", "tide-staff.gif"] {
      PictureChecks().headerNeedsOnlyAPrefix(try bundled(name), name)
    }
  }

  @Test func firstFramesOfAnimations() throws {
    let gif = try decoder.decode(SamplePictures.gif, fitting: box, limits: ImageLimits())
    #expect(gif == SamplePictures.gifCanvas)
    let unsized = SamplePictures.gifWithoutScreen
    #expect(
      try decoder.decode(unsized, fitting: box, limits: ImageLimits()) == SamplePictures.gifCanvas)
    let still = SamplePictures.lossyWebP
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

  @Test func otherBytesAreRefused() {
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
