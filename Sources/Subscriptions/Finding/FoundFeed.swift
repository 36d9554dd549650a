import HTTP

/// A feed that can be followed.
package struct FoundFeed: Hashable, Sendable {
  /// Its http(s) address.
  package let address: String
  /// Its own title, or the one of the page or list that names it; empty if none is known.
  package let title: String
  /// The name that a list gives it, if that is not its title.
  package let ownName: String?
  /// The page or list that names it; `nil` if it was asked for itself.
  package let namedBy: String?
  /// The folders and categories of a list.
  package let tags: [String]
  /// How far the address may lead, by the page or list that names it.
  package let reach: RequestScope

  package init(
    address: String, title: String = "", ownName: String? = nil, namedBy: String? = nil,
    tags: [String] = [], reach: RequestScope = .everywhere
  ) {
    self.address = address
    self.title = title
    self.ownName = ownName
    self.namedBy = namedBy
    self.tags = tags
    self.reach = reach
  }
}

/// The result of looking for a feed.
package enum FeedFinding: Hashable, Sendable {
  /// A feed, whose answer was read.
  case feed(FoundFeed)
  /// Several feeds of a page, the best first, none of which was asked for.
  case choice([FoundFeed])
  /// The feeds of a list, none of which was asked for. `omission` is a clause about those that
  /// cannot be followed; `nil` if there are none.
  case list([FoundFeed], omission: String?)
}

/// Why no feed was found.
package struct FeedFindingError: Error, Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    /// The text names nothing that can be asked for; why, as one clause.
    case unusable(String)
    /// The server could not be asked.
    case remote(FetchFailure)
    /// Everything that was tried is no feed; a clause about it.
    case nothing(String)
  }

  /// The text as typed, without a password.
  package let name: String
  package let reason: Reason

  /// One line with the name.
  package var message: String {
    switch reason {
    case .unusable(let why), .nothing(let why): "\(name): \(why)"
    case .remote(let failure): "\(name): \(failure)"
    }
  }
}
