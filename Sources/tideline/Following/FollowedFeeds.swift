import HTTP
import Library
import Subscriptions

/// The feeds of a library, found by what a person calls them.
struct FollowedFeeds {
  let feeds: [Feed]

  /// - Parameter library: `nil` if there is none yet.
  /// - Throws: `LibraryError` if the library cannot be read.
  init(of library: FeedLibrary?) throws(LibraryError) { feeds = try library?.feeds() ?? [] }

  /// The feed with this address, own name or title; an address may lack its scheme.
  ///
  /// - Throws: `Failure` if there is none, or several.
  /// - Complexity: O(n) in the feeds.
  func feed(called name: String) throws(Failure) -> Feed {
    let addresses = Self.addresses(of: name)
    let word = name.lowercased()
    let found = feeds.filter { feed in
      addresses.contains(URLReference(feed.address).normalized)
        || [feed.ownName, feed.title].contains { $0?.lowercased() == word }
    }
    guard let feed = found.first else {
      throw Failure(
        message: "\(name): you follow no feed of this name or address; tideline feeds lists them",
        status: Program.Status.noInput)
    }
    guard found.count == 1 else {
      throw Failure(
        message: "\(name): \(found.count) feeds have this name: "
          + found.map(\.address).joined(separator: ", "), status: Program.Status.dataError)
    }
    return feed
  }

  private static func addresses(of name: String) -> Set<URLReference> {
    guard let named = FeedName(name) else { return [] }
    let texts: [String?] =
      if case .address(let address) = named {
        // Without a scheme, it may be followed by http as well.
        [address, name.contains("://") ? nil : "http://" + name]
      } else {
        [named.knownAddress]
      }
    return Set(texts.compactMap { $0.map { URLReference($0).normalized } })
  }
}
