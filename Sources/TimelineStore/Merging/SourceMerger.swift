import Feeds
import HTTP
import Library
import Subscriptions
import System

/// Reads several sources into a temporary library, side by side.
///
/// 1. Sources are recognized by their addresses; one that is named twice is read once.
/// 2. What was recorded stays, whatever becomes of the source. A source that is slow, fails or
///    never ends holds up no other one.
/// 3. A list of feeds among the sources is replaced by its feeds, once: a list within it is a
///    failure. A web page is replaced by the first feed that it names.
/// 4. A remote source that has brought no post within ``ReadingDeadline/seconds`` is given up.
/// 5. Events are sent from any thread; those of one source in their order.
actor SourceMerger {
  nonisolated let library: FeedLibrary
  nonisolated let contents: MergedContents
  /// When merging began.
  private nonisolated let start: Double
  private let clock: RefreshClock
  private let onEvent: @Sendable (RefreshEvent) -> Void
  /// Called before each `ended`: why nothing can be shown, and what was left out.
  private let onEnd: @Sendable (_ failure: SourceError?, _ omission: String?) -> Void
  private var entries: [FeedID: Entry] = [:]
  /// Files and pipes are on a host without a name.
  private var queue = RefreshQueue(deadline: ReadingDeadline.seconds) { host in
    host.isEmpty ? RequestHost(limit: .max, slowLimit: 0) : RequestHost()
  }
  private var result = Result()
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isStopped = false

  private struct Entry {
    let source: MergedSource
    /// Whether its file stays open after it was read.
    let keepsOpen: Bool
    var memory = SourceIntake.Memory()
    /// Whether it waits or is being read.
    var isQueued = false
    /// Whether its file has changed since it was queued.
    var isStale = false
    var task: Task<Void, Never>?
    /// The deadline of `task`, if the source is remote.
    var deadline: ReadingDeadline?
    var failure: SourceError?
    /// What the last reading left out.
    var omission: String?
    var name: String
  }

  private struct Result {
    var failed = 0
    var omissions: [String] = []
    /// The sources that were replaced, one line each.
    var replacements: [String] = []
  }

  init(
    _ library: FeedLibrary, _ contents: MergedContents, clock: RefreshClock,
    onEvent: @escaping @Sendable (RefreshEvent) -> Void = { _ in },
    onEnd: @escaping @Sendable (_ failure: SourceError?, _ omission: String?) -> Void = { _, _ in }
  ) {
    (self.library, self.contents, self.clock) = (library, contents, clock)
    (self.onEvent, self.onEnd) = (onEvent, onEnd)
    start = SystemClock.wallTime
  }

  // MARK: Sources

  /// Adds sources, and reads them.
  ///
  /// - Throws: `LibraryError` if they cannot be recorded.
  func add(_ sources: [MergedSource]) throws(LibraryError) {
    var feeds: [FeedID] = []
    for source in sources {
      let title = source.entry?.title ?? ""
      let name = title.isEmpty ? source.source.shortName : title
      let (feed, isNew) = try library.follow(
        source.source.name, title: name, ownName: source.entry?.ownName,
        tags: source.entry?.tags ?? [], at: start)
      guard isNew, entries[feed] == nil else { continue }
      entries[feed] = Entry(
        source: source, keepsOpen: entries.count < MergedSource.openFiles, name: name)
      if let known = try library.feed(feed) { onEvent(.named(known)) }
      feeds.append(feed)
    }
    read(feeds)
  }

  /// Notes a clause about sources that are left out.
  func note(_ omission: String) { result.omissions.append(omission) }

  /// Reads sources again that are still followed; those that can be read only once, and those that
  /// are being read, are skipped.
  ///
  /// - Parameter isLocal: reads files only, which have changed: those that are being read are read
  ///   once more afterwards.
  func refresh(_ feeds: [FeedID]? = nil, isLocal: Bool = false) {
    let followed = Set(((try? library.feeds()) ?? []).map(\.id))
    let chosen = feeds ?? entries.keys.sorted()
    read(
      chosen.filter { feed in
        guard followed.contains(feed), let entry = entries[feed], !entry.source.isPipe,
          !isLocal || entry.source.host == nil
        else { return false }
        if entry.isQueued { entries[feed]?.isStale = isLocal || entry.isStale }
        return !entry.isQueued
      })
  }

  private func read(_ feeds: [FeedID]) {
    guard !isStopped else { return }
    if queue.isEmpty { result.failed = 0 }
    for feed in feeds { entries[feed]?.isQueued = true }
    let jobs = feeds.compactMap { feed in
      entries[feed].map {
        RefreshQueue.Job(
          feed: feed, host: $0.source.host ?? "", isUnlimited: $0.source.isPipe)
      }
    }
    perform(queue.add(jobs, now: clock.steady()))
    if queue.isEmpty { end() } else { onEvent(.progressed(progress, finished: nil)) }
  }

  private func perform(_ actions: [RefreshQueue.Action]) {
    for action in actions {
      switch action {
      case .start(let feed): begin(feed)
      case .cancel(let feed):
        if entries[feed]?.deadline?.pass() ?? false { entries[feed]?.task?.cancel() }
      case .postpone: break
      }
    }
    let now = clock.steady()
    clock.wake(queue.nextWake.map { max(0, $0 - now) }) { [weak self] in
      Task(executorPreference: WorkerThreads.merging) { await self?.woke() }
    }
  }

  private func woke() {
    if !isStopped { perform(queue.wake(now: clock.steady())) }
  }

  private func begin(_ feed: FeedID) {
    guard let entry = entries[feed] else { return }
    onEvent(.began(feed))
    let onEvent = onEvent
    let library = library
    let deadline = entry.source.host == nil ? nil : ReadingDeadline()
    let intake = SourceIntake(library: library, contents: contents, feed: feed, start: start) {
      [name = entry.name] changes, title in
      deadline?.meet()
      if !title.isEmpty, title != name, let feed = try? library.feed(changes.feed) {
        onEvent(.named(feed))
      }
      if !changes.isEmpty { onEvent(.fetched(changes, omission: nil)) }
    }
    entries[feed]?.deadline = deadline
    entries[feed]?.task = Task.detached(executorPreference: WorkerThreads.merging) {
      let reading = await intake.read(
        entry.source, entry.memory, keepsOpen: entry.keepsOpen, before: deadline)
      await self.ended(feed, reading)
    }
  }

  // MARK: The end of a reading

  private func ended(_ feed: FeedID, _ reading: SourceIntake.Reading) {
    entries[feed]?.task = nil
    entries[feed]?.deadline = nil
    entries[feed]?.isQueued = false
    guard !isStopped else { return }
    if let (list, reach) = reading.list {
      follow(list, reach, insteadOf: feed)
    } else if let found = reading.pageFeed {
      follow(found, insteadOf: feed)
    } else {
      note(reading, of: feed)
    }
    perform(queue.end(feed, now: clock.steady()))
    onEvent(.progressed(progress, finished: feed))
    if entries[feed]?.isStale == true {
      entries[feed]?.isStale = false
      return read([feed])
    }
    if queue.isEmpty { end() }
  }

  private func note(_ reading: SourceIntake.Reading, of feed: FeedID) {
    guard let entry = entries[feed] else { return }
    entries[feed]?.memory = reading.memory
    let failure =
      reading.failure
      ?? reading.damage.map { damage in
        SourceError(source: entry.source.source, reason: .incomplete(damage))
      }
    entries[feed]?.failure = failure
    entries[feed]?.omission = reading.omission
    if !reading.title.isEmpty { entries[feed]?.name = reading.title }
    do throws(LibraryError) {
      // A document of a server no longer has its older posts; they stay. A file is what it holds.
      let removed = try library.endReading(
        of: feed, title: reading.title, failure: failure?.reason.text,
        dropsGoneItems: failure == nil && !reading.isUnchanged && entry.source.host == nil
          && reading.memory.rows == nil, at: max(start, SystemClock.wallTime))
      if removed || reading.hasRemoved { onEvent(.deleted) }
    } catch {
      entries[feed]?.omission = "\(error)"
    }
    guard let failure else { return }
    result.failed += 1
    onEvent(.failed(RefreshFailure(feed: feed, message: failure.reason.text)))
  }

  private func follow(_ list: FeedList, _ reach: RequestScope, insteadOf feed: FeedID) {
    guard let entry = entries[feed] else { return }
    guard !list.addresses.isEmpty else {
      var reading = SourceIntake.Reading(memory: entry.memory)
      reading.failure = SourceError(source: entry.source.source, reason: .noFeeds(list))
      return note(reading, of: feed)
    }
    if let omission = MergedSource.omission(of: list) { result.omissions.append(omission) }
    replace(feed, by: MergedSource.sources(of: list, namedBy: entry.source.request, reach: reach))
  }

  private func follow(_ found: FoundFeed, insteadOf feed: FeedID) {
    guard let entry = entries[feed] else { return }
    let notice = "reading \(found.address), named by \(entry.source.source.name)"
    result.replacements.append(notice)
    onEvent(.noticed(notice))
    replace(feed, by: [MergedSource.source(of: found, namedBy: entry.source)])
  }

  private func replace(_ feed: FeedID, by sources: [MergedSource]) {
    entries[feed] = nil
    do throws(LibraryError) {
      try library.leave(feed, purge: true)
      try add(sources)
    } catch {
      result.omissions.append("\(error)")
    }
  }

  private var progress: RefreshProgress {
    RefreshProgress(
      done: queue.progress.done, total: queue.progress.total, failed: result.failed)
  }

  private func end() {
    onEnd(hasFailed ? failures.first : nil, omission)
    onEvent(.ended(progress))
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.resume() }
  }

  // MARK: Waiting

  /// Returns when no source is being read, or when reading was stopped.
  func finish() async {
    await withCheckedContinuation { continuation in
      if queue.isEmpty || isStopped {
        continuation.resume()
      } else {
        waiters.append(continuation)
      }
    }
  }

  /// Ends all reading.
  func stop() {
    isStopped = true
    for entry in entries.values { entry.task?.cancel() }
    queue.cancel()
    clock.wake(nil) {}
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.resume() }
  }

  /// The failures, in the order of the sources.
  var failures: [SourceError] {
    entries.sorted { $0.key < $1.key }.compactMap(\.value.failure)
  }

  /// Whether every source has failed, even if posts of it were read before.
  var hasFailed: Bool { !entries.isEmpty && entries.values.allSatisfy { $0.failure != nil } }

  /// The lines about pages that were replaced by their feeds.
  var replacements: [String] { result.replacements }

  /// One line about what was left out; `nil` if nothing was.
  var omission: String? {
    let all =
      result.omissions + entries.sorted { $0.key < $1.key }.compactMap(\.value.omission)
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }
}
