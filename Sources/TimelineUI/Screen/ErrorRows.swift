import Feeds
import TimelineStore
import VirtualList

/// The rows of a timeline that are errors, not posts. They are left out of the numbers of posts:
///
///     rows      post  error  post  post
///     numbers      1            2     3
///
/// 1. A row is known to be an error once its post was read: for the screen, or in idle time if the
///    timeline is short. Until then it counts as a post.
/// 2. Rows are kept by their identities, since rows above may be inserted; their numbers are looked
///    up after each change.
@MainActor package final class ErrorRows {
  /// The largest timeline that is read in idle time, and the rows read in a slice of it.
  private static let readRows = 2_000
  private static let rowsAtOnce = 20

  private let store: TimelineStore
  private var ids: Set<RowID> = []
  /// The shown rows, sorted; `nil` after a change.
  private var rows: [Int]?
  /// The number of rows from the top that idle time has read.
  private var read = 0
  /// Whether an error has become known, or is none any more, since ``takeNews()``.
  private var hasNews = false

  init(of store: TimelineStore) { self.store = store }

  /// Notes whether a row's post, which was just read, is an error.
  func note(_ post: Post, ofRow row: Int) {
    // A timeline without errors looks nothing up.
    guard post.isError || !ids.isEmpty else { return }
    let id = store.rowID(at: row)
    guard post.isError ? ids.insert(id).inserted : ids.remove(id) != nil else { return }
    rows = nil
    hasNews = true
  }

  /// Whether the numbers have changed since the last call by what was noted.
  func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// Call this when rows were inserted, deleted or replaced.
  func rowsChanged() {
    rows = nil
    read = 0
  }

  /// Call this when all rows have new identities.
  func forgetAll() {
    ids = []
    rowsChanged()
  }

  /// Reads a few more rows of a short timeline.
  ///
  /// - Returns: whether there are more to read.
  func readAhead() -> Bool {
    guard store.isComplete, store.count <= Self.readRows, read < store.count else { return false }
    let end = min(read + Self.rowsAtOnce, store.count)
    for row in read..<end where !store.isStaleGuess(row) {
      note(store.post(at: row), ofRow: row)
    }
    read = end
    return read < store.count
  }

  // MARK: Numbers

  /// The shown rows that are errors, sorted.
  ///
  /// - Complexity: O(1); after a change O(e log n) in the errors and the rows.
  private var shown: [Int] {
    if let rows { return rows }
    let now = ids.isEmpty ? [] : ids.compactMap { store.row(of: $0) }.sorted()
    rows = now
    return now
  }

  /// The number of shown rows that are errors.
  var count: Int { shown.count }

  /// The number of rows of the source that are errors, also those that a filter leaves out.
  var sourceCount: Int { ids.count }

  /// The errors among the shown rows that are unread, and those that are new.
  ///
  /// - Complexity: O(e) in the errors.
  var marked: (unread: Int, new: Int) {
    guard let marks = store.marks, !ids.isEmpty else { return (0, 0) }
    let own = shown.map { marks.marks(ofRow: $0) }
    return (own.count { $0.contains(.unread) }, own.count { $0.contains(.new) })
  }

  func contains(row: Int) -> Bool { !ids.isEmpty && ids.contains(store.rowID(at: row)) }

  /// The number of errors above a row.
  ///
  /// - Complexity: O(e) in the errors.
  func count(above row: Int) -> Int { shown.prefix { $0 < row }.count }

  /// The row of the post with a number, counted from 0.
  ///
  /// - Complexity: O(e) in the errors.
  func row(ofPost number: Int) -> Int {
    shown.reduce(number) { row, error in error <= row ? row + 1 : row }
  }
}
