import Library
import Subscriptions

/// The state of reading the feeds of a library.
package enum FeedReading: Hashable, Sendable {
  /// They are being read for the first time.
  case active
  case done
  /// They could not be read the last time; the problem as one clause.
  case failed(String)
}

/// The feeds that you follow, or the sources that are merged, for the list of feeds. Implemented by
/// `FeedCatalog` over a library.
///
/// Changes are written in the background; `problem` of the completion is a clause, `nil` if it was
/// written.
@MainActor package protocol FeedDirectory: AnyObject {
  /// In the order of the list: by name.
  var feeds: [Feed] { get }
  /// How reading them went; while they cannot be read, `feeds` are the last ones that were.
  var reading: FeedReading { get }
  /// Called after `feeds` or `reading` has changed, for whatever reason.
  var onChange: (() -> Void)? { get set }
  /// Whether they are followed: names and tags of merged sources would end with the program.
  var isKept: Bool { get }
  /// Reads the feeds again, in the background.
  func reload()

  /// - Parameter name: empty to show the feed's own title again.
  func rename(
    _ feed: FeedID, to name: String, _ completion: @escaping @MainActor (_ problem: String?) -> Void
  )
  /// Replaces the tags.
  func tag(
    _ feed: FeedID, with tags: [String],
    _ completion: @escaping @MainActor (_ problem: String?) -> Void)
  /// Leaves a feed; its items stay.
  func leave(_ feed: FeedID, _ completion: @escaping @MainActor (_ problem: String?) -> Void)
  /// Follows the feed again that was left last.
  ///
  /// - Returns: `false` if none was left.
  func undoLeaving(_ completion: @escaping @MainActor (_ problem: String?) -> Void) -> Bool

  var refresher: TimelineRefresher { get }
  /// Whether further feeds can be followed here.
  var canFollow: Bool { get }
  /// Looks for the feed that a site, an account or an address names.
  ///
  /// - Throws: `FeedFindingError`.
  func find(_ name: String) async throws(FeedFindingError) -> FeedFinding
  /// Follows a feed that was found, and asks for its posts.
  ///
  /// - Parameter isConfirmed: whether it was fetched and read.
  /// - Returns: one line about the feed, or why it is not followed.
  func follow(
    _ feed: FoundFeed, isConfirmed: Bool
  ) async -> (message: String, isFollowed: Bool)
  /// The items of one feed as a timeline.
  func timeline(of feed: FeedID) -> TimelineStore
}
