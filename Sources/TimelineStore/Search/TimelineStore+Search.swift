import TextLayout

/// Searching the posts, in the numbers of shown rows.
extension TimelineStore {
  /// Searches all posts for `needle`, beginning at a shown row.
  package func search(for needle: TextNeedle, from row: Int, _ direction: PostSearch.Direction) {
    search.begin(needle, from: sourceRow(of: row), direction)
  }

  /// The number of shown rows that are known to match, and whether there are no others.
  ///
  /// - Complexity: O(rows / 64) with a filter.
  package var matchCount: (count: Int, isAll: Bool) {
    guard let filtered = timeline?.filtered else { return search.found }
    return (search.count(among: filtered.shown), search.found.isAll && filtered.isComplete)
  }

  /// The number of a row among the shown rows that match, from 1; `nil` if it does not match.
  ///
  /// - Complexity: as `matchCount`.
  package func matchNumber(ofRow row: Int) -> Int? {
    search.number(ofRow: sourceRow(of: row), among: timeline?.filtered?.shown)
  }

  /// The next shown row with a match; see ``PostSearch/Match``.
  ///
  /// - Parameter includesIt: whether `row` itself may be the match.
  package func match(
    from row: Int, including includesIt: Bool, _ direction: PostSearch.Direction
  ) -> PostSearch.Match {
    let found = search.match(from: sourceRow(of: row), including: includesIt, direction) {
      [filtered = timeline?.filtered] in filtered?.row(ofBase: $0) != nil || filtered == nil
    }
    guard case .row(let row, let wrapped) = found, let shown = self.row(ofSource: row) else {
      return found
    }
    return .row(shown, wrapped: wrapped)
  }
}
