import Pixels

/// What a request hears, on the main actor: `size` at most once and before any other, then one of
/// `image` and `failure`, which ends it.
public enum ImageEvent: Sendable {
  /// The picture's own size is known; its pixels are not there yet.
  case size(PixelSize)
  /// The picture is there.
  case image(LoadedImage)
  /// It will not come.
  case failure(ImageError)
}

/// A step in a picture's way, for traces.
public struct ImageTraceEvent: Hashable, Sendable {
  /// Where on its way a picture is.
  public enum State: String, Sendable {
    /// Asked for, its fetch begun, its size known, there.
    case queued, started, header, done
    /// Failed for good or for now, given up.
    case failed, retried, cancelled
    /// Found in memory; found on disk, and by its server's word still good.
    case memoryHit, diskHit, revalidated
  }

  /// A `data:` URL is cut to 64 characters.
  public let url: String
  /// What happened.
  public let state: State
  /// The highest among its requests.
  public let priority: ImagePriority
  /// Bytes fetched so far; those of the pixels for `memoryHit`.
  public let bytes: Int
}

/// What a loader is doing.
public struct ImageActivity: Hashable, Sendable {
  /// Pictures waiting for their fetch to begin.
  public var queued = 0
  /// Pictures being read from disk or fetched, waiting for a decoder, or being decoded.
  public var inFlight = 0
  /// Fetched bytes held for them.
  public var bytes = 0
  /// Pictures that have failed and are tried again later.
  public var waiting = 0

  /// What is under way; nothing unless told otherwise.
  public init(queued: Int = 0, inFlight: Int = 0, bytes: Int = 0, waiting: Int = 0) {
    self.queued = queued
    self.inFlight = inFlight
    self.bytes = bytes
    self.waiting = waiting
  }

  /// Whether nothing is under way, nor will be by itself.
  public var isIdle: Bool { queued == 0 && inFlight == 0 && waiting == 0 }
}
