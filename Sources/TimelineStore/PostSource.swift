import Feeds
import VirtualList

/// Posts as the rows of a list, independent of their number and origin.
///
/// Synchronous calls do not wait for input.
@MainActor protocol RowSource: AnyObject {
  /// The number of rows, including estimated ones.
  var count: Int { get }
  /// Whether `count` is exact and no more rows are being read.
  var isComplete: Bool { get }
  /// The work in progress, for the status line; empty if there is none.
  var activity: String { get }

  /// The post of a row; if the row cannot be read, a post that says so.
  /// - Precondition: `row` is in `0..<count`.
  func post(at row: Int) -> Post
  /// The stable identity of a row. An estimated row has a provisional identity until it is located.
  func rowID(at row: Int) -> RowID
  /// The row with an identity; `nil` if it is not known.
  func row(of id: RowID) -> Int?
  /// The class by which the list estimates the row's height; `nil` for each row if it is unknown
  /// before reading.
  func kind(of row: Int) -> Int?
  /// The amount of text in rows, in units proportional to it; `nil` if it is unknown before
  /// reading.
  func textLength(ofRows rows: Range<Int>) -> Int?
  /// Reports which rows are visible.
  func didShow(rows: Range<Int>)

  /// `onChange` is called after each change; `mayChangeRows` is asked before rows change.
  var onChange: ((SourceChange) -> Void)? { get set }
  var mayChangeRows: () -> Bool { get set }
}

/// All posts of one timeline, and how they are read.
///
/// This is what every source has; the rest are its `capabilities`.
@MainActor protocol PostSource: RowSource {
  var info: TimelineInfo { get }
  /// A lasting message about the source, for the status line.
  var message: (text: String, isError: Bool)? { get }
  /// The reason why nothing can be shown, if so.
  var failure: SourceError? { get }

  /// Starts to read the remaining posts.
  func start()
  func stop()

  /// The rows that can be searched, and their number; they are the first ones of the source.
  var searchable: (rows: any SearchableRows, count: Int) { get }
  /// Whether more searchable rows will come without being requested.
  var expectsMore: Bool { get }

  /// Constant, so that users ask once.
  var capabilities: SourceCapabilities { get }
}

/// The target of a seek, which may lie beyond the known rows.
package enum SeekTarget: Hashable, Sendable {
  case end
  /// Counted from 0.
  case row(Int)
}

/// A change of a source.
package enum SourceChange: Sendable {
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
