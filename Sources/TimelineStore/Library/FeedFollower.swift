import TextLayout

/// A feed to choose: its address and its title, which may be empty.
package struct FeedOffer: Identifiable, Hashable, Sendable {
  package let address: String
  @Sanitized package private(set) var title: String
  package var id: String { address }

  package init(address: String, title: String) {
    self.address = address
    _title = Sanitized(wrappedValue: title)
  }
}

/// Finds feeds by the words of the user, and follows them. Implemented by the program.
@MainActor package protocol FeedFollower: AnyObject {
  /// Looks for the feed that a site, an account or an address names.
  func find(_ name: String) async -> FeedSearchResult
  /// Follows a feed of the last result, and asks for its posts.
  func follow(_ offer: FeedOffer) async -> FollowOutcome
}

package enum FeedSearchResult: Sendable {
  case feed(FeedOffer)
  /// A page names several feeds.
  case choice([FeedOffer], page: String)
  /// Why there is none, in one line.
  case failed(String)
}

package enum FollowOutcome: Sendable {
  /// One line about the feed.
  case followed(String)
  /// Why it is not followed, in one line.
  case failed(String)
}
