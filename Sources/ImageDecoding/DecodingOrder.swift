import CPictureDecoding
import ImageLoading
import Pixels

/// An order to decode a picture, made from its header, and the interpretation of the codec's
/// outcome.
struct DecodingOrder {
  let request: picture_request
  private let format: ImageFormat
  private let target: PixelSize
  private let limits: ImageLimits

  /// The size of the decoded pixels in bytes.
  var pixelBytes: Int { target.width * target.height * 4 }

  /// - Parameters:
  ///   - target: at most `stored`, which is within `limits`; neither is empty.
  ///   - frame: the frame to be decoded of an animated WebP.
  init(
    format: ImageFormat, stored: PixelSize, target: PixelSize, frame: WebPFrame?,
    limits: ImageLimits
  ) {
    (self.format, self.target, self.limits) = (format, target, limits)
    request = picture_request(
      format: Self.number(of: format), stored: picture_size(stored), target: picture_size(target),
      frame_x: UInt32(clamping: frame?.x ?? 0), frame_y: UInt32(clamping: frame?.y ?? 0),
      frame: picture_size(frame?.size ?? stored),
      maximum_pixels: UInt64(clamping: limits.maximumPixels),
      maximum_side: UInt32(clamping: limits.maximumSide))
  }

  private static func number(of format: ImageFormat) -> picture_format {
    switch format {
    case .jpeg: PICTURE_JPEG
    case .png: PICTURE_PNG
    case .webp: PICTURE_WEBP
    case .gif: PICTURE_GIF
    }
  }

  /// Decodes the picture in this process.
  ///
  /// - Complexity: O(bytes + pixels of the picture).
  func run(on bytes: [UInt8]) throws(ImageError) -> DecodedImage {
    var pixels = [UInt8](repeating: 0, count: pixelBytes)
    let outcome = bytes.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { out in
        withUnsafePointer(to: request) { request in
          guard let source = source.baseAddress, let out = out.baseAddress else {
            return picture_outcome()
          }
          return picture_decode(request, source, bytes.count, out)
        }
      }
    }
    return try image(of: pixels, outcome)
  }

  /// The picture or the error that a codec's outcome stands for.
  ///
  /// - Parameter pixels: `pixelBytes` bytes.
  func image(
    of pixels: [UInt8], _ outcome: picture_outcome
  ) throws(ImageError) -> DecodedImage {
    switch outcome.status {
    case PICTURE_WHOLE, PICTURE_CUT_SHORT:
      return DecodedImage(
        pixels: PixelBuffer(size: target, bytes: pixels),
        isComplete: outcome.status == PICTURE_WHOLE)
    case PICTURE_TOO_LARGE:
      let size = PixelSize(width: Int(outcome.size.width), height: Int(outcome.size.height))
      throw .tooManyPixels(size, limits: limits)
    case PICTURE_NEEDS_MEMORY:
      throw .decoderFailed(reason: "it needs more memory than it may have")
    default:
      throw .corrupted(format: format, reason: Self.words(outcome))
    }
  }

  /// The codec's reason in printable ASCII, because a compromised decoder may have sent it.
  private static func words(_ outcome: picture_outcome) -> String {
    let text = withUnsafeBytes(of: outcome.reason) { reason in
      reason.prefix { $0 != 0 }.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }
    }
    return text.isEmpty ? "it cannot be decoded" : String(decoding: text, as: UTF8.self)
  }
}

extension picture_size {
  fileprivate init(_ size: PixelSize) {
    self.init(width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
  }
}
