import Feeds
import Library
import System

/// A library that is open on a screen: its marks, the names of its feeds, and the timelines that show
/// it.
///
/// Changes reach all timelines, whatever made them: a refresh, a mark, another program.
@MainActor package final class OpenLibrary {
  package nonisolated let library: FeedLibrary
  let marks: LibraryMarks
  package let refresher: (any TimelineRefresher)?
  private(set) var reader = LibraryPostReader()
  /// The last visits of timelines that are opened first.
  private(set) var visits: [String: TimelineVisit] = [:]
  private var timelines: [WeakTimeline] = []
  /// Whether other programs' changes are being read.
  private var isReading = false

  private struct WeakTimeline {
    weak var timeline: LibraryTimeline?
  }

  /// - Parameter refresher: fetches its feeds; `nil` for a library that is only read.
  package init(_ library: FeedLibrary, refresher: (any TimelineRefresher)?) {
    self.library = library
    self.refresher = refresher
    marks = LibraryMarks(of: library)
    marks.onChange = { [weak self] in self?.forEachTimeline { $0.marksDidChange() } }
    refresher?.observe { [weak self] event in self?.take(event) }
  }

  /// The state that is read before the first frame, and again after another program has written.
  private struct Beginning: Sendable {
    let marks: MarkSnapshot
    let reader: LibraryPostReader
    let visits: [String: TimelineVisit]

    init(of library: FeedLibrary, keys: [String] = []) throws(LibraryError) {
      marks = try MarkSnapshot(of: library, latestItem: nil)
      reader = try LibraryPostReader(of: library)
      var visits: [String: TimelineVisit] = [:]
      for key in keys { visits[key] = try library.visit(of: key) }
      self.visits = visits
    }
  }

  /// Reads the marks and the names of feeds, in the background. Call it before timelines are made.
  ///
  /// - Parameter keys: those of the timelines that are opened first.
  /// - Throws: `LibraryError` if they cannot be read.
  package func load(keys: [String]) async throws(LibraryError) {
    let beginning = try await WorkerThreads.sources.value { [library] in
      Result { () throws(LibraryError) in try Beginning(of: library, keys: keys) }
    }.get()
    reader = beginning.reader
    visits = beginning.visits
    marks.adopt(beginning.marks)
  }

  /// A timeline of some of its items.
  ///
  /// - Parameters:
  ///   - name: for the status line; empty for that of the source.
  ///   - key: the name under which visits are remembered.
  package func timeline(
    of scope: FeedScope = .everything, name: String = "", key: String
  ) -> TimelineStore {
    let timeline = LibraryTimeline(in: self, scope: scope, name: name, key: key)
    timelines.removeAll { $0.timeline == nil }
    timelines.append(WeakTimeline(timeline: timeline))
    return TimelineStore(posts: timeline)
  }

  /// The feeds have other names, or there are others.
  package func feedsDidChange(_ feeds: [Feed]) {
    for feed in feeds { reader.feeds[feed.id] = feed }
    forEachTimeline { $0.namesDidChange() }
  }

  /// Writes all marks.
  ///
  /// - Throws: `LibraryError` if some cannot be written.
  package func finish() async throws(LibraryError) { try await marks.finish() }

  private func forEachTimeline(_ body: (LibraryTimeline) -> Void) {
    for timeline in timelines.compactMap(\.timeline) { body(timeline) }
  }

  // MARK: Changes

  private func take(_ event: TimelineRefreshEvent) {
    switch event {
    case .changed(let changes):
      // The rows come before their marks, which are counted by rows.
      forEachTimeline { $0.take(changes) }
      marks.add(unread: changes.unread)
    case .deleted: readAgain()
    case .began, .progressed, .failed, .ended: forEachTimeline { $0.refreshDidChange() }
    }
  }

  /// Takes in what other programs have written.
  func takeInOtherChanges() {
    marks.retry()
    if library.takeOtherChanges() { readAgain() }
  }

  /// Reads all rows and marks again, and shows the differences.
  private func readAgain() {
    guard !isReading else { return }
    isReading = true
    let library = library
    Task { [weak self] in
      let beginning = await WorkerThreads.sources.value {
        Result { () throws(LibraryError) in try Beginning(of: library) }
      }
      guard let self else { return }
      isReading = false
      guard case .success(let beginning) = beginning else { return }
      reader = beginning.reader
      marks.adopt(beginning.marks)
      forEachTimeline { $0.readAgain() }
    }
  }
}
