import Feeds
import VirtualList

/// The optional capabilities of a source; `nil` for each that it lacks.
///
/// Each source lists its own, so that no conformance is looked up at run time.
@MainActor struct SourceCapabilities {
  var fileRows: (any FileRows)?
  var seeking: (any SeekableSource)?
  var places: (any PlaceFinder)?
  var marking: (any MarkableSource)?
  /// The marks and feed of a row, for a query; `nil` if the source knows none.
  var context: ((_ row: Int) -> MatchContext?)?
  var refresh = RefreshMethod.successor
  /// Whether reading continues past the rows shown last, without requests to a server.
  var readsAheadWhenShown = false
}

/// Rows that are found by their bytes in a file. Before they are counted, they are estimated.
@MainActor protocol FileRows: AnyObject {
  /// Whether an estimated row turned out not to exist. The next change deletes it.
  func isStaleGuess(_ row: Int) -> Bool
  /// Whether the row number is exact rather than estimated.
  func isNumberExact(_ row: Int) -> Bool
  /// An upper bound of the row's content, computed without parsing it; `nil` if there is none.
  func extent(ofRow row: Int) -> RowSizeBound?
  /// The offset of a row in bytes; `nil` if it is not found.
  func byte(ofRow row: Int) -> Int?
  /// Whether the file at the source's path now has other contents than those that were read.
  var isReplaced: Bool { get }
}

/// A source that can read ahead to a row that is not known yet.
@MainActor protocol SeekableSource: AnyObject {
  /// Reads ahead until the row is known, then reports `.found`.
  ///
  /// - Returns: whether there is anything to wait for.
  func seek(_ target: SeekTarget) -> Bool
  func cancelSeek()
  /// The target of the current seek.
  var seekTarget: SeekTarget? { get }
}

/// A source that looks beyond its known rows for the post of a place that an earlier run
/// remembered.
@MainActor protocol PlaceFinder: AnyObject {
  /// Starts or continues looking for the post.
  ///
  /// - Parameter examined: the number of rows that earlier calls have examined; 0 at first and
  ///   after rows were replaced.
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult
  /// A number by which a later run finds the post of a row; `nil` if there is none, the default.
  func key(ofRow row: Int) -> Int?
  /// Cancels the search that `find` has started.
  func stopFinding()
}

extension PlaceFinder {
  func key(ofRow row: Int) -> Int? { nil }
}

/// The result of looking for the post of a remembered place.
enum PlaceSearchResult: Hashable, Sendable {
  case row(Int)
  /// The post may still be found; look again after the next change of the source.
  case pending
  case absent
}

/// How a source is refreshed.
@MainActor enum RefreshMethod {
  /// The source requests its pages again.
  case byItself(any RefreshableSource)
  /// The source is read whole, by a new reader, and compares the posts with its own.
  case inPlace(InMemoryPostSource)
  /// Another source replaces this one.
  case successor
}

/// A source that can request its newest posts again.
@MainActor protocol RefreshableSource: AnyObject {
  /// Whether the source has been read, and no refresh is in progress.
  var isRefreshable: Bool { get }
  /// Puts new posts before the rows, which stay. Failures are reported in the source's message.
  func refresh() async
}
