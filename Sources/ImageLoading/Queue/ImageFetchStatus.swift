/// The progress of one picture's fetch.
package struct ImageFetchStatus: Hashable, Sendable {
  /// The phase of a fetch.
  package enum Phase: String, Sendable {
    /// Waiting for its turn.
    case queued
    /// Being looked for on the disk.
    case reading
    /// Failed, to be retried later.
    case waiting
    /// Receiving bytes.
    case fetching
    /// All bytes received; waiting for a decoder.
    case fetched
    /// Being decoded.
    case decoding
  }

  /// The address of the picture.
  package let url: String
  /// The phase of its fetch.
  package let phase: Phase
  /// Whether its size or the picture has arrived and the gate holds it back.
  package let isHeld: Bool
  /// The highest priority of its requests.
  package let priority: ImagePriority
  /// Number of its requests.
  package let requests: Int
  /// Bytes fetched so far.
  package let bytes: Int
  /// Bytes reserved for it: those received or those expected, whichever are more.
  package let expectedBytes: Int
  /// Its place among pictures of its phase and priority: the lowest is next.
  package let turn: UInt64
  /// Time since it was first requested.
  package let age: Duration

  init(_ job: ImageQueue.Job, isHeld: Bool, age: Duration) {
    (url, phase, priority) = (job.url, job.phase, job.priority)
    (requests, bytes) = (job.requests.count, job.held)
    (expectedBytes, turn) = (job.reserved, job.stamp)
    (self.isHeld, self.age) = (isHeld, age)
  }
}

/// Counts of a loader's work so far.
package struct ImageLoaderStatistics: Hashable, Sendable {
  /// Pictures that were in memory when they were requested.
  package var memoryHits = 0
  /// Requests that joined a fetch under way.
  package var joined = 0
  /// Pictures fetched and decoded.
  package var done = 0
  /// Pictures that failed.
  package var failed = 0
  /// Attempts that failed and were followed by another.
  package var retried = 0
  /// Pictures found on the disk, and those that their server confirmed.
  package var diskHits = 0
  package var revalidated = 0
  /// Fetches given up because they had no request any more.
  package var cancelled = 0

  package init() {}
}
