import Feeds
import VirtualList

/// The posts of one timeline as rows, however many there are and wherever they come from.
///
/// Rows are known, or guessed to be there; a post is read when it is asked for. All calls answer at
/// once.
@MainActor protocol PostSource: AnyObject {
  var info: TimelineInfo { get }
  /// Rows, with those that are guessed.
  var count: Int { get }
  /// Whether `count` is exact and nothing more is on its way.
  var isComplete: Bool { get }
  /// What is under way, for the status line; empty where nothing is.
  var activity: String { get }
  /// What happened to the source: shown until it is left.
  var message: (text: String, isError: Bool)? { get }
  /// Nothing can be shown at all, and why.
  var failure: SourceError? { get }

  /// The post of a row; one that says so where the row cannot be read.
  /// - Precondition: `row` is in `0..<count`.
  func post(at row: Int) -> Post
  /// Whether a row turned out not to exist; the next change takes it away.
  func isPhantom(_ row: Int) -> Bool
  /// A row's identity, which it keeps; rows that are only guessed have one of their own until they
  /// are looked at.
  func rowID(at row: Int) -> RowID
  /// Where the row with an identity is; nil where it is not known.
  func row(of id: RowID) -> Int?
  /// The estimate class of a row; 0 where that is not known without reading it.
  func kind(of row: Int) -> Int
  /// How much there is in rows, in numbers in proportion to their text; nil where that is not known
  /// without reading them.
  func textLength(ofRows rows: Range<Int>) -> Int?
  /// The most that a row can hold, where that is certain without reading it; nil, the default,
  /// where it is not.
  func extent(ofRow row: Int) -> RowExtent?
  /// Whether `row` is the row's true number.
  func isNumberExact(_ row: Int) -> Bool

  /// Called after each change, and asked before rows change whether they may.
  var onChange: ((SourceChange) -> Void)? { get set }
  var mayChangeRows: () -> Bool { get set }

  /// Waits for the first posts, where they are being read; nobody is told of them.
  ///
  /// - Throws: `SourceError` where there is nothing to show.
  func readFirst() async throws(SourceError)
  /// Begins to read what is not read yet.
  func start()
  func stop()
  /// These rows are on the screen.
  func didShow(rows: Range<Int>)

  /// The first rows, as many as can be looked through, and how many those are.
  var searchable: (rows: any SearchableRows, count: Int) { get }
  /// Whether more such rows come by themselves.
  var expectsMore: Bool { get }
  /// Whether it is read on from what was shown last, without asking anybody for more.
  var readsOnWhenShown: Bool { get }

  /// Looks for a row that is not known yet, as far as it takes; `.found` says when it is there.
  ///
  /// - Returns: false where there is nothing to wait for.
  func seek(_ target: SeekTarget) -> Bool
  func cancelSeek()
  /// What is being looked for.
  var seekTarget: SeekTarget? { get }

  /// Looks for the post of a place of another run.
  ///
  /// - Parameter examined: rows that were looked at already, for the next time; 0 at first and
  ///   where rows are others.
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult
  /// Nobody waits any more for what `find` has begun.
  func stopFinding()
  /// The byte at which a row begins; nil where it has none of its own.
  func byte(ofRow row: Int) -> Int?

  /// How the posts can be refreshed at present.
  var refreshMethod: RefreshMethod { get }
  /// Whether other contents than those that are read stand where they stood.
  var isReplaced: Bool { get }
  /// Whether it is read whole, so that somebody has to say when its files were written.
  var isReadWhole: Bool { get }
}

/// What came of looking for the post of a place of another run.
enum PlaceSearchResult: Hashable, Sendable {
  case row(Int)
  /// It may be there; the next change of the source tells more.
  case pending
  case absent
}

/// How a source can be refreshed.
@MainActor enum RefreshMethod {
  /// Not while it is being read.
  case no
  /// By itself, as pages are asked for again; what goes wrong stands in its message.
  case byItself(() async -> Void)
  /// By all posts of another reader of the same source; rows that are still there keep their
  /// identities.
  case inPlace((WholeTimeline) async -> Void)
  /// By another source that takes its place.
  case successor
}

/// What a reader can ask for before it is known where it is.
public enum SeekTarget: Hashable, Sendable {
  case end
  /// Counted from 0.
  case row(Int)
}

/// What has changed in a source.
public enum SourceChange: Sendable {
  /// Rows deleted, as they were; inserted, as they are; with another content, as they were.
  case rows(deletions: [Range<Int>], insertions: [Range<Int>], reloads: [Int])
  /// The source was refreshed, and its posts compared.
  case refreshed(PostChange)
  /// The source was reopened and its rows are others: where the row is that the reader looks at,
  /// if it is known, and the row to be selected, that of the post that was.
  case reopened(place: (old: Int, new: Int, selected: Int?)?)
  /// What the status line says.
  case state
  case found(SeekTarget)
  /// The post of the place of another run is this row, and so many rows above it are new.
  case placeFound(row: Int, newRows: Int)
  /// That post is not in the timeline any more.
  case placeLost
}

extension PostSource {
  func readFirst() async throws(SourceError) {}
  var expectsMore: Bool { false }
  var readsOnWhenShown: Bool { false }
  func find(_ place: RememberedPlace, after examined: inout Int) -> PlaceSearchResult {
    findInMemory(place, after: &examined) ?? (isComplete ? .absent : .pending)
  }

  /// Looks where the post was, then at all rows in their order.
  ///
  /// - Complexity: O(n) in the rows that were not looked at yet.
  func findInMemory(
    _ place: RememberedPlace, after examined: inout Int
  ) -> PlaceSearchResult? {
    if examined == 0, place.row < count, place.post.isOf(post(at: place.row)) {
      return .row(place.row)
    }
    while examined < count {
      if place.post.isOf(post(at: examined)) { return .row(examined) }
      examined += 1
    }
    return nil
  }

  func stopFinding() {}
  func byte(ofRow row: Int) -> Int? { nil }
  func isPhantom(_ row: Int) -> Bool { false }
  func textLength(ofRows rows: Range<Int>) -> Int? { nil }
  func extent(ofRow row: Int) -> RowExtent? { nil }
  func isNumberExact(_ row: Int) -> Bool { true }
  func didShow(rows: Range<Int>) {}
  func seek(_ target: SeekTarget) -> Bool { false }
  func cancelSeek() {}
  var seekTarget: SeekTarget? { nil }
  var isReplaced: Bool { false }
  var isReadWhole: Bool { false }
}
