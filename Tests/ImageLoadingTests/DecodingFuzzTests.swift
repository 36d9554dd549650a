import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

/// Damaged pictures: each gives pixels or a typed error, never a trap, and never pixels beyond the
/// limits.
@Suite struct DecodingFuzzTests {
  private static let originals: [PictureChecks.Picture] =
    SamplePictures.encoded + [
      ("made.png", SamplePictures.png), ("deep.png", SamplePictures.deepGrayPNG),
      ("made.gif", SamplePictures.gif), ("unsized.gif", SamplePictures.gifWithoutScreen),
      (
        "turned.jpeg",
        SamplePictures.withEXIF(SamplePictures.wideJPEG, orientation: 6, isBig: true)
      ),
      (
        "animated.webp",
        SamplePictures.animatedWebP(
          SamplePictures.lossyWebP, canvas: PixelSize(width: 60, height: 40), at: (2, 4))
      ),
    ]

  @Test(arguments: ImageFormat.allCases) func damageIsAnErrorOrAPicture(format: ImageFormat) throws
  {
    try PictureChecks().damageIsAnErrorOrAPicture(format, of: Self.originals)
  }

  @Test func everyPrefixOfTheSmallOnesIsAnErrorOrAPicture() {
    let decoder = SystemImageDecoder()
    let limits = ImageLimits(maximumPixels: 2_000_000)
    let box = PixelSize(width: 10, height: 10)
    for (name, bytes) in Self.originals {
      for count in 0..<bytes.count {
        do throws(ImageError) {
          let pixels = try decoder.decode(Array(bytes.prefix(count)), fitting: box, limits: limits)
          #expect(!pixels.bytes.isEmpty, "\(name), \(count) bytes")
        } catch {
          #expect(!error.description.isEmpty, "\(name), \(count) bytes")
        }
      }
    }
  }
}
