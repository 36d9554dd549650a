import Pixels

/// The formats that can be shown; raw values are the names people use.
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

/// What a picture may cost; checked against its header before anything is allocated for it.
public struct ImageLimits: Hashable, Sendable {
  /// Width times height. 40 million by default.
  public var maximumPixels: Int
  /// Width or height. 65,535 by default.
  public var maximumSide: Int

  /// Limits on pixels and sides.
  public init(maximumPixels: Int = 40_000_000, maximumSide: Int = 65_535) {
    self.maximumPixels = maximumPixels
    self.maximumSide = maximumSide
  }

  /// True where a picture of that size may be decoded.
  public func allow(_ size: PixelSize) -> Bool {
    guard let area = size.area else { return false }
    return area <= maximumPixels && size.width <= maximumSide && size.height <= maximumSide
  }
}

/// What the first bytes of a picture say.
public struct ImageHeader: Hashable, Sendable {
  /// What it is written in.
  public let format: ImageFormat
  /// As the picture is meant to be seen, a quarter turn by EXIF included.
  public let size: PixelSize
  /// How the stored rows stand to what is to be seen.
  public let orientation: PixelOrientation

  /// What a decoder has read of a header.
  public init(
    format: ImageFormat, size: PixelSize, orientation: PixelOrientation = .upright
  ) {
    self.format = format
    self.size = size
    self.orientation = orientation
  }
}

/// The outcome of reading a header from the bytes there are so far.
public enum ImageHeaderResult: Hashable, Sendable {
  /// All that has to be known before it is decoded.
  case header(ImageHeader)
  /// The bytes so far do not reach; more may settle it.
  case needsMore
  /// No more bytes will make it a picture.
  case unknownFormat
  /// It begins like that format, but its header cannot be read.
  case corrupted(ImageFormat, reason: String)
}

/// What there is of a picture.
public struct DecodedImage: Hashable, Sendable {
  /// Transparent or grey where nothing is there.
  public let pixels: PixelBuffer
  /// False where the bytes ended before the picture did.
  public let isComplete: Bool

  /// A picture, whole unless told otherwise.
  public init(pixels: PixelBuffer, isComplete: Bool = true) {
    self.pixels = pixels
    self.isComplete = isComplete
  }
}

/// Bytes to pixels. Called off the main actor, from several threads at once.
public protocol ImageDecoder: Sendable {
  /// A picture has begun to come and is likely to be decoded soon: what takes time before the first
  /// one can be done meanwhile, elsewhere. Nothing by default.
  ///
  /// - Complexity: O(1).
  func prepare()

  /// Reads the header from the beginning of a picture without decoding.
  ///
  /// - Complexity: O(segments before the size), for a few kB at most in practice.
  func header(of prefix: [UInt8]) -> ImageHeaderResult

  /// Decodes a whole picture, turned as it is meant to be seen and scaled down to fit `box` with
  /// its proportions kept; a picture that fits already keeps its size.
  ///
  /// - Complexity: O(bytes + pixels of the picture).
  func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer

  /// As `decode`, of a picture that may be cut short: what there is of it. By default none of one
  /// that is.
  ///
  /// - Parameter stop: says that nobody wants the picture any more; what is done then is of no
  ///   matter, only that it ends soon, where that is possible.
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

  /// As with a stop that is never said.
  public func decodeAvailable(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> DecodedImage {
    try decodeAvailable(bytes, fitting: box, limits: limits, stop: nil)
  }
}
