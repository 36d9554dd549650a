import Pixels

/// Reads the header of a picture once, as soon as enough bytes have arrived.
struct HeaderSniffer {
  let decoder: any ImageDecoder
  let mediaType: String?
  let limits: ImageLimits
  private(set) var isKnown = false
  /// Bytes needed before the next attempt. They double beyond 16 KiB, so that a header far behind
  /// the beginning is found in linear time.
  private var nextAttempt = 1

  init(
    decoder: any ImageDecoder, mediaType: String?, _ configuration: ImageLoaderConfiguration
  ) {
    self.decoder = decoder
    self.mediaType = mediaType
    self.limits = configuration.imageLimits
  }

  /// The size, when it is first known.
  mutating func check(_ bytes: [UInt8], isAll: Bool) throws(ImageError) -> PixelSize? {
    guard !isKnown, isAll || bytes.count >= nextAttempt else { return nil }
    switch decoder.header(of: bytes) {
    case .header(let header):
      isKnown = true
      guard limits.allow(header.size) else {
        throw .tooManyPixels(header.size, limits: limits)
      }
      return header.size
    case .needsMore:
      nextAttempt = bytes.count < 16_384 ? bytes.count + 1 : bytes.count * 2
      guard isAll else { return nil }
      throw bytes.isEmpty ? .empty : .notAPicture(mediaType: mediaType)
    case .unknownFormat:
      throw .notAPicture(mediaType: mediaType)
    case .corrupted(let format, let reason):
      throw .corrupted(format: format, reason: reason)
    }
  }
}
