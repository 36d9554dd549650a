import Library

/// Fetches the feeds of a library. Implemented by the program, and by `MergedRefresher` for sources
/// that are merged.
@MainActor package protocol TimelineRefresher: AnyObject {
  /// Starts to fetch; feeds that are being fetched are not fetched twice.
  ///
  /// - Returns: `false` if there is nothing to fetch; `reason` is a clause such as `"nothing is due
  ///   before 14:05"` or `"offline"`.
  func refresh(_ scope: TimelineRefreshScope) -> (isStarted: Bool, reason: String)
  /// The progress; `nil` while nothing is fetched.
  var progress: RefreshProgress? { get }
  /// The feeds that are being fetched.
  var active: Set<FeedID> { get }
  /// Any number of observers; each is called on the main actor, in the order of the events.
  func observe(_ observer: @escaping @MainActor (TimelineRefreshEvent) -> Void)
}

package enum TimelineRefreshScope: Hashable, Sendable {
  /// The feeds that are due.
  case due
  case feed(FeedID)
}

package struct RefreshProgress: Hashable, Sendable {
  package var done: Int
  package var total: Int
  package var failed: Int
  /// Of those that failed, the ones whose servers could not be reached.
  package var unreached: Int
  /// Feeds that were not asked, because their servers want no requests yet.
  package var postponed = 0

  package init(done: Int, total: Int, failed: Int, unreached: Int = 0) {
    self.done = done
    self.total = total
    self.failed = failed
    self.unreached = unreached
  }
}

package enum TimelineRefreshEvent: Sendable {
  case began(FeedID)
  /// The progress has changed.
  case progressed
  /// A feed was fetched and written.
  case changed(FetchChanges)
  /// Items were deleted; those of merged sources are not named.
  case deleted([ItemID])
  /// A feed could not be fetched; why, in a clause.
  case failed(FeedID, String)
  /// What was fetched could not be written, or what is due could not be read.
  case libraryFailed(LibraryError)
  /// One line for the reader.
  case noticed(String)
  /// All that was asked for has arrived or failed.
  case ended(RefreshProgress)
}
