import Pixels

/// The formats that can be shown; raw values are their usual names.
public enum ImageFormat: String, CaseIterable, Sendable {
  /// JPEG, baseline and progressive.
  case jpeg = "JPEG"
  /// PNG.
  case png = "PNG"
  /// WebP, lossy and lossless.
  case webp = "WebP"
  /// GIF.
  case gif = "GIF"
}

/// Bounds on a picture, checked against its header before anything is allocated for it.
public struct ImageLimits: Hashable, Sendable {
  /// Width times height. 40 million by default.
  public var maximumPixels: Int
  /// Width or height. 65,535 by default.
  public var maximumSide: Int

  /// Creates limits on pixels and sides.
  public init(maximumPixels: Int = 40_000_000, maximumSide: Int = 65_535) {
    self.maximumPixels = maximumPixels
    self.maximumSide = maximumSide
  }

  /// Whether a picture of that size may be decoded.
  public func allow(_ size: PixelSize) -> Bool {
    guard let area = size.area else { return false }
    return area <= maximumPixels && size.width <= maximumSide && size.height <= maximumSide
  }
}

/// The header of a picture.
public struct ImageHeader: Hashable, Sendable {
  /// The format of the picture.
  public let format: ImageFormat
  /// The size as displayed, including a quarter turn by EXIF.
  public let size: PixelSize
  /// The orientation of the stored rows relative to the display.
  public let orientation: PixelOrientation

  /// Creates a header, for decoders.
  public init(
    format: ImageFormat, size: PixelSize, orientation: PixelOrientation = .upright
  ) {
    self.format = format
    self.size = size
    self.orientation = orientation
  }
}

/// The result of reading a header from the bytes received so far.
public enum ImageHeaderResult: Hashable, Sendable {
  /// The complete header.
  case header(ImageHeader)
  /// The bytes so far do not suffice; more may.
  case needsMore
  /// Not a picture, whatever bytes follow.
  case unknownFormat
  /// The bytes begin like a picture of that format, but its header cannot be read.
  case corrupted(ImageFormat, reason: String)
}

/// A decoded picture, or a part of one.
public struct DecodedImage: Hashable, Sendable {
  /// The pixels; transparent or grey in the part that is missing.
  public let pixels: PixelBuffer
  /// False if the bytes ended before the picture did.
  public let isComplete: Bool

  /// Creates a picture, complete by default.
  public init(pixels: PixelBuffer, isComplete: Bool = true) {
    self.pixels = pixels
    self.isComplete = isComplete
  }
}

/// Decodes bytes into pixels. Called off the main actor, from several threads at once, except
/// `prepare`.
public protocol ImageDecoder: Sendable {
  /// Called on the main actor when a picture has begun to arrive and will probably be decoded soon,
  /// so that slow preparations can be made meanwhile, on another thread. Does nothing by default.
  ///
  /// - Complexity: O(1).
  func prepare()

  /// Reads the header from the beginning of a picture without decoding.
  ///
  /// - Complexity: O(segments before the size), a few kB at most in practice.
  func header(of prefix: [UInt8]) -> ImageHeaderResult

  /// Decodes a whole picture as it is displayed, scaled down to fit `box` with its proportions
  /// kept; a picture that fits already keeps its size.
  ///
  /// - Throws: `empty`, `notAPicture`, `tooManyPixels`, `corrupted`, `decoderFailed`.
  /// - Complexity: O(bytes + pixels of the picture).
  func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer

  /// Like `decode`, for a picture that may be cut short: decodes the part that is there. By default
  /// a picture that is cut short fails.
  ///
  /// - Parameter stop: requests an early end, if possible, because the picture is no longer wanted;
  ///   the result does not matter then.
  /// - Throws: the errors of `decode`.
  /// - Complexity: O(bytes + pixels of the picture).
  func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits, stop: DecodingStop?
  ) throws(ImageError) -> DecodedImage
}

extension ImageDecoder {
  public func prepare() {}

  public func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits, stop: DecodingStop?
  ) throws(ImageError) -> DecodedImage {
    DecodedImage(pixels: try decode(bytes, fitting: box, limits: limits))
  }

  /// Without a stop.
  public func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> DecodedImage {
    try decodeAvailable(bytes, fitting: box, limits: limits, stop: nil)
  }
}
