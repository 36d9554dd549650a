import Dispatch
import Library
import Subscriptions
import System
import TimelineStore
import TimelineUI

/// Fetches the feeds of a library for a screen.
///
/// The events of `FeedRefresher` arrive on its threads, and are passed on to the main actor in
/// their order. The catalog's feeds tell which are due.
@MainActor final class ScreenRefresher: TimelineRefresher {
  private let refresher: FeedRefresher
  /// Why nothing is fetched; `nil` if feeds are.
  private let refusal: String?
  private let trace: TraceWriter?
  /// The feeds as they were read last.
  var feeds: () -> [Feed] = { [] }
  private(set) var progress: RefreshProgress?
  private(set) var active: Set<FeedID> = []
  private var observers: [@MainActor (TimelineRefreshEvent) -> Void] = []
  /// The feeds whose server was not reached in the refresh that goes on, or in the last one if it
  /// reached no server at all.
  private var unreached: [FeedID] = []

  /// Passes events on to the main actor.
  @MainActor private final class Relay {
    weak var target: ScreenRefresher?
  }

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
    let relay = Relay()
    refresher = FeedRefresher(library: library, fetch: fetch, clock: .system()) { event in
      DispatchQueue.main.async { MainActor.assumeIsolated { relay.target?.take(event) } }
    }
    relay.target = self
  }

  /// Fetches feeds when they are due, from now on, as the settings want it.
  func start(by settings: LibrarySettings) {
    guard refusal == nil else { return }
    guard let minutes = settings.refreshMinutes else { return refresher.stop(cancelling: false) }
    refresher.policy = RefreshPolicy(interval: Double(minutes) * 60)
    refresher.start()
  }

  func stop() { refresher.stop() }

  func refresh(_ scope: TimelineRefreshScope) -> (isStarted: Bool, reason: String) {
    if let refusal { return (false, refusal) }
    guard progress == nil else { return (false, "feeds are being fetched already") }
    let asked: RefreshDemand
    switch scope {
    case .due:
      guard let reason = reasonToWait else {
        asked = .due
        break
      }
      // The network may be back.
      guard !unreached.isEmpty else { return (false, reason) }
      asked = .feeds(unreached)
    case .feed(let feed): asked = .feeds([feed])
    }
    let refresher = refresher
    Task { [weak self] in
      let summary = await refresher.refresh(asked)
      // Another program may have fetched what was due. No event reports such an end.
      if summary.asked == 0, summary.postponed == 0 {
        self?.send(.ended(RefreshProgress(done: 0, total: 0, failed: 0)))
      }
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

  func observe(_ observer: @escaping @MainActor (TimelineRefreshEvent) -> Void) {
    observers.append(observer)
  }

  private func send(_ event: TimelineRefreshEvent) {
    for observer in observers { observer(event) }
  }

  private func take(_ event: RefreshEvent) {
    switch event {
    case .began(let feed):
      active.insert(feed)
      note(feed, "began")
      send(.began(feed))
    case .fetched(let changes, _):
      active.remove(changes.feed)
      note(changes.feed, changes.isEmpty ? "unchanged" : "changed")
      send(.changed(changes))
    case .failed(let failure):
      active.remove(failure.feed.id)
      progress?.failed += 1
      if failure.failure.isWithoutAnswer {
        progress?.unreached += 1
        unreached.append(failure.feed.id)
      }
      note(failure.feed.id, "failed")
      send(.failed(failure.feed.id, "\(failure.failure)"))
    case .postponed(let feed, _):
      active.remove(feed)
      note(feed, "postponed")
    case .moved(let feed, _, let other):
      active.remove(feed)
      note(other, "moved")
      // The feeds became one: the items of the first that the other has are gone, and rows shown them.
      if other != feed { send(.deleted([])) }
    case .progress(let done, let total):
      if progress == nil { unreached = [] }
      progress = RefreshProgress(
        done: done, total: total, failed: progress?.failed ?? 0,
        unreached: progress?.unreached ?? 0)
      send(.progressed)
    case .deleted(let items): if !items.isEmpty { send(.deleted(items)) }
    case .libraryFailed(let error): send(.libraryFailed(error))
    case .ended(let summary):
      var ended = progress ?? RefreshProgress(done: summary.asked, total: summary.asked, failed: 0)
      ended.postponed = summary.postponed
      if ended.unreached < ended.total { unreached = [] }
      (progress, active) = (nil, [])
      send(.ended(ended))
    }
  }

  private func note(_ feed: FeedID, _ state: String) {
    trace?.write(event: "refresh", "\"feed\":\(feed.rawValue),\"state\":\"\(state)\"")
  }
}
