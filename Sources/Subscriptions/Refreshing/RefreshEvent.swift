import Library

/// The feeds to be fetched.
package enum RefreshDemand: Hashable, Sendable {
  /// Those that are due.
  case due
  /// All that are not paused, due or not.
  case all
  /// These, due or not, paused or not.
  case feeds([FeedID])
}

/// An event of a refresh, of feeds that are followed or of sources that are merged.
package enum RefreshEvent: Sendable {
  /// The feed is being fetched.
  case began(FeedID)
  /// A merged source has another name, or there is another source.
  case named(Feed)
  /// The feed has answered, or a part of a merged source was read, and the changes are in the
  /// library.
  ///
  /// - omission: why items are missing, in one clause; `nil` if none are.
  case fetched(FetchChanges, omission: String?)
  case failed(RefreshFailure)
  /// The feed is fetched later, because its host asks for no requests within `seconds`.
  case postponed(FeedID, seconds: Double)
  /// The feed has moved to another address; `now` is its key, which is another one if a feed had
  /// that address already.
  case moved(FeedID, to: String, now: FeedID)
  /// The progress has changed; `finished` is the feed that is no longer being fetched.
  case progressed(RefreshProgress, finished: FeedID?)
  /// Items were deleted.
  case deleted
  /// The library could not be read or written. The feeds concerned stay due.
  case libraryFailed(LibraryError)
  /// One line about a source that was replaced by another.
  case noticed(String)
  /// All that was asked for has arrived or failed.
  case ended(RefreshProgress)
}

/// A feed that could not be fetched.
package struct RefreshFailure: Hashable, Sendable {
  package let feed: FeedID
  /// Why, in one clause.
  package let message: String
  /// Whether its server could not be reached.
  package let isUnreached: Bool
  /// Whether the feed is paused: it is no longer fetched automatically.
  package let isPaused: Bool

  package init(feed: FeedID, message: String, isUnreached: Bool = false, isPaused: Bool = false) {
    (self.feed, self.message) = (feed, message)
    (self.isUnreached, self.isPaused) = (isUnreached, isPaused)
  }
}

/// The counts of a refresh.
package struct RefreshProgress: Hashable, Sendable {
  /// Feeds that are done, and all that are to be fetched.
  package var done: Int
  package var total: Int
  /// Feeds that were fetched.
  package var asked = 0
  /// Of those, the ones that confirmed that nothing changed.
  package var notModified = 0
  /// Of those, the ones that failed.
  package var failed: Int
  /// Of those that failed, the ones whose servers could not be reached.
  package var unreached = 0
  /// Feeds that were not fetched because their host asks for no requests.
  package var postponed = 0
  /// Items that were not in the library before.
  package var added = 0

  package init(done: Int = 0, total: Int = 0, failed: Int = 0) {
    (self.done, self.total, self.failed) = (done, total, failed)
  }
}
