import Library

/// A source that keeps marks of its posts. Rows are those of the source.
///
/// 1. A mark changes at once for the caller and is written in the background, in order. What cannot
///    be written is kept, written later, and named in the source's message meanwhile.
/// 2. `onMarksChange` is called once for each call that changed something, and for the changes of
///    other programs.
@MainActor protocol MarkableSource: AnyObject {
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log n) in the ranges of marked items.
  func marks(ofRow row: Int) -> PostMarks
  /// The numbers among the rows that are known.
  var unreadCount: Int { get }
  var newCount: Int { get }
  /// The number of new rows above one.
  ///
  /// - Complexity: O(n) in the rows above it, or above the last new one.
  func newCount(above row: Int) -> Int
  /// The last visit at the top of the timeline, in seconds since 1970; `nil` before the first.
  var newSince: Double? { get }

  /// Marks rows. All of one call are taken back together.
  ///
  /// - Returns: the number of rows that did not have the mark before.
  @discardableResult func mark(_ rows: [Range<Int>], as mark: Mark) -> Int
  /// Takes the last marking back, also one of an earlier run.
  ///
  /// - Returns: that marking; `nil` if none is left.
  /// - Throws: `LibraryError` if it cannot be read or written.
  func undoMarking() async throws(LibraryError) -> Marking?

  /// The nearest row below or above another one that has all of `marks`. `row` may also be −1 or
  /// `count`, for the first and the last row that have them.
  ///
  /// - Complexity: milliseconds for 10⁶ rows.
  func row(after row: Int, having marks: PostMarks) -> Int?
  func row(before row: Int, having marks: PostMarks) -> Int?

  /// Remembers that you were at the top of the timeline: nothing in it is new any more. Rows that are
  /// shown as new stay so until the timeline is opened again.
  func recordVisit()
  /// Takes in what other programs have written. Call it on a key or when the terminal gets the focus.
  func takeInOtherChanges()
  /// Waits until all marks are written.
  ///
  /// - Throws: `LibraryError` if some cannot be.
  func finishMarking() async throws(LibraryError)

  var onMarksChange: (([Range<Int>]) -> Void)? { get set }
}
