import TextLayout

/// Rows that are shown among all rows of the source, and searching these.
extension TimelineStore {
  /// The number in the source of a row that is shown, and the other way round: nil where it is not.
  public func sourceRow(of row: Int) -> Int { filtered?.baseRow(of: row) ?? row }
  public func row(ofSource row: Int) -> Int? {
    guard let filtered else { return row < count ? row : nil }
    return filtered.row(ofBase: row)
  }

  /// The row that is shown next to one of the source's: that one, the first below, or the last
  /// above it.
  public func nearestRow(toSource row: Int) -> Int? {
    guard let filtered else { return count > 0 ? max(0, min(row, count - 1)) : nil }
    return filtered.nearestRow(toBase: row)
  }

  /// Posts of the source, with those that do not fit.
  public var sourceCount: Int { posts?.count ?? 0 }

  // MARK: Searching

  /// Looks for `needle` in all posts from a row on that is shown.
  public func search(for needle: TextNeedle, from row: Int, _ direction: PostSearch.Direction) {
    search.begin(needle, from: sourceRow(of: row), direction)
  }

  /// Rows that are shown and have a match, as far as is known, and whether those are all.
  ///
  /// - Complexity: O(rows / 64) where a filter is on.
  public var matchCount: (count: Int, isAll: Bool) {
    guard let filtered else { return search.found }
    return (search.count(among: filtered.shown), search.found.isAll && filtered.isComplete)
  }

  /// The number of a row among those that are shown and have a match, from 1; nil where it has
  /// none.
  ///
  /// - Complexity: as `matchCount`.
  public func matchNumber(ofRow row: Int) -> Int? {
    search.number(ofRow: sourceRow(of: row), among: filtered?.shown)
  }

  /// The next row that is shown and has a match; see ``PostSearch/Match``.
  ///
  /// - Parameter includesIt: whether `row` itself may be it.
  public func match(
    from row: Int, including includesIt: Bool, _ direction: PostSearch.Direction
  ) -> PostSearch.Match {
    let found = search.match(from: sourceRow(of: row), including: includesIt, direction) {
      [filtered] in filtered?.row(ofBase: $0) != nil || filtered == nil
    }
    guard case .row(let row, let wrapped) = found, let shown = self.row(ofSource: row) else {
      return found
    }
    return .row(shown, wrapped: wrapped)
  }
}
