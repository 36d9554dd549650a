import CTurboJPEG
import ImageLoading
import Pixels

/// JPEG through TurboJPEG, scaled down while it is decoded.
enum JPEGDecoding {
  /// Opened with the first picture.
  private static let library = turbojpeg_library()?.pointee

  /// The picture as stored, at `target` or up to twice its size.
  static func decode(
    _ bytes: [UInt8], stored: PixelSize, target: PixelSize
  ) throws(ImageError) -> DecodedImage {
    let scans = JPEGScans(in: HeaderBytes(bytes))
    guard scans.count <= JPEGScans.limit else {
      throw broken("more than \(JPEGScans.limit) passes over its pixels")
    }
    guard let jpeg = library else { throw broken("libturbojpeg is not installed") }
    guard let handle = jpeg.tjInitDecompress() else { throw broken("the decoder does not start") }
    defer { _ = jpeg.tjDestroy(handle) }
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colorspace: Int32 = -1
    // It also fails for sampling that it cannot name but can decode, so what counts is the size.
    _ = jpeg.tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
    guard Int(width) == stored.width, Int(height) == stored.height else {
      throw broken(reason(of: handle))
    }
    let isCMYK = colorspace == Int32(TJCS_CMYK.rawValue) || colorspace == Int32(TJCS_YCCK.rawValue)
    let size = scaledSize(stored, atLeast: target)
    let format = isCMYK ? TJPF_CMYK : TJPF_RGBA
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    let status = jpeg.tjDecompress2(
      handle, bytes, UInt(bytes.count), &pixels, Int32(size.width), 0, Int32(size.height),
      Int32(format.rawValue), TJFLAG_LIMITSCANS)
    if status != 0, jpeg.tjGetErrorCode(handle) != Int32(TJERR_WARNING.rawValue) {
      throw broken(reason(of: handle))
    }
    let isComplete = status == 0 || !reason(of: handle).lowercased().contains("premature end")
    if isCMYK { convertCMYK(&pixels, isInverted: scans.hasAdobeSegment) }
    return DecodedImage(
      pixels: PixelBuffer(size: size, bytes: pixels), isComplete: isComplete)
  }

  /// The smallest of 1/8, 1/4, 1/2 and 1/1 that is no smaller than `target`; TurboJPEG has other
  /// steps too, but these are the fast ones. It rounds sides up.
  private static func scaledSize(_ size: PixelSize, atLeast target: PixelSize) -> PixelSize {
    for divisor in [8, 4, 2] {
      let scaled = PixelSize(
        width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
      if scaled.width >= target.width, scaled.height >= target.height { return scaled }
    }
    return size
  }

  /// Ink to light, in place. Adobe's programs store 255 for no ink, as everybody then came to do
  /// who writes their segment.
  private static func convertCMYK(_ pixels: inout [UInt8], isInverted: Bool) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      var place = 0
      while place + 3 < pixels.count {
        let black = UInt32(isInverted ? pixels[place + 3] : 255 - pixels[place + 3])
        for channel in place..<place + 3 {
          let light = UInt32(isInverted ? pixels[channel] : 255 - pixels[channel])
          pixels[channel] = UInt8((light * black + 127) / 255)
        }
        pixels[place + 3] = 255
        place += 4
      }
    }
  }

  private static func broken(_ reason: String) -> ImageError {
    .corrupted(format: .jpeg, reason: reason)
  }

  private static func reason(of handle: tjhandle) -> String {
    guard let text = library?.tjGetErrorStr2(handle) else { return "it cannot be decoded" }
    return String(cString: text)
  }
}
