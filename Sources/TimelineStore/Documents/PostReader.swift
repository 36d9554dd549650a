import Answers
import Feeds
import System
import TextLayout

/// Reads posts in batches, on request.
package protocol PostReader: Sendable {
  /// The next posts; `nil` at the end.
  ///
  /// - Throws: `SourceError`; after that there are no more posts.
  func next() async throws(SourceError) -> SourceReader.Batch?

  /// Like ``next()``, for printing: posts that are read row by row are returned without being
  /// parsed.
  ///
  /// - Throws: `SourceError`; after that there are no more posts.
  func nextUnparsed() async throws(SourceError) -> UnparsedPosts?

  /// One line about omitted posts; `nil` if there are none.
  func omission() async -> String?

  /// Whether it returns only the posts that fit a query of its own.
  nonisolated var isFiltered: Bool { get }

  /// Whether the source can be read again.
  nonisolated var isRefreshable: Bool { get }

  /// Another reader of the same source, from its beginning; `nil` if it can be read only once.
  ///
  /// - Throws: `SourceError` if it cannot be opened any more.
  nonisolated func refreshed() throws(SourceError) -> Self?

  /// The regular files it reads, to be watched for changes.
  nonisolated var files: [(path: String, file: FileBytes)] { get }
}

extension PostReader {
  package func nextUnparsed() async throws(SourceError) -> UnparsedPosts? {
    try await next().map { .posts($0.posts) }
  }

  package func omission() async -> String? { nil }

  /// Calls ``next()`` on the threads for sources.
  @MainActor func nextOnWorkerThreads() async throws(SourceError) -> SourceReader.Batch? {
    try await withTaskExecutorPreference(WorkerThreads.sources) { () throws(SourceError) in
      try await next()
    }
  }

  package nonisolated var isFiltered: Bool { false }
  package nonisolated var isRefreshable: Bool { false }
  package nonisolated func refreshed() throws(SourceError) -> Self? { nil }
  package nonisolated var files: [(path: String, file: FileBytes)] { [] }
}

extension SourceReader: PostReader {
  package func omission() async -> String? {
    guard isCut else { return nil }
    let kept = request.limit.count.counted("post")
    return "\(source.name): only the first \(kept) are kept, the maximum"
  }

  package nonisolated var isRefreshable: Bool {
    switch source {
    case .file: fileSize != nil || packing != nil
    case .url: true
    case .standardInput: false
    }
  }

  package nonisolated func refreshed() throws(SourceError) -> SourceReader? {
    isRefreshable ? try SourceReader(request) : nil
  }

  package nonisolated var files: [(path: String, file: FileBytes)] {
    guard let path = source.path, let file, file.size != nil else { return [] }
    return [(path, file)]
  }
}

/// A reader without posts, for a timeline whose posts need none.
struct NoReader: PostReader {
  func next() async throws(SourceError) -> SourceReader.Batch? { nil }
}
