import Dispatch
import Feeds
import HTTP
import Library
import Subscriptions
import System

/// Several sources as one timeline: a temporary library, which is gone with the program.
@MainActor package final class MergedTimeline {
  private let merger: SourceMerger
  private let refresher = TimelineRefresher()
  private var sources: [MergedSource]
  private var watch: SettledFilesWatch?
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
    _ sources: [MergedSource], clock: RefreshClock = .system()
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
      omission: MergedSource.omission(of: list), clock: .system())
  }

  private init(
    _ sources: [MergedSource], isImmediate: Bool, omission: String?, clock: RefreshClock
  ) throws(SourceError) {
    let contents = MergedContents(form: .styled)
    let refresher = refresher
    let open = OpenLibrary(try Self.temporaryLibrary(), refresher: refresher, contents: contents)
    library = open
    posts = open.newTimeline(of: .everything, name: "", key: "")
    directory = FeedCatalog(of: open, refresher: refresher)
    merger = SourceMerger(open.library, contents, clock: clock) {
      refresher.send($0)
    } onEnd: { [weak open] failure, omission in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { open?.noteMerged(failure: failure, omission: omission) }
      }
    }
    (self.sources, self.isImmediate, self.omission) = (sources, isImmediate, omission)
    refresher.onRefresh = { [weak self] in self?.refresh($0) ?? (false, "") }
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
  func start() {
    guard !sources.isEmpty else { return }
    let (merger, sources, omission) = (merger, sources, omission)
    self.sources = []
    let files = sources.flatMap { $0.opened?.files ?? [] }
    if !files.isEmpty {
      watch = SettledFilesWatch(files) {
        Task(executorPreference: WorkerThreads.merging) { await merger.refresh(isLocal: true) }
      }
    }
    refresher.take(.progressed(RefreshProgress(total: sources.count), finished: nil))
    Task.detached(executorPreference: WorkerThreads.merging) { [weak self] in
      if let omission { await merger.note(omission) }
      do throws(LibraryError) {
        try await merger.add(sources)
      } catch {
        await self?.fail(SourceError(error))
      }
    }
  }

  private func fail(_ error: SourceError) {
    library.noteMerged(failure: error, omission: nil)
    refresher.take(.ended(RefreshProgress()))
  }

  private func refresh(_ demand: RefreshDemand) -> (isStarted: Bool, reason: String) {
    let merger = merger
    switch demand {
    case .due, .all:
      guard refresher.progress == nil else { return (false, "the sources are being read already") }
      Task(executorPreference: WorkerThreads.merging) { await merger.refresh() }
    case .feeds(let feeds):
      guard refresher.active.isDisjoint(with: feeds) else {
        return (false, "it is being read already")
      }
      Task(executorPreference: WorkerThreads.merging) { await merger.refresh(feeds) }
    }
    return (true, "")
  }

  /// Returns when all sources were read.
  ///
  /// - Throws: `SourceError` if all have failed.
  func finishReading() async throws(SourceError) {
    await withCheckedContinuation { continuation in
      var waiting: CheckedContinuation<Void, Never>? = continuation
      // Before reading begins: the end may come before this task continues.
      refresher.observe { event in
        guard case .ended = event else { return }
        waiting?.resume()
        waiting = nil
      }
      start()
      guard refresher.progress == nil else { return }
      waiting?.resume()
      waiting = nil
    }
    if let failure = posts.failure { throw failure }
  }

  func stop() {
    watch?.cancel()
    watch = nil
    let merger = merger
    Task(executorPreference: WorkerThreads.merging) { await merger.stop() }
  }
}
