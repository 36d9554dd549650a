import Library

/// The feeds to be asked.
package enum RefreshDemand: Hashable, Sendable {
  /// Those that are due.
  case due
  /// All that are not paused, due or not.
  case all
  /// These, due or not, paused or not.
  case feeds([FeedID])
}

/// What happens during a refresh, in order.
package enum RefreshEvent: Sendable {
  /// The feed is being asked.
  case began(FeedID)
  /// The feed has answered, and its changes are in the library.
  ///
  /// - omission: why items are missing, in one clause; `nil` if none are.
  case fetched(FetchChanges, omission: String?)
  case failed(RefreshFailure)
  /// The feed is asked later, because its host wants no requests for these seconds.
  case postponed(FeedID, seconds: Double)
  /// The feed has another address, and another key if it was followed there already.
  case moved(FeedID, to: String, now: FeedID)
  /// The feeds of this refresh that have ended, and all of them.
  case progress(done: Int, total: Int)
  /// Items that were deleted because of their age.
  case deleted([ItemID])
  /// The library could not be read or written. Feeds concerned stay due.
  case libraryFailed(LibraryError)
  case ended(RefreshSummary)
}

/// A feed that could not be fetched.
package struct RefreshFailure: Hashable, Sendable {
  /// The feed as it was before.
  package let feed: Feed
  package let failure: FetchFailure
  /// Whether the feed is not asked again by itself.
  package let isPaused: Bool
}

/// The numbers of a refresh.
package struct RefreshSummary: Hashable, Sendable {
  /// Feeds that were asked.
  package var asked = 0
  /// Of those, the ones that confirmed that nothing changed.
  package var notModified = 0
  /// Of those, the ones that failed.
  package var failed = 0
  /// Feeds that were not asked because their host wants no requests.
  package var postponed = 0
  /// Items that were not there before.
  package var added = 0
}
