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

/// An event of a refresh.
package enum RefreshEvent: Sendable {
  /// The feed is being fetched.
  case began(FeedID)
  /// The feed has answered, and its changes are in the library.
  ///
  /// - omission: why items are missing, in one clause; `nil` if none are.
  case fetched(FetchChanges, omission: String?)
  case failed(RefreshFailure)
  /// The feed is fetched later, because its host asks for no requests within `seconds`.
  case postponed(FeedID, seconds: Double)
  /// The feed has moved to another address; `now` is its key, which is another one if a feed had
  /// that address already.
  case moved(FeedID, to: String, now: FeedID)
  /// The number of feeds of this refresh that are done, and the number of all.
  case progress(done: Int, total: Int)
  /// Items that were deleted because of their age.
  case deleted([ItemID])
  /// The library could not be read or written. The feeds concerned stay due.
  case libraryFailed(LibraryError)
  case ended(RefreshSummary)
}

/// A feed that could not be fetched.
package struct RefreshFailure: Hashable, Sendable {
  /// The feed before this fetch.
  package let feed: Feed
  package let failure: FetchFailure
  /// Whether the feed is paused: it is no longer fetched automatically.
  package let isPaused: Bool
}

/// The counts of a refresh.
package struct RefreshSummary: Hashable, Sendable {
  /// Feeds that were fetched.
  package var asked = 0
  /// Of those, the ones that confirmed that nothing changed.
  package var notModified = 0
  /// Of those, the ones that failed.
  package var failed = 0
  /// Feeds that were not fetched because their host asks for no requests.
  package var postponed = 0
  /// Items that were not in the library before.
  package var added = 0
}
