import Pixels

/// An event of a request, delivered on the main actor: `size` at most once and before any other,
/// then one of `image` and `failure`, which ends the request.
public enum ImageEvent: Sendable {
  /// The picture's own size is known; its pixels are not there yet.
  case size(PixelSize)
  /// The picture has arrived.
  case image(LoadedImage)
  /// The picture will not arrive.
  case failure(ImageError)
}

/// A step of a picture, for traces.
public struct ImageTraceEvent: Hashable, Sendable {
  /// The kind of step.
  public enum State: String, Sendable {
    /// Requested, its fetch begun, its size known, complete.
    case queued, started, header, done
    /// Failed for good, failed for now, given up.
    case failed, retried, cancelled
    /// Found in memory; found on disk; found on disk and confirmed by its server.
    case memoryHit, diskHit, revalidated
  }

  /// A `data:` URL is cut to 64 characters.
  public let url: String
  /// The kind of step.
  public let state: State
  /// The highest priority of its requests.
  public let priority: ImagePriority
  /// Bytes fetched so far; those of the pixels for `memoryHit`.
  public let bytes: Int
}

/// The current work of a loader.
public struct ImageActivity: Hashable, Sendable {
  /// Pictures waiting for their fetch to begin.
  public var queued = 0
  /// Pictures being read from disk or fetched, waiting for a decoder, or being decoded.
  public var inFlight = 0
  /// Fetched bytes held for them.
  public var bytes = 0
  /// Pictures that have failed and are retried later.
  public var waiting = 0

  /// Creates an activity, without work by default.
  public init(queued: Int = 0, inFlight: Int = 0, bytes: Int = 0, waiting: Int = 0) {
    self.queued = queued
    self.inFlight = inFlight
    self.bytes = bytes
    self.waiting = waiting
  }

  /// Whether no work is under way or scheduled.
  public var isIdle: Bool { queued == 0 && inFlight == 0 && waiting == 0 }
}
