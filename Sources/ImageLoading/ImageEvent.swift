import Pixels

/// What a request hears, on the main actor: `size` at most once and before any other, then one of
/// `image` and `failure`, which ends it.
public enum ImageEvent: Sendable {
  /// The picture's own size is known; its pixels are not there yet.
  case size(PixelSize)
  case image(LoadedImage)
  case failure(ImageError)
}

/// A step in a picture's way, for traces.
public struct ImageTraceEvent: Hashable, Sendable {
  public enum State: String, Sendable {
    case queued, started, header, done, failed, cancelled, memoryHit
  }

  /// A `data:` URL is cut to 64 characters.
  public let url: String
  public let state: State
  public let priority: ImagePriority
  /// Bytes fetched so far; those of the pixels for `memoryHit`.
  public let bytes: Int
}

/// What a loader is doing.
public struct ImageActivity: Hashable, Sendable {
  /// Pictures waiting for their fetch to begin.
  public var queued = 0
  /// Pictures being fetched, waiting for a decoder, or being decoded.
  public var inFlight = 0
  /// Fetched bytes held for them.
  public var bytes = 0

  public init(queued: Int = 0, inFlight: Int = 0, bytes: Int = 0) {
    self.queued = queued
    self.inFlight = inFlight
    self.bytes = bytes
  }

  public var isIdle: Bool { queued == 0 && inFlight == 0 }
}
