/// Finds the rows that the reader looks at again when a source was reopened and its rows are
/// others.
///
/// A source of any length cannot be compared with another. So rows are looked for by their posts'
/// keys where they are most likely: where they were, as far from the end as they were, as it is
/// when rows came on top, and near both, then among the first. That reads `reach` rows at most
/// around each place.
@MainActor enum RowFinder {
  /// Rows looked at around a place.
  static let reach = 256

  /// The first of `rows` that `new` still has: its number in `old` and in `new`.
  /// - Complexity: O(rows looked at)
  static func place(
    of rows: Range<Int>, of old: any PostSource, in new: any PostSource
  ) -> (old: Int, new: Int)? {
    let rows = rows.clamped(to: 0..<old.count)
    guard !rows.isEmpty, new.count > 0 else { return nil }
    var wanted: [PostKey: Int] = [:]
    for row in rows.reversed() where !old.isPhantom(row) {
      wanted[PostKey(old.post(at: row))] = row
    }
    let shift = new.count - old.count
    let places = [rows, rows.lowerBound + shift..<rows.upperBound + shift]
    let near = places.map { $0.lowerBound - reach / 2..<$0.upperBound + reach / 2 }
    for range in places + near + [0..<reach] {
      let found = find(wanted, in: range.clamped(to: 0..<new.count), of: new)
      if let found { return found }
    }
    return nil
  }

  private static func find(
    _ wanted: [PostKey: Int], in range: Range<Int>, of source: any PostSource
  ) -> (old: Int, new: Int)? {
    var first: (old: Int, new: Int)?
    for row in range where !source.isPhantom(row) {
      guard let old = wanted[PostKey(source.post(at: row))], old < first?.old ?? .max else {
        continue
      }
      first = (old, row)
    }
    return first
  }
}
