import TextLayout

/// Finds the rows that match a search, at once or in the background.
@MainActor package protocol MatchFinder: AnyObject {
  /// Called when more is known.
  var onChange: (() -> Void)? { get set }

  /// Looks for `needle` from a row on.
  func find(_ needle: TextNeedle, from row: Int, _ direction: SearchDirection)

  /// Ends the search.
  func end()

  /// The next row with a match from `row` on, or else from the other end on.
  ///
  /// - Parameter includesIt: whether `row` itself may be the match; otherwise it comes last.
  func match(
    from row: Int, including includesIt: Bool, _ direction: SearchDirection
  ) -> SearchMatch

  /// Marks the matches of `needle` in all cells; `nil` removes the marks.
  func mark(_ needle: TextNeedle?)

  /// The lines of a row on the screen that contain a match, from the top; empty if they are not
  /// known.
  func matchLines(ofRow row: Int) -> [Int]

  /// The rows that could not be searched: `"3 posts could not be read"`; empty if there are none.
  var omission: String { get }

  /// The number of the match in a row, and of all matches: `"match 2 of 17"`; empty if they are not
  /// counted.
  func progress(atRow row: Int) -> String
}

/// The direction of a search.
package enum SearchDirection: Hashable, Sendable { case forward, backward }

/// The position of the next match.
package enum SearchMatch: Hashable, Sendable {
  /// In this row; `wrapped` if the search has continued from the other end.
  case row(Int, wrapped: Bool)
  /// Not known yet; `onChange` is called when more is known.
  case searching
  /// There is no match.
  case none
}
