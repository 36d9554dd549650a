import HTTP
import Pixels

/// The bounds within which an `ImageLoader` works.
public struct ImageLoaderConfiguration: Sendable {
  /// Fetches at once. 8 by default, at least 1.
  public var maximumConcurrentFetches = 8
  /// Fetches at once from one host: fewer than in all, so that one that stalls holds up no other. 4
  /// by default, at least 1.
  public var maximumFetchesPerHost = 4
  /// Pictures decoded at once. 2 by default, at least 1.
  public var maximumConcurrentDecodes = 2
  /// What fetching one picture may cost: by default 20 MB, 5 redirects, 60 seconds in all, of them
  /// 10 to connect and 15 until its first byte, and 500 bytes a second over each 10 seconds. Its
  /// bytes hold for data URLs, too.
  public var fetchLimits = HTTPLimits(
    maximumBytes: 20_000_000, totalSeconds: 60, connectSeconds: 10, headSeconds: 15,
    idleSeconds: 10, rateSeconds: 10, maximumRedirects: 5)
  /// How often, and when, a picture is tried again that failed for now.
  public var retries = ImageRetries()
  /// Fetched bytes held until they are decoded, announced lengths included. Beyond it no fetch
  /// begins, and the least urgent one under way goes back to the queue; a single fetch may always
  /// run. 32 MB by default.
  public var maximumBytesInFlight = 32_000_000
  /// What a picture may measure.
  public var imageLimits = ImageLimits()
  /// Pictures are decoded to fit this box where a request names none; they are never enlarged.
  /// 640x640 by default.
  public var decodeTarget = PixelSize(width: 640, height: 640)
  /// No box that a request names counts for more than this. 4,096x4,096 by default: 64 MB.
  public var largestDecodeTarget = PixelSize(width: 4096, height: 4096)
  /// False: pixels are never kept, every load of a picture fetches it. True by default.
  public var usesCache = true
  /// Bytes of decoded pixels kept. 64 MB by default.
  public var memoryCacheBytes = 64_000_000
  /// Decoded pictures kept, where counted too. Not counted by default.
  public var memoryCacheCount: Int?
  /// How many go at least when one must go, the longest unused first. 1 by default.
  package var memoryCacheEvictionBatch = 1
  /// Sizes remembered of pictures once seen. 20,000 by default.
  public var maximumKnownSizes = 20_000

  /// The defaults.
  public init() {}
}
