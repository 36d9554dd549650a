import Feeds
import Library
import Subscriptions
import System

/// A library that is open on a screen: its marks, the names of its feeds, and the timelines that
/// show it.
///
/// Changes reach all timelines, whatever made them: a refresh, a mark, another program.
@MainActor package final class OpenLibrary {
  package nonisolated let library: FeedLibrary
  let marks: LibraryMarks
  package let refresher: TimelineRefresher?
  private(set) var reader: LibraryPostReader
  /// The last visits to the timelines that are opened first.
  private(set) var visits: [String: TimelineVisit] = [:]
  private var timelines: [WeakTimeline] = []
  /// Called when other programs' changes are about to be read.
  var onOtherChanges: (() -> Void)?
  /// Whether other programs' changes are being read, have to be read again afterwards, and could
  /// not be taken in yet: the next key tries again.
  private var reading = (isActive: false, isAsked: false, isOwed: false)
  /// Feeds whose names have changed since that reading began.
  private var renamedMeanwhile: [Feed] = []
  /// Why no merged source can be shown, and what was left out.
  private(set) var merged: (failure: SourceError?, omission: String?) = (nil, nil)

  private struct WeakTimeline {
    weak var timeline: LibraryTimeline?
  }

  /// - Parameters:
  ///   - refresher: fetches its feeds; `nil` for a library that is only read.
  ///   - contents: what belongs to the posts of merged sources besides their library.
  package init(
    _ library: FeedLibrary, refresher: TimelineRefresher?, contents: MergedContents? = nil
  ) {
    self.library = library
    self.refresher = refresher
    reader = LibraryPostReader(contents: contents)
    marks = LibraryMarks(of: library)
    marks.onChange = { [weak self] in self?.forEachTimeline { $0.marksDidChange() } }
    refresher?.observe { [weak self] event in self?.take(event) }
  }

  /// The state that is read before the first frame, and again after another program has written.
  private struct Beginning: Sendable {
    let marks: MarkSnapshot
    let reader: LibraryPostReader
    let visits: [String: TimelineVisit]

    init(
      of library: FeedLibrary, contents: MergedContents?, keys: [String] = []
    ) throws(LibraryError) {
      marks = try MarkSnapshot(of: library, latestItem: nil)
      reader = try LibraryPostReader(of: library, contents: contents)
      var visits: [String: TimelineVisit] = [:]
      for key in keys { visits[key] = try library.visit(of: key) }
      self.visits = visits
    }
  }

  /// Reads the marks, the names of feeds and the last visits, in the background. Call it before
  /// timelines are made.
  ///
  /// - Parameter keys: those of the timelines that are opened first.
  /// - Throws: `LibraryError` if they cannot be read.
  package func load(keys: [String]) async throws(LibraryError) {
    let beginning = try await WorkerThreads.sources.value { [library, contents = reader.contents] in
      Result { () throws(LibraryError) in
        try Beginning(of: library, contents: contents, keys: keys)
      }
    }.get()
    reader = beginning.reader
    visits = beginning.visits
    marks.adopt(beginning.marks)
  }

  /// A timeline of the items in `scope`.
  ///
  /// - Parameters:
  ///   - name: the name in the status line; if it is empty, the source's.
  ///   - key: the name under which visits are remembered.
  package func timeline(
    of scope: FeedScope = .everything, name: String = "", key: String
  ) -> TimelineStore {
    TimelineStore(posts: newTimeline(of: scope, name: name, key: key))
  }

  func newTimeline(of scope: FeedScope, name: String, key: String) -> LibraryTimeline {
    let timeline = LibraryTimeline(in: self, scope: scope, name: name, key: key)
    timelines.removeAll { $0.timeline == nil }
    timelines.append(WeakTimeline(timeline: timeline))
    return timeline
  }

  /// Records the outcome of reading the merged sources.
  func noteMerged(failure: SourceError?, omission: String?) { merged = (failure, omission) }

  /// Whether the sources of a temporary library are being read.
  var isMerging: Bool { library.isTemporary && refresher?.progress != nil }

  /// Adopts feeds that were renamed or added.
  func feedsDidChange(_ feeds: [Feed]) {
    for feed in feeds { reader.feeds[feed.id] = feed }
    if reading.isActive { renamedMeanwhile += feeds }
    let renamed = Set(feeds.map(\.id))
    forEachTimeline { $0.namesDidChange(of: renamed) }
  }

  /// Shows the names of feeds that differ from those on the screen: a feed has its own title only
  /// after it has been read for the first time.
  func takeNames(of feeds: [Feed]) {
    // Those of merged sources come with their events, and may be newer than these.
    guard !library.isTemporary else { return }
    let renamed = feeds.filter { feed in
      guard let known = reader.feeds[feed.id] else { return true }
      return known.name != feed.name || known.title != feed.title
    }
    if !renamed.isEmpty { feedsDidChange(renamed) }
  }

  /// Writes all marks.
  ///
  /// - Parameter onDelay: called if it takes half a second.
  /// - Throws: `LibraryError` if some cannot be written.
  package func finish(onDelay: @escaping () -> Void = {}) async throws(LibraryError) {
    try await marks.finish(onDelay: onDelay)
  }

  private func forEachTimeline(_ body: (LibraryTimeline) -> Void) {
    for timeline in timelines.compactMap(\.timeline) { body(timeline) }
  }

  // MARK: Changes

  private func take(_ event: RefreshEvent) {
    switch event {
    case .named(let feed): feedsDidChange([feed])
    case .fetched(let changes, _):
      marks.add(unread: changes.unread) { forEachTimeline { $0.take(changes) } }
    case .deleted: readAgain()
    case .postponed, .moved, .noticed, .libraryFailed: break
    case .began, .progressed, .failed, .ended: forEachTimeline { $0.refreshDidChange() }
    }
  }

  /// Retries failed marks, and reads the library again if other programs have changed it.
  func takeInOtherChanges() {
    marks.retry()
    if library.takeOtherChanges() || reading.isOwed {
      readAgain()
      onOtherChanges?()
    }
  }

  /// Reads all rows and marks again, and shows the differences.
  private func readAgain() {
    guard !reading.isActive else {
      reading.isAsked = true
      return
    }
    reading = (true, false, false)
    renamedMeanwhile = []
    let (library, contents, revision) = (library, reader.contents, marks.revision)
    Task { [weak self] in
      let beginning = await WorkerThreads.sources.value {
        Result { () throws(LibraryError) in try Beginning(of: library, contents: contents) }
      }
      guard let self else { return }
      reading.isActive = false
      // The marks may have changed since they were read, or wait to be written.
      reading.isOwed = marks.revision != revision
      switch beginning {
      case .success(let beginning):
        reader = beginning.reader
        for feed in renamedMeanwhile { reader.feeds[feed.id] = feed }
        if !reading.isOwed { reading.isOwed = !marks.adopt(beginning.marks) }
        forEachTimeline { $0.readAgain() }
      case .failure: reading.isOwed = true
      }
      if reading.isAsked { readAgain() }
    }
  }
}
