import CPictureDecoding
import ImageLoading
import Pixels

/// Decodes JPEG, PNG, WebP and GIF with the system's libraries; only the first frame of an
/// animation.
///
///     bytes ──▶ header (here) ──▶ codec, scaling (a `DecoderProgram`, or this process) ──▶ checks,
///     orientation
///
/// 1. The format follows from the bytes alone, never from a name or a media type.
/// 2. This module reads sizes from the header and checks them against the limits before a library
///    sees a byte; the size that the library finds must agree.
/// 3. `decodeAvailable` returns the decoded part of a truncated file; `decode` does so for a JPEG
///    only. Other damage is an error unless the codec only warns of it; a file without a decoded
///    row is an error, too.
/// 4. With a program that can be used, this process reads only a picture's headers.
public struct SystemImageDecoder: ImageDecoder {
  private let program: DecoderProgram?

  /// A decoder that uses `program`; without one, or if it cannot be used, pictures are decoded in
  /// this process.
  public init(program: DecoderProgram? = nil) { self.program = program }

  public func prepare() { program?.prepare() }

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
    let (image, format) = try decodeRows(of: bytes, fitting: box, limits: limits, stop: nil)
    guard image.isComplete || format == .jpeg else {
      throw .corrupted(format: format, reason: "it ends early")
    }
    return image.pixels
  }

  public func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits, stop: DecodingStop?
  ) throws(ImageError) -> DecodedImage {
    try decodeRows(of: bytes, fitting: box, limits: limits, stop: stop).0
  }

  private func decodeRows(
    of bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits, stop: DecodingStop?
  ) throws(ImageError) -> (DecodedImage, ImageFormat) {
    let header = try checkedHeader(of: bytes, limits: limits)
    let stored = header.orientation.applied(to: header.size)
    let target = stored.fitted(in: header.orientation.applied(to: box))
    guard !target.isEmpty else {
      throw .corrupted(format: header.format, reason: "it has no pixels")
    }
    let frame = header.format == .webp ? try WebPFrame.first(in: bytes, canvas: stored) : nil
    let order = DecodingOrder(
      format: header.format, stored: stored, target: target, frame: frame, limits: limits)
    let decoded = try run(order, on: frame?.file ?? bytes, stop: stop)
    let pixels = decoded.pixels.oriented(header.orientation)
    return (DecodedImage(pixels: pixels, isComplete: decoded.isComplete), header.format)
  }

  private func checkedHeader(
    of bytes: [UInt8], limits: ImageLimits
  ) throws(ImageError) -> ImageHeader {
    switch self.header(of: bytes) {
    case .header(let found):
      guard limits.allow(found.size) else { throw .tooManyPixels(found.size, limits: limits) }
      return found
    case .needsMore:
      guard let format = Self.format(of: bytes) else {
        throw bytes.isEmpty ? .empty : .notAPicture(mediaType: nil)
      }
      throw .corrupted(format: format, reason: "it ends within its header")
    case .unknownFormat: throw .notAPicture(mediaType: nil)
    case .corrupted(let format, let reason): throw .corrupted(format: format, reason: reason)
    }
  }

  private func run(
    _ order: DecodingOrder, on bytes: [UInt8], stop: DecodingStop?
  ) throws(ImageError) -> DecodedImage {
    if let program, let image = try program.run(order, on: bytes, stop: stop) { return image }
    return try order.run(on: bytes)
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

  /// Whether the bytes are the beginning of a format's signature.
  private static func mayBecomePicture(_ bytes: [UInt8]) -> Bool {
    if signatures.contains(where: { $0.bytes.starts(with: bytes) }) { return true }
    guard bytes.count < 12 else { return false }
    return Array("RIFF".utf8).starts(with: bytes.prefix(4))
      && Array("WEBP".utf8).starts(with: bytes.dropFirst(8))
  }
}
