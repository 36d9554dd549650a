import Library
import Subscriptions
import TextLayout
import TimelineStore

/// Follows the refresher of a library for the status line, on all screens of the library.
@MainActor final class RefreshMonitor {
  private let refresher: TimelineRefresher
  /// The posts that have arrived since a refresh began.
  private var newPosts = 0
  /// The last refresh, if feeds have failed in it and the reader has not looked at them.
  private var failed: RefreshProgress?
  /// Why the library could not be written or read: in the refresh that goes on, and in the last
  /// one.
  private var unwritten: (now: LibraryError?, before: LibraryError?)
  /// Whether the reader waits for the result.
  private var isAwaited = false
  /// Counts the events: what was computed from the refresher is outdated when it changes.
  private(set) var revision = 0
  /// Called after each event, with a message to the reader.
  var onChange: ((_ message: String?) -> Void)?

  init(of refresher: TimelineRefresher) {
    self.refresher = refresher
    refresher.observe { [weak self] in self?.take($0) }
  }

  private func take(_ event: RefreshEvent) {
    revision &+= 1
    var message: String?
    switch event {
    case .began, .named, .progressed, .postponed, .moved, .deleted, .failed: break
    case .noticed(let text): message = text
    case .fetched(let changes, _): newPosts += changes.added.count
    case .libraryFailed(let error):
      unwritten.now = unwritten.now ?? error
      // Without feeds to fetch there is no end to wait for.
      if refresher.progress == nil { message = end("nothing is fetched") }
    case .ended(let result):
      if result.total > 0 { failed = result.failed > 0 ? result : nil }
      // An end without feeds leaves the trouble of an earlier refresh.
      if result.total == 0 { unwritten.now = unwritten.now ?? unwritten.before }
      let isKept = result.total == 0 || unwritten.now == nil
      message = end(isKept ? Self.result(newPosts, of: result) : "not all is kept")
    }
    onChange?(message)
  }

  /// Ends a refresh.
  ///
  /// - Returns: the result, if the reader waits for it.
  private func end(_ result: String) -> String? {
    defer { (isAwaited, newPosts, unwritten) = (false, 0, (now: nil, before: unwritten.now)) }
    return isAwaited ? result : nil
  }

  private static func result(_ newPosts: Int, of result: RefreshProgress) -> String {
    guard result.total > 0 else {
      return result.postponed > 0 ? "the server wants no requests yet" : "nothing is due"
    }
    var words = newPosts == 0 ? "nothing new" : "\(newPosts) new"
    if result.failed > 0 { words += ", \(failures(of: result))" }
    if result.postponed > 0 { words += ", \(result.postponed) not asked yet" }
    return words
  }

  /// Without a network the number of feeds says nothing.
  private static func failures(of result: RefreshProgress) -> String {
    if result.unreached == result.total {
      return result.total == 1 ? "the server could not be reached" : "no server could be reached"
    }
    return result.total == 1 ? "the feed failed" : "\(result.failed) of \(result.total) failed"
  }

  /// Fetches feeds.
  ///
  /// - Returns: the reason if none is fetched; `nil` if some are.
  func refresh(_ demand: RefreshDemand) -> String? {
    let (isStarted, reason) = refresher.refresh(demand)
    if isStarted { isAwaited = true }
    revision &+= 1
    return isStarted ? nil : reason
  }

  /// Whether a feed is being fetched.
  func isActive(_ feed: FeedID) -> Bool { refresher.active.contains(feed) }

  /// `"library.db: cannot be written, the disk is full"` if what the last refresh fetched could not
  /// be written; else empty.
  var trouble: String { unwritten.before.map { "\($0)" } ?? "" }

  /// The reader has looked at the failures.
  func forgetFailures() { failed = nil }

  /// `"38 of 43 feeds"` while feeds are fetched, then `"5 of 43 failed · L"`, or, if that is why
  /// all did, `"no server could be reached · L"`; the trouble with the library, if there is any;
  /// empty without failures.
  ///
  /// - Parameter key: the key that shows the list of feeds; empty if there is none.
  func words(key: String) -> String {
    if let progress = refresher.progress {
      let failures = progress.failed == 0 ? "" : ", \(progress.failed) failed"
      return "\(progress.done) of \(progress.total.counted("feed"))\(failures)"
    }
    guard trouble.isEmpty else { return trouble }
    guard let failed else { return "" }
    let failures = Self.failures(of: failed)
    return key.isEmpty ? failures : "\(failures) · \(key)"
  }
}
