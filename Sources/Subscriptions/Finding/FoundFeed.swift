import HTTP

/// A feed that can be followed.
package struct FoundFeed: Identifiable, Hashable, Sendable {
  /// Its http(s) address, in the one spelling in which it is followed.
  package let address: String
  /// Its own title, or the one that the page or list gives it; empty if none is known.
  package let title: String
  /// The name that a list gives it, if that is not its title.
  package let ownName: String?
  /// The page or list that names it; `nil` if its own address was requested.
  package let namedBy: String?
  /// The folders and categories that a list puts it in.
  package let tags: [String]
  /// The addresses that a request for it may reach, given the page or list that names it.
  package let reach: RequestScope
  package var id: String { address }

  package init(
    address: String, title: String = "", ownName: String? = nil, namedBy: String? = nil,
    tags: [String] = [], reach: RequestScope = .everywhere
  ) {
    self.address = URLReference(address).normalized.description
    self.title = title
    self.ownName = ownName
    self.namedBy = namedBy
    self.tags = tags
    self.reach = reach
  }
}

/// The result of looking for a feed.
package enum FeedFinding: Hashable, Sendable {
  /// A feed, which was fetched and read.
  case feed(FoundFeed)
  /// Several feeds of a page, the best first, none of which was fetched.
  case choice([FoundFeed])
  /// The feeds of a list, none of which was fetched. `omission` is a clause about those that
  /// cannot be followed; `nil` if there are none. `incompleteness` is that of the list.
  case list([FoundFeed], omission: String?, incompleteness: String?)
}

/// Why no feed was found.
package struct FeedFindingError: Error, Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    /// The text names nothing that can be requested; the reason, as one clause.
    case unusable(String)
    /// The fetch failed.
    case remote(FetchFailure)
    /// None of the addresses tried is a feed; the reason, as one clause.
    case nothing(String)
  }

  /// The text as typed, without a password.
  package let name: String
  package let reason: Reason

  package init(name: String, reason: Reason) { (self.name, self.reason) = (name, reason) }

  /// The error as one line, which begins with the name.
  package var message: String {
    switch reason {
    case .unusable(let why), .nothing(let why): "\(name): \(why)"
    case .remote(let failure): "\(name): \(failure)"
    }
  }
}
