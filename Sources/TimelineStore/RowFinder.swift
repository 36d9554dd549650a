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

  /// The first of `rows` that `new` still has: its number in `old` and in `new`. `selected` is where
  /// the row of that number is now or, where it has gone, the next of `rows` that is still there,
  /// else the last before it.
  /// - Complexity: O(rows looked at)
  static func place(
    of rows: Range<Int>, selected: Int? = nil, of old: any PostSource, in new: any PostSource
  ) -> (old: Int, new: Int, selected: Int?)? {
    let rows = rows.clamped(to: 0..<old.count)
    guard !rows.isEmpty, new.count > 0 else { return nil }
    var wanted: [PostKey: Int] = [:]
    for row in rows.reversed() where !old.isPhantom(row) {
      wanted[PostKey(old.post(at: row))] = row
    }
    let shift = new.count - old.count
    let places = [rows, rows.lowerBound + shift..<rows.upperBound + shift]
    let near = places.map { $0.lowerBound - reach / 2..<$0.upperBound + reach / 2 }
    var first: (old: Int, new: Int)?
    var found: [Int: Int] = [:]
    for range in places + near + [0..<reach] {
      let here = find(wanted, in: range.clamped(to: 0..<new.count), of: new)
      found.merge(here) { known, _ in known }
      if first == nil { first = here.min { $0.key < $1.key }.map { ($0.key, $0.value) } }
      if first != nil, selected.map({ found[$0] != nil }) ?? true { break }
    }
    guard let first else { return nil }
    let survivor = selected.flatMap { selected in
      found.filter { $0.key >= selected }.min { $0.key < $1.key }
        ?? found.max { $0.key < $1.key }
    }
    return (first.old, first.new, survivor?.value)
  }

  /// Which of the rows wanted stand in `range`: their old numbers and the new ones.
  private static func find(
    _ wanted: [PostKey: Int], in range: Range<Int>, of source: any PostSource
  ) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for row in range where !source.isPhantom(row) {
      guard let old = wanted[PostKey(source.post(at: row))], found[old] == nil else { continue }
      found[old] = row
    }
    return found
  }
}
