/// The result of a fetch, as it is recorded.
package struct FetchRecord: Sendable {
  package enum Outcome: Sendable {
    /// A document, newest or oldest first. If it is empty, known items are not taken for gone.
    case document(title: String, items: [NewItem])
    case notModified
    /// What went wrong, in a clause.
    case failed(String)
  }

  package var outcome: Outcome
  /// Replaces the feed's validators; they stay if the fetch failed. For `notModified` they are
  /// usually those that the feed has.
  package var validators: Feed.Validators?
  /// Replaces the feed's redirect; `nil` if the fetch saw none.
  package var redirect: Feed.Redirect?
  /// When the feed is due again, in seconds since 1970.
  package var nextTime: Double
  /// Replaces ``Feed/Schedule/hint``; `nil` keeps it.
  package var hint: String?
  /// Whether a document has all its items here. Otherwise they are a part of it, which more parts
  /// follow, and known items are not taken for gone.
  package var isWhole = true
  /// What of a document is not here, in a clause, such as `"only its first 10 items were read"`.
  package var omission: String?
  /// A reason to fetch it no more, such as `"gone (410)"`.
  package var pauseReason: String?

  package init(
    _ outcome: Outcome, nextTime: Double, validators: Feed.Validators? = nil,
    redirect: Feed.Redirect? = nil, hint: String? = nil, pauseReason: String? = nil
  ) {
    self.outcome = outcome
    self.nextTime = nextTime
    self.validators = validators
    self.redirect = redirect
    self.hint = hint
    self.pauseReason = pauseReason
  }
}

/// The changes that a fetch made.
package struct FetchChanges: Hashable, Sendable {
  package let feed: FeedID
  /// Items that were not there before, in ascending order of their keys.
  package var added: [ItemPlace] = []
  /// Of those, the ones that arrived unread.
  package var unread = ItemRanges()
  /// Items with other content than before. Their places and marks stay.
  package var changed: [ItemID] = []

  /// No changes yet.
  package init(feed: FeedID) { self.feed = feed }

  package var isEmpty: Bool { added.isEmpty && changed.isEmpty }
}
