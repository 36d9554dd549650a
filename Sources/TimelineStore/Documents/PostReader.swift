import Feeds
import System
import TextLayout

/// Hands over posts in batches, each when it is asked for.
public protocol PostReader: Sendable {
  /// The next posts; nil at the end.
  ///
  /// - Throws: `SourceError`; after that there is nothing more.
  func next() async throws(SourceError) -> SourceReader.Batch?

  /// As ``next()``, for whoever prints posts: where they are read row by row, those are handed over
  /// unread.
  ///
  /// - Throws: `SourceError`; after that there is nothing more.
  func nextUnread() async throws(SourceError) -> UnreadPosts?

  /// What was left out of the posts that were handed over, in one line; nil if nothing was.
  func omission() async -> String?

  /// Whether the source can be read again.
  nonisolated var isRefreshable: Bool { get }

  /// Another reader of the same source, from its beginning; nil where it can be read only once.
  ///
  /// - Throws: `SourceError` where it cannot be opened any more.
  nonisolated func refreshed() throws(SourceError) -> Self?

  /// The regular files it reads, to be watched for changes.
  nonisolated var files: [(path: String, file: FileBytes)] { get }
}

/// Some posts of a source, in its order, that may have to be read yet.
public enum UnreadPosts: Sendable {
  case posts([Post])
  case rows(RowBatch)

  /// Reads them, where that is to be done.
  ///
  /// - Complexity: O(n) in their bytes.
  public func read() -> [Post] {
    switch self {
    case .posts(let posts): posts
    case .rows(let rows): rows.posts()
    }
  }

  /// Reads them one after another.
  ///
  /// - Complexity: O(n) in their bytes.
  public func readEach(_ body: (Post) -> Void) {
    switch self {
    case .posts(let posts): for post in posts { body(post) }
    case .rows(let rows): rows.readEach(body)
    }
  }

  /// The same in parts of so many posts at most: what is made of one takes little memory.
  ///
  /// - Complexity: O(n) in the posts.
  public func parts(atMost count: Int) -> [UnreadPosts] {
    switch self {
    case .posts(let posts):
      let count = max(1, count)
      guard posts.count > count else { return [self] }
      return stride(from: 0, to: posts.count, by: count).map {
        .posts(Array(posts[$0..<min($0 + count, posts.count)]))
      }
    case .rows(let rows): return rows.parts(atMost: count).map(UnreadPosts.rows)
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool {
    switch self {
    case .posts(let posts): posts.isEmpty
    case .rows(let rows): rows.isEmpty
    }
  }
}

extension PostReader {
  public func nextUnread() async throws(SourceError) -> UnreadPosts? {
    try await next().map { .posts($0.posts) }
  }

  public func omission() async -> String? { nil }

  /// As ``next()``, read by the threads for sources.
  @MainActor func nextByWorkers() async throws(SourceError) -> SourceReader.Batch? {
    try await withTaskExecutorPreference(WorkerThreads.sources) { () throws(SourceError) in
      try await next()
    }
  }

  public nonisolated var isRefreshable: Bool { false }
  public nonisolated func refreshed() throws(SourceError) -> Self? { nil }
  public nonisolated var files: [(path: String, file: FileBytes)] { [] }
}

extension SourceReader: PostReader {
  public func omission() async -> String? {
    if let feeds { return await feeds.omission() }
    guard isCut else { return nil }
    return "\(source.name): the first \(limit.count.counted("post")) are kept, "
      + "which is the most; the others are left out"
  }

  public nonisolated var isRefreshable: Bool {
    switch source {
    case .file: fileSize != nil || packing != nil
    case .url: true
    case .standardInput: false
    }
  }

  public nonisolated func refreshed() throws(SourceError) -> SourceReader? {
    guard isRefreshable else { return nil }
    return try SourceReader(
      source: source, format: forcedFormat, as: form, reach: reach, pictures: pictures,
      limit: limit, transport: transport)
  }

  public nonisolated var files: [(path: String, file: FileBytes)] {
    guard let path = source.path, let file, file.size != nil else { return [] }
    return [(path, file)]
  }
}
