import Library
import Subscriptions
import System
import TimelineStore
import TimelineUI

/// Fetches the feeds of a library for a screen. The catalog's feeds tell which are due.
@MainActor final class ScreenRefresher {
  /// Its events, and the refresh that goes on.
  let events = TimelineRefresher()
  private let refresher: FeedRefresher
  /// Why nothing is fetched; `nil` if feeds are.
  private let refusal: String?
  private let trace: TraceWriter?
  /// The feeds as they were read last.
  var feeds: () -> [Feed] = { [] }
  /// The feeds whose server was not reached in the refresh that goes on, or in the last one if it
  /// reached no server at all.
  private var unreached: [FeedID] = []

  /// - Parameter isOffline: whether nothing is fetched.
  init(
    of library: FeedLibrary, fetch: FeedFetch, isOffline: Bool, trace: TraceWriter?
  ) {
    refusal =
      library.obstacle.map { "\($0)" }
      ?? (isOffline
        ? "offline: nothing is fetched"
        : library.isReadOnly ? "the library is only read (--no-state): nothing is fetched" : nil)
    self.trace = trace
    let events = events
    refresher = FeedRefresher(library: library, fetch: fetch, clock: .system()) { events.send($0) }
    events.onRefresh = { [weak self] in self?.refresh($0) ?? (false, "") }
    events.observe { [weak self] in self?.take($0) }
  }

  /// Fetches feeds when they are due, from now on, as the settings want it.
  func start(by settings: LibrarySettings) {
    guard refusal == nil else { return }
    guard let minutes = settings.refreshMinutes else { return refresher.stop(cancelling: false) }
    refresher.policy = RefreshPolicy(interval: Double(minutes) * 60)
    refresher.start()
  }

  func stop() { refresher.stop() }

  private func refresh(_ demand: RefreshDemand) -> (isStarted: Bool, reason: String) {
    if let refusal { return (false, refusal) }
    guard events.progress == nil else { return (false, "feeds are being fetched already") }
    var demand = demand
    if demand == .due, let reason = reasonToWait {
      // The network may be back.
      guard !unreached.isEmpty else { return (false, reason) }
      demand = .feeds(unreached)
    }
    let (refresher, events) = (refresher, events)
    Task { [demand] in
      let summary = await refresher.refresh(demand)
      // Another program may have fetched what was due. No event reports such an end.
      if summary.asked == 0, summary.postponed == 0 { events.take(.ended(RefreshProgress())) }
    }
    return (true, "")
  }

  /// Fetches a feed that was followed just now, also while others are being fetched.
  func fetch(_ feed: FeedID) {
    guard refusal == nil else { return }
    let refresher = refresher
    Task { await refresher.refresh(.feeds([feed])) }
  }

  /// Why no feed is due; `nil` if one is.
  private var reasonToWait: String? {
    let known = feeds()
    // They are not read yet.
    guard !known.isEmpty else { return nil }
    let feeds = known.filter { $0.schedule.pauseReason == nil }
    guard let next = feeds.map(\.schedule.nextTime).min() else { return "all feeds are paused" }
    let now = SystemClock.wallTime
    guard next > now, let time = SystemClock.timeOfDay(next) else { return nil }
    let minute = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
    return "nothing is due before \(time.hour):\(minute)"
  }

  private func take(_ event: RefreshEvent) {
    switch event {
    case .began(let feed): note(feed, "began")
    case .fetched(let changes, _): note(changes.feed, changes.isEmpty ? "unchanged" : "changed")
    case .failed(let failure):
      if failure.isUnreached { unreached.append(failure.feed) }
      note(failure.feed, "failed")
    case .postponed(let feed, _): note(feed, "postponed")
    case .moved(_, _, let feed): note(feed, "moved")
    case .progressed(let progress, _): if progress.done == 0 { unreached = [] }
    case .ended(let progress): if progress.unreached < progress.total { unreached = [] }
    case .named, .noticed, .deleted, .libraryFailed: break
    }
  }

  private func note(_ feed: FeedID, _ state: String) {
    trace?.write(event: "refresh", "\"feed\":\(feed.rawValue),\"state\":\"\(state)\"")
  }
}
