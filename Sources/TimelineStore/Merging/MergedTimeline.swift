import Feeds
import HTTP
import Library
import System

/// Several sources as one timeline: a temporary library, which is gone with the program.
@MainActor package final class MergedTimeline {
  private let refresher: MergedRefresher
  let library: OpenLibrary
  /// The sources as a list of feeds.
  package let directory: any FeedDirectory
  /// The posts, newest first.
  let posts: LibraryTimeline
  /// Whether the first posts are awaited before anything is shown: all sources are small files.
  let isImmediate: Bool
  private let omission: String?

  /// - Throws: `SourceError` without SQLite, or if there is no place for a temporary file.
  package convenience init(
    _ sources: [MergedSource], clock: DeadlineClock = .system
  ) throws(SourceError) {
    let isImmediate = sources.allSatisfy { source in
      source.reader.map { PostSourceFactory.isSmall($0) } ?? false
    }
    try self.init(sources, isImmediate: isImmediate, omission: nil, clock: clock)
  }

  /// The feeds of a list.
  ///
  /// - Parameter request: the one that has opened the list.
  /// - Throws: `SourceError` as above, or if the list names no feed.
  convenience init(
    of list: FeedList, namedBy request: SourceRequest, reach: RequestScope
  ) throws(SourceError) {
    guard !list.addresses.isEmpty else {
      throw SourceError(source: request.source, reason: .noFeeds(list))
    }
    try self.init(
      MergedSource.sources(of: list, namedBy: request, reach: reach), isImmediate: false,
      omission: MergedSource.omission(of: list), clock: .system)
  }

  private init(
    _ sources: [MergedSource], isImmediate: Bool, omission: String?, clock: DeadlineClock
  ) throws(SourceError) {
    let contents = MergedContents(form: .styled)
    refresher = MergedRefresher(sources, try Self.temporaryLibrary(), contents, clock: clock)
    library = OpenLibrary(refresher.merger.library, refresher: refresher, contents: contents)
    posts = library.newTimeline(of: .everything, name: "", key: "")
    directory = FeedCatalog(of: library, refresher: refresher)
    (self.isImmediate, self.omission) = (isImmediate, omission)
    refresher.onName = { [weak library] feed in library?.feedsDidChange([feed]) }
    refresher.onEnd = { [weak library] in library?.noteMerged(failure: $0, omission: $1) }
  }

  /// - Throws: `SourceError`.
  nonisolated static func temporaryLibrary() throws(SourceError) -> FeedLibrary {
    do throws(LibraryError) {
      return try FeedLibrary(path: "", keepDays: nil)
    } catch {
      throw SourceError(error)
    }
  }

  /// Begins to read the sources; once.
  func start() { refresher.start(omission: omission) }

  /// Returns when all sources were read.
  ///
  /// - Throws: `SourceError` if all have failed.
  func finishReading() async throws(SourceError) {
    start()
    if refresher.progress != nil {
      await withCheckedContinuation { continuation in
        var waiting: CheckedContinuation<Void, Never>? = continuation
        refresher.observe { event in
          guard case .ended = event else { return }
          waiting?.resume()
          waiting = nil
        }
      }
    }
    if let failure = posts.failure { throw failure }
  }

  func stop() { refresher.stop() }
}
