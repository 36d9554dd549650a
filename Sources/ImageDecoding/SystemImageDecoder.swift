import ImageLoading
import Pixels

/// JPEG, PNG, WebP and GIF by the system's libraries. Of an animation the first frame is shown.
///
/// 1. The format is told by the bytes alone, never by a name or a media type.
/// 2. Sizes are read from the header by this module and held against the limits before a library
///    sees a byte; what the library then finds must agree.
/// 3. Of what is cut short there is as much as its bytes tell, where that is asked for; a JPEG also where
///    it is not. Any other damage is an error.
public struct SystemImageDecoder: ImageDecoder {
  /// A decoder; all are alike.
  public init() {}

  public func header(of prefix: [UInt8]) -> ImageHeaderResult {
    let bytes = HeaderBytes(prefix)
    switch Self.format(of: prefix) {
    case .jpeg: return JPEGHeader.read(bytes)
    case .png: return PNGHeader.read(bytes)
    case .webp: return WebPHeader.read(bytes)
    case .gif: return GIFHeader.read(bytes)
    case nil: return Self.mayBecomePicture(prefix) ? .needsMore : .unknownFormat
    }
  }

  public func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer {
    let (image, format) = try decodeRows(of: bytes, fitting: box, limits: limits)
    guard image.isComplete || format == .jpeg else {
      throw .corrupted(format: format, reason: "it ends early")
    }
    return image.pixels
  }

  public func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> DecodedImage {
    try decodeRows(of: bytes, fitting: box, limits: limits).0
  }

  private func decodeRows(
    of bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> (DecodedImage, ImageFormat) {
    let header: ImageHeader
    switch self.header(of: bytes) {
    case .header(let found): header = found
    case .needsMore:
      guard let format = Self.format(of: bytes) else {
        throw bytes.isEmpty ? .empty : .notAPicture(mediaType: nil)
      }
      throw .corrupted(format: format, reason: "it ends within its header")
    case .unknownFormat: throw .notAPicture(mediaType: nil)
    case .corrupted(let format, let reason): throw .corrupted(format: format, reason: reason)
    }
    guard limits.allow(header.size) else { throw .tooManyPixels(header.size, limits: limits) }
    let stored = header.orientation.applied(to: header.size)
    let target = stored.fitted(in: header.orientation.applied(to: box))
    guard !target.isEmpty else {
      throw .corrupted(format: header.format, reason: "it has no pixels")
    }
    let image: DecodedImage
    switch header.format {
    case .jpeg: image = try JPEGDecoding.decode(bytes, stored: stored, target: target)
    case .png: image = try PNGDecoding.decode(bytes, stored: stored)
    case .webp: image = try WebPDecoding.decode(bytes, stored: stored, target: target)
    case .gif: image = try GIFDecoding.decode(bytes, stored: stored, limits: limits)
    }
    // Where not even a row has come there is nothing to show.
    guard image.isComplete || image.pixels.bytes.contains(where: { $0 != 0 }) else {
      throw .corrupted(format: header.format, reason: "it ends early")
    }
    let pixels = image.pixels.scaled(to: target).oriented(header.orientation)
    return (DecodedImage(pixels: pixels, isComplete: image.isComplete), header.format)
  }

  private static let signatures: [(format: ImageFormat, bytes: [UInt8])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, Array("GIF87a".utf8)),
    (.gif, Array("GIF89a".utf8)),
  ]

  private static func format(of bytes: [UInt8]) -> ImageFormat? {
    for signature in signatures where bytes.starts(with: signature.bytes) {
      return signature.format
    }
    let isWebP =
      bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
      && bytes[8..<12].elementsEqual("WEBP".utf8)
    return isWebP ? .webp : nil
  }

  /// True where the bytes are too few to exclude every format.
  private static func mayBecomePicture(_ bytes: [UInt8]) -> Bool {
    if signatures.contains(where: { $0.bytes.starts(with: bytes) }) { return true }
    guard bytes.count < 12 else { return false }
    return Array("RIFF".utf8).starts(with: bytes.prefix(4))
      && Array("WEBP".utf8).starts(with: bytes.dropFirst(8))
  }
}
