import ImageDecoding
import ImageLoading
import Pixels
import Testing

/// Headers with wrong lengths and offsets: a result of any kind, no trap.
@Suite struct PictureHeaderTests {
  private let decoder = SystemImageDecoder()

  /// A JPEG file of one segment of that announced length, and a frame header if `frame` is given.
  private func jpeg(
    _ marker: UInt8, length: Int, content: [UInt8], frame: PixelSize? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
    bytes += content
    if let frame {
      bytes += [0xFF, 0xC0, 0, 11, 8, UInt8(frame.height >> 8), UInt8(frame.height & 0xFF)]
      bytes += [UInt8(frame.width >> 8), UInt8(frame.width & 0xFF), 1, 1, 0x11, 0]
    }
    return bytes
  }

  @Test func aSegmentShorterThanItsNameIsNoEXIF() {
    let picture: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x02, 0x45, 0x78, 0x69, 0x66, 0x00, 0x00,
    ]
    #expect(decoder.header(of: picture) == .corrupted(.jpeg, reason: "no marker where one must be"))
    #expect(throws: ImageError.self) {
      try decoder.decode(picture, fitting: PixelSize(width: 9, height: 9), limits: ImageLimits())
    }
  }

  @Test(arguments: [0xE0, 0xE1, 0xE2, 0xEE, 0xFE, 0xC0, 0xC2, 0xC4, 0xDB, 0xDD] as [UInt8])
  func everySegmentLengthIsHandled(marker: UInt8) {
    let box = PixelSize(width: 4, height: 4)
    for name in ["Exif\0\0", "Exif\0\0MM\0*\0\0\0", "Exif\0\0II*\0", "Adobe", ""] {
      for length in [Int](0...40) + [255, 256, 32_767, 32_768, 65_534, 65_535] {
        let size = PixelSize(width: 8, height: 8)
        let bytes = jpeg(marker, length: length, content: Array(name.utf8), frame: size)
        if case .header(let header) = decoder.header(of: bytes) {
          #expect(ImageLimits().allow(header.size) || marker == 0xC0 || marker == 0xC2)
        }
        #expect(throws: ImageError.self, "\(marker) \(length) \(name)") {
          try decoder.decode(bytes, fitting: box, limits: ImageLimits())
        }
      }
    }
  }

  @Test func theOrientationIsReadWithinItsSegmentOnly() {
    // The directory is behind the segment's end.
    var tiff: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8]
    let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let size = PixelSize(width: 16, height: 8)
    let name = Array("Exif\0\0".utf8)
    tiff += directory
    let whole = jpeg(0xE1, length: 8 + tiff.count, content: name + tiff, frame: size)
    guard case .header(let turned) = decoder.header(of: whole) else {
      Issue.record("no header")
      return
    }
    #expect(turned.orientation == .quarterClockwise && turned.size == size.transposed)
    // Fill bytes make a marker of the bytes that would have been read.
    var cut = jpeg(0xE1, length: 8 + 8, content: name + tiff.prefix(8))
    cut += [0xFF, 0xFE, 0, UInt8(2 + directory.count)] + directory
    cut += jpeg(0xFE, length: 2, content: [], frame: size).dropFirst(2)
    guard case .header(let upright) = decoder.header(of: cut) else {
      Issue.record("no header")
      return
    }
    #expect(upright.orientation == .upright && upright.size == size)
  }

  /// Its rows would be decoded one by one, billions of pixels that are never shown.
  @Test func aTooLargeFrameOnASmallCanvasIsRefused() {
    var gif = SamplePictures.gif
    gif.replaceSubrange(38..<42, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect {
      try decoder.decode(gif, fitting: PixelSize(width: 4, height: 3), limits: ImageLimits())
    } throws: { error in
      guard case ImageError.tooManyPixels(let size, _) = error else { return false }
      return size == PixelSize(width: 65_535, height: 65_535)
    }
  }

  @Test func anImpossiblePNGSizeIsRefused() {
    for (side, isPossible) in [(0, false), (0x7FFF_FFFF, true), (0x8000_0000, false)] {
      var picture = SamplePictures.png
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
      picture.replaceSubrange(16..<24, with: bytes + bytes)
      let result = decoder.header(of: picture)
      let size = PixelSize(width: side, height: side)
      if isPossible {
        #expect(result == .header(ImageHeader(format: .png, size: size)))
        #expect(!ImageLimits().allow(size))
      } else {
        #expect(result == .corrupted(.png, reason: "an image of no possible size"))
      }
    }
  }

  /// Each pass covers all pixels, in only a dozen bytes of the file.
  @Test func tooManyPassesAreRefused() {
    var picture: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8, 0x17, 0x70, 0x17, 0x70, 1, 1, 0x11, 0,
    ]
    for _ in 0..<300 {
      picture += [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 5, 0, 0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    }
    #expect {
      try decoder.decode(picture, fitting: PixelSize(width: 9, height: 9), limits: ImageLimits())
    } throws: { error in
      guard case ImageError.corrupted(.jpeg, let reason) = error else { return false }
      return reason.contains("passes")
    }
  }

  @Test(arguments: [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func anyDirectoryPlaceIsHandled(place: UInt32) {
    for order in ["MM\0*", "II*\0"] {
      var tiff = Array(order.utf8)
      tiff += (0..<4).map { UInt8(truncatingIfNeeded: place >> (24 - 8 * $0)) }
      tiff += [0xFF, 0xFF, 0xFF, 0xFF]
      let bytes = jpeg(
        0xE1, length: 8 + tiff.count, content: Array("Exif\0\0".utf8) + tiff,
        frame: PixelSize(width: 3, height: 2))
      guard case .header(let header) = decoder.header(of: bytes) else {
        Issue.record("no header")
        continue
      }
      #expect(header.size == PixelSize(width: 3, height: 2))
    }
  }
}
