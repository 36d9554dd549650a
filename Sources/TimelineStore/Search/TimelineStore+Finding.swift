import TextLayout

/// Numbers of shown rows and rows of the source, and searching.
extension TimelineStore {
  /// Converts a shown row to its row in the source, and back; `nil` if the row is not shown.
  public func sourceRow(of row: Int) -> Int { timeline?.sourceRow(of: row) ?? row }
  public func row(ofSource row: Int) -> Int? { timeline?.row(ofSource: row) }

  /// The shown row nearest to a row of the source: that row, the first below, or the last above it.
  public func nearestRow(toSource row: Int) -> Int? { timeline?.nearestRow(toSource: row) }

  /// The number of posts in the source, including those that do not match the filter.
  public var sourceCount: Int { timeline?.posts.count ?? 0 }

  // MARK: Searching

  /// Searches all posts for `needle`, beginning at a shown row.
  public func search(for needle: TextNeedle, from row: Int, _ direction: PostSearch.Direction) {
    search.begin(needle, from: sourceRow(of: row), direction)
  }

  /// The number of shown rows that are known to match, and whether there are no others.
  ///
  /// - Complexity: O(rows / 64) with a filter.
  public var matchCount: (count: Int, isAll: Bool) {
    guard let filtered = timeline?.filtered else { return search.found }
    return (search.count(among: filtered.shown), search.found.isAll && filtered.isComplete)
  }

  /// The number of a row among the shown rows that match, from 1; `nil` if it does not match.
  ///
  /// - Complexity: as `matchCount`.
  public func matchNumber(ofRow row: Int) -> Int? {
    search.number(ofRow: sourceRow(of: row), among: timeline?.filtered?.shown)
  }

  /// The next shown row with a match; see ``PostSearch/Match``.
  ///
  /// - Parameter includesIt: whether `row` itself may be the match.
  public func match(
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
