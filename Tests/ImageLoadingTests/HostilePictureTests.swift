import ImageDecoding
import ImageLoading
import Pixels
import TestSupport
import Testing

/// Pictures that are made to be expensive, decoded here and in a separate process: an error of one
/// line, or the cost of one frame.
@Suite(.timeLimit(.minutes(10))) struct HostilePictureTests {
  private let box = PixelSize(width: 100, height: 80)

  private func decoders() throws -> [SystemImageDecoder] {
    let program = try ProgramUnderTest.path(of: DecoderProgram.name)
    return [SystemImageDecoder(), SystemImageDecoder(program: DecoderProgram(path: program))]
  }

  /// Four digits in the place of a size, 808464432 if read as one number: over the limits in each
  /// format, as far as its fields have room for them.
  @Test(arguments: ["png", "gif", "jpeg", "webp"]) func sizesThatAreText(format: String) throws {
    let (picture, size): ([UInt8], PixelSize)
    switch format {
    case "png":
      var png = SamplePictures.png
      png.replaceSubrange(16..<24, with: Array("00000000".utf8))
      (picture, size) = (png, PixelSize(width: 808_464_432, height: 808_464_432))
    case "gif":
      var gif = SamplePictures.gif
      gif.replaceSubrange(6..<10, with: Array("0000".utf8))
      (picture, size) = (gif, PixelSize(width: 12_336, height: 12_336))
    case "jpeg":
      picture =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8] + Array("0000".utf8) + [1, 1, 0x11, 0, 0xFF, 0xDA]
      size = PixelSize(width: 12_336, height: 12_336)
    default:
      var webp = SamplePictures.animatedWebP(
        SamplePictures.losslessWebP(PixelSize(width: 3, height: 2)),
        canvas: PixelSize(width: 3, height: 2), at: (0, 0))
      webp.replaceSubrange(24..<30, with: Array("000000".utf8))
      (picture, size) = (webp, PixelSize(width: 3_158_065, height: 3_158_065))
    }
    let limits = ImageLimits()
    for decoder in try decoders() {
      #expect(throws: ImageError.tooManyPixels(size, limits: limits)) {
        try decoder.decode(picture, fitting: box, limits: limits)
      }
    }
  }

  /// The first frame is shown; the others are not examined.
  @Test func tenThousandFrames() throws {
    let still = SamplePictures.losslessWebP(PixelSize(width: 3, height: 2))
    for decoder in try decoders() {
      let gif = SamplePictures.gif(frames: 10_000)
      #expect(
        try decoder.decode(gif, fitting: box, limits: ImageLimits()) == SamplePictures.gifCanvas)
      let webp = SamplePictures.animatedWebP(
        still, canvas: PixelSize(width: 3, height: 2), at: (0, 0), frames: 10_000)
      let shown = try decoder.decode(webp, fitting: box, limits: ImageLimits())
      #expect(shown.size == PixelSize(width: 3, height: 2))
    }
  }

  @Test func animationsWithoutAFrame() throws {
    let noFrame = SamplePictures.gif(frames: 0)
    for decoder in try decoders() {
      do throws(ImageError) {
        _ = try decoder.decode(noFrame, fitting: box, limits: ImageLimits())
        Issue.record("a picture")
      } catch {
        guard case .corrupted(.gif, _) = error else {
          Issue.record("\(error)")
          return
        }
      }
      let webp = SamplePictures.animatedWebP(
        [], canvas: PixelSize(width: 3, height: 2), at: (0, 0), frames: 0)
      #expect(
        throws: ImageError.corrupted(format: .webp, reason: "an animation without a frame")
      ) {
        try decoder.decode(webp, fitting: box, limits: ImageLimits())
      }
    }
  }
}
