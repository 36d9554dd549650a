/// A feed that is followed, or was and still has items.
package struct Feed: Hashable, Sendable {
  /// The values by which a server recognizes that nothing changed. They are sent back verbatim, and
  /// only to the address that sent them.
  package struct Validators: Hashable, Sendable {
    package var address: String
    package var entityTag: String?
    package var lastModified: String?
    /// When they were received, in seconds since 1970.
    package var time: Double

    package init(address: String, entityTag: String?, lastModified: String?, time: Double) {
      self.address = address
      self.entityTag = entityTag
      self.lastModified = lastModified
      self.time = time
    }
  }

  /// A permanent redirect that was seen and not followed yet.
  package struct Redirect: Hashable, Sendable {
    package var target: String
    /// How many fetches in turn reported it.
    package var count: Int
    /// When the first of them was, in seconds since 1970.
    package var since: Double

    package init(target: String, count: Int, since: Double) {
      self.target = target
      self.count = count
      self.since = since
    }
  }

  /// When the feed is fetched. Times are in seconds since 1970.
  package struct Schedule: Hashable, Sendable {
    /// The feed is due from this time on; 0 after it was followed.
    package var nextTime = 0.0
    /// The last fetch, whatever its outcome.
    package var lastAttempt: Double?
    /// What the feed said about its own schedule, in a form that only the refreshing module reads.
    package var hint = ""
    /// Why it is not fetched any more; `nil` while it is.
    package var pauseReason: String?
  }

  /// The results of past fetches.
  package struct Health: Hashable, Sendable {
    /// The last fetch that succeeded, an answer of “not modified” included.
    package var lastSuccess: Double?
    /// Why the last fetch failed; `nil` if it succeeded.
    package var lastError: String?
    /// What the last document that was read left out, in a clause; `nil` if nothing, or if the last
    /// fetch failed.
    package var omission: String?
    /// The failures since the last success.
    package var failures = 0
  }

  package let id: FeedID
  package var address: String
  /// The title that the feed has; empty before its first document.
  package var title: String
  /// The name that you gave it.
  package var ownName: String?
  /// In alphabetical order.
  package var tags: [String]
  /// `nil` once it was left.
  package var followedSince: Double?
  package var validators: Validators?
  package var redirect: Redirect?
  package var schedule: Schedule
  package var health: Health
  package var unreadCount: Int
  /// The date of its newest item, in milliseconds since 1970.
  package var newestDate: Int64?

  /// Your own name, else the title, else the address.
  package var name: String { ownName ?? (title.isEmpty ? address : title) }
  package var isFollowed: Bool { followedSince != nil }
}
