import Feeds
import VirtualList

/// The posts of one timeline as rows, independent of their number and origin.
///
/// A row is known, or only estimated to exist; its post is read on access. Synchronous calls do not
/// wait for input.
@MainActor protocol PostSource: AnyObject {
  var info: TimelineInfo { get }
  /// The number of rows, including estimated ones.
  var count: Int { get }
  /// Whether `count` is exact and no more rows are being read.
  var isComplete: Bool { get }
  /// The work in progress, for the status line; empty if there is none.
  var activity: String { get }
  /// A lasting message about the source, for the status line.
  var message: (text: String, isError: Bool)? { get }
  /// The reason why nothing can be shown, if so.
  var failure: SourceError? { get }

  /// The post of a row; if the row cannot be read, a post that says so.
  /// - Precondition: `row` is in `0..<count`.
  func post(at row: Int) -> Post
  /// Whether an estimated row turned out not to exist. The next change deletes it.
  func isStaleGuess(_ row: Int) -> Bool
  /// The stable identity of a row. An estimated row has a provisional identity until it is located.
  func rowID(at row: Int) -> RowID
  /// The row with an identity; `nil` if it is not known.
  func row(of id: RowID) -> Int?
  /// The class by which the list estimates the row's height; 0 if it is unknown before reading.
  func kind(of row: Int) -> Int
  /// The amount of text in rows, in units proportional to it; `nil` if it is unknown before
  /// reading.
  func textLength(ofRows rows: Range<Int>) -> Int?
  /// An upper bound of the row's content, computed without parsing it; `nil`, the default, if there
  /// is none.
  func extent(ofRow row: Int) -> RowSizeBound?
  /// Whether the row number is exact rather than estimated.
  func isNumberExact(_ row: Int) -> Bool

  /// `onChange` is called after each change; `mayChangeRows` is asked before rows change.
  var onChange: ((SourceChange) -> Void)? { get set }
  var mayChangeRows: () -> Bool { get set }

  /// Waits for the first posts, if they are being read; does not call `onChange`.
  ///
  /// - Throws: `SourceError` if there is nothing to show.
  func waitForFirstPosts() async throws(SourceError)
  /// Starts to read the remaining posts.
  func start()
  func stop()
  /// Reports which rows are visible.
  func didShow(rows: Range<Int>)

  /// The rows that can be searched, and their number; they are the first ones of the source.
  var searchable: (rows: any SearchableRows, count: Int) { get }
  /// Whether more searchable rows will come without being requested.
  var expectsMore: Bool { get }
  /// Whether reading continues past the rows shown last, without requests to a server.
  var readsAheadWhenShown: Bool { get }

  /// Reads ahead until the row is known, then reports `.found`.
  ///
  /// - Returns: whether there is anything to wait for.
  func seek(_ target: SeekTarget) -> Bool
  func cancelSeek()
  /// The target of the current seek.
  var seekTarget: SeekTarget? { get }

  /// Looks for the post of a place that an earlier run remembered.
  ///
  /// - Parameter examined: the number of rows that earlier calls have examined; 0 at first and
  ///   after rows were replaced.
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult
  /// Cancels the search that `find` has started.
  func stopFinding()
  /// The offset of a row in bytes; `nil` if the source has no such offsets.
  func byte(ofRow row: Int) -> Int?

  /// How the posts can be refreshed at present.
  var refreshMethod: RefreshMethod { get }
  /// Whether the file at the source's path now has other contents than those that were read.
  var isReplaced: Bool { get }
  /// Whether the source is read whole, so that its files have to be watched for changes.
  var isReadWhole: Bool { get }
}

/// The result of looking for the post of a remembered place.
enum PlaceSearchResult: Hashable, Sendable {
  case row(Int)
  /// The post may still be found; look again after the next change of the source.
  case pending
  case absent
}

/// How a source can be refreshed.
@MainActor enum RefreshMethod {
  /// The source must be read first.
  case no
  /// The source refreshes itself by requesting its pages again, and reports failures in its
  /// message.
  case byItself(() async -> Void)
  /// All posts of a new reader are compared with the present ones; remaining rows keep their
  /// identities.
  case inPlace((WholeTimeline) async -> Void)
  /// Another source replaces this one.
  case successor
}

/// The target of a seek, which may lie beyond the known rows.
public enum SeekTarget: Hashable, Sendable {
  case end
  /// Counted from 0.
  case row(Int)
}

/// A change of a source.
public enum SourceChange: Sendable {
  /// Rows deleted, inserted, and with new content. Deletions and reloads have the old numbers,
  /// insertions the new ones.
  case rows(deletions: [Range<Int>], insertions: [Range<Int>], reloads: [Int])
  /// The source was refreshed, and its posts were compared.
  case refreshed(PostChange)
  /// The source was reopened, and all rows are new. `place` has the old and new number of a visible
  /// row, if known, and the row to select, which has the formerly selected post.
  case reopened(place: (old: Int, new: Int, selected: Int?)?)
  /// The status line may have changed.
  case state
  case found(SeekTarget)
  /// The row of the remembered post, and the number of new rows above it.
  case placeFound(row: Int, newRows: Int)
  /// The remembered post is no longer in the timeline.
  case placeLost
}

extension PostSource {
  func waitForFirstPosts() async throws(SourceError) {}
  var expectsMore: Bool { false }
  var readsAheadWhenShown: Bool { false }
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult {
    findInMemory(place, after: &examined) ?? (isComplete ? .absent : .pending)
  }

  /// Examines the row where the post was, then all rows in order.
  ///
  /// - Complexity: O(n) in the rows that were not examined before.
  func findInMemory(
    _ place: RememberedPlace, after examined: inout Int
  ) -> PlaceSearchResult? {
    if examined == 0, place.row < count, place.post.isMarkOf(post(at: place.row)) {
      return .row(place.row)
    }
    while examined < count {
      if place.post.isMarkOf(post(at: examined)) { return .row(examined) }
      examined += 1
    }
    return nil
  }

  func stopFinding() {}
  func byte(ofRow row: Int) -> Int? { nil }
  func isStaleGuess(_ row: Int) -> Bool { false }
  func textLength(ofRows rows: Range<Int>) -> Int? { nil }
  func extent(ofRow row: Int) -> RowSizeBound? { nil }
  func isNumberExact(_ row: Int) -> Bool { true }
  func didShow(rows: Range<Int>) {}
  func seek(_ target: SeekTarget) -> Bool { false }
  func cancelSeek() {}
  var seekTarget: SeekTarget? { nil }
  var isReplaced: Bool { false }
  var isReadWhole: Bool { false }
}
