import Dispatch
import Library
import Subscriptions

/// What fetches the feeds of a library, as its screens see it: whether they are followed or merged.
///
/// Events arrive from any thread, and are passed on to the main actor in their order.
@MainActor package final class TimelineRefresher {
  /// The progress; `nil` while nothing is fetched.
  package private(set) var progress: RefreshProgress?
  /// The feeds that are being fetched.
  package private(set) var active: Set<FeedID> = []
  private var observers: [@MainActor (RefreshEvent) -> Void] = []
  /// Implements `refresh`.
  package var onRefresh: (RefreshDemand) -> (isStarted: Bool, reason: String) = { _ in (false, "") }

  package init() {}

  /// Starts to fetch; feeds that are being fetched are not fetched twice.
  ///
  /// - Returns: `false` if there is nothing to fetch; `reason` is a clause such as `"nothing is due
  ///   before 14:05"` or `"offline"`.
  package func refresh(_ demand: RefreshDemand) -> (isStarted: Bool, reason: String) {
    onRefresh(demand)
  }

  /// Any number of observers; each is called on the main actor, in the order of the events.
  package func observe(_ observer: @escaping @MainActor (RefreshEvent) -> Void) {
    observers.append(observer)
  }

  /// Passes an event on to the main actor.
  package nonisolated func send(_ event: RefreshEvent) {
    DispatchQueue.main.async { MainActor.assumeIsolated { self.take(event) } }
  }

  /// Passes an event on at once.
  package func take(_ event: RefreshEvent) {
    switch event {
    case .began(let feed): active.insert(feed)
    case .progressed(let new, let finished):
      progress = new
      if let finished { active.remove(finished) }
    case .ended: (progress, active) = (nil, [])
    default: break
    }
    for observer in observers { observer(event) }
  }
}
