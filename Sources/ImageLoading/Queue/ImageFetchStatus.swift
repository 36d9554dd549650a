/// How far the fetch of one picture has come.
public struct ImageFetchStatus: Hashable, Sendable {
  public enum State: String, Sendable {
    /// It waits for its turn.
    case queued
    case fetching
    /// All its bytes are there; it waits for a decoder.
    case fetched
    case decoding
    /// Its size or the picture has arrived, and the gate holds it back.
    case held
  }

  public let url: String
  public let state: State
  /// The highest among its requests.
  public let priority: ImagePriority
  /// How many wait for it.
  public let requests: Int
  /// Bytes fetched so far.
  public let bytes: Int
  /// Time since it was first asked for.
  public let age: Duration
}

/// What a loader has done so far.
public struct ImageLoaderStatistics: Hashable, Sendable {
  /// Pictures that were in memory when they were asked for.
  public var memoryHits = 0
  /// Pictures fetched and decoded.
  public var done = 0
  public var failed = 0
  /// Fetches given up because nobody waited any more.
  public var cancelled = 0

  public init() {}
}
