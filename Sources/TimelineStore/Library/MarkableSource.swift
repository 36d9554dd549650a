import Library

/// A source that keeps marks of its posts. Rows are rows of the source, without a filter.
///
/// 1. A mark changes at once for the caller and is written in the background, in order. If a write
///    fails, the marks are kept and written later; until then the source's message reports it.
/// 2. `onMarksChange` is called after each call that changed something, after each write, and for
///    the changes of other programs.
@MainActor protocol MarkableSource: AnyObject {
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n) in the rows.
  func marks(ofRow row: Int) -> PostMarks
  /// The number of unread rows among those that are known.
  var unreadCount: Int { get }
  /// The number of new rows among those that are known.
  var newCount: Int { get }
  /// The number of new rows above `row`.
  ///
  /// - Complexity: O(n) in the rows above it, or up to the last new one.
  func newCount(above row: Int) -> Int
  /// The time of the last visit to the top of the timeline, in seconds since 1970; `nil` before the
  /// first.
  var newSince: Double? { get }

  /// Marks rows. The marks of one call are undone together.
  ///
  /// - Returns: the number of rows that did not have the mark before.
  @discardableResult func mark(_ rows: [Range<Int>], as mark: Mark) -> Int
  /// Whether marks are kept when the program ends.
  var keepsMarks: Bool { get }
  /// Undoes the last marking, including one of an earlier run if marks are kept.
  ///
  /// - Returns: the undone marking; `nil` if none is left.
  /// - Throws: `LibraryError` if it cannot be read or written; nothing is undone then.
  func undoMarking() async throws(LibraryError) -> Marking?

  /// The nearest row below or above another one that has all of `marks`. `row` may also be −1 or
  /// `count`, for the first and the last row that have them.
  ///
  /// - Complexity: O(n) in the rows between them, a few milliseconds for 10⁶ rows.
  func row(after row: Int, having marks: PostMarks) -> Int?
  func row(before row: Int, having marks: PostMarks) -> Int?

  /// Records a visit to the top of the timeline: its posts are no longer new. Rows that are shown
  /// as new stay so until the timeline is opened again.
  func recordVisit()
  /// Adopts the changes that other programs have written. Call it on a key or when the terminal
  /// gets the focus.
  func takeInOtherChanges()
  /// Waits until all marks are written.
  ///
  /// - Throws: `LibraryError` if some cannot be written.
  func finishMarking() async throws(LibraryError)

  var onMarksChange: (([Range<Int>]) -> Void)? { get set }
}
