import HTTP
import Pixels

/// The bounds within which an `ImageLoader` works.
public struct ImageLoaderConfiguration: Sendable {
  /// Maximum number of fetches at once. 8 by default, at least 1.
  public var maximumConcurrentFetches = 8
  /// Maximum number of fetches at once from one host: fewer than in all, so that a stalled host
  /// does not block the others. 4 by default, at least 1.
  public var maximumFetchesPerHost = 4
  /// Maximum number of pictures decoded at once. 2 by default, at least 1.
  public var maximumConcurrentDecodes = 2
  /// Bounds on one fetch: by default 20 MB, 5 redirects, 60 seconds in all, of them 10 to connect
  /// and 15 until the head of the response, 10 seconds without activity of the server, and 500
  /// bytes a second over each 10 seconds. The bytes hold for data URLs, too.
  public var fetchLimits = HTTPLimits(
    maximumBytes: 20_000_000, totalSeconds: 60, connectSeconds: 10, headSeconds: 15,
    idleSeconds: 10, rateSeconds: 10, maximumRedirects: 5)
  /// When and how often a picture is retried after a transient failure.
  public var retries = ImageRetryPolicy()
  /// Fetched bytes held until they are decoded, including announced lengths. Beyond it no fetch
  /// begins, and the least urgent one under way goes back to the queue; a single fetch may always
  /// run. 32 MB by default.
  public var maximumBytesInFlight = 32_000_000
  /// Bounds on the size of a picture.
  public var imageLimits = ImageLimits()
  /// Pictures are decoded to fit this box if a request names none; they are never enlarged.
  /// 640x640 by default.
  public var decodeTarget = PixelSize(width: 640, height: 640)
  /// Upper bound of the boxes that requests name. 4,096x4,096 by default: 64 MiB of pixels.
  public var largestDecodeTarget = PixelSize(width: 4096, height: 4096)
  /// Whether pictures are kept, in memory and on disk; if not, every load fetches its picture. True
  /// by default.
  public var usesCache = true
  /// Bytes of decoded pixels kept. 64 MB by default.
  public var memoryCacheBytes = 64_000_000
  /// Decoded pictures kept, if their number is limited. Not limited by default.
  public var memoryCacheCount: Int?
  /// Minimum number of pictures evicted at a time, the least recently used first. 1 by default.
  package var memoryCacheEvictionBatch = 1
  /// Number of picture sizes remembered. 20,000 by default.
  public var maximumKnownSizes = 20_000

  /// Creates the default configuration.
  public init() {}
}
