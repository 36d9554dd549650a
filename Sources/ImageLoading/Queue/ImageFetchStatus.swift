/// How far the fetch of one picture has come.
package struct ImageFetchStatus: Hashable, Sendable {
  /// Where on its way a picture is.
  package enum Phase: String, Sendable {
    /// It waits for its turn.
    case queued
    /// It is looked for on the disk.
    case reading
    /// It has failed, and is tried again later.
    case waiting
    /// Its bytes are coming.
    case fetching
    /// All its bytes are there; it waits for a decoder.
    case fetched
    /// Its pixels are being made.
    case decoding
  }

  /// What is fetched.
  package let url: String
  /// Where on its way it is.
  package let phase: Phase
  /// Its size or the picture has arrived, and the gate holds it back.
  package let isHeld: Bool
  /// The highest among its requests.
  package let priority: ImagePriority
  /// How many wait for it.
  package let requests: Int
  /// Bytes fetched so far.
  package let bytes: Int
  /// Time since it was first asked for.
  package let age: Duration

  init(_ job: ImageQueue.Job, isHeld: Bool, age: Duration) {
    (url, phase, priority) = (job.url, job.phase, job.priority)
    (requests, bytes) = (job.requests.count, job.held)
    (self.isHeld, self.age) = (isHeld, age)
  }
}

/// What a loader has done so far.
package struct ImageLoaderStatistics: Hashable, Sendable {
  /// Pictures that were in memory when they were asked for.
  package var memoryHits = 0
  /// Pictures fetched and decoded.
  package var done = 0
  /// Pictures that could not be had.
  package var failed = 0
  /// Tries that failed and were followed by another.
  package var retried = 0
  /// Pictures that were on the disk, and those of them that their server was asked about.
  package var diskHits = 0
  package var revalidated = 0
  /// Fetches given up because nobody waited any more.
  package var cancelled = 0

  package init() {}
}
