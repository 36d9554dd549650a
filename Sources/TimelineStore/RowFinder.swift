/// Finds the visible rows again after a source was reopened.
///
/// Sources may be too long to be compared as a whole. So rows are looked for by the identities of
/// their posts at the most probable places: at their old numbers; at their old distance from the
/// end, in case rows were inserted above; near both; and then among the first rows.
@MainActor enum RowFinder {
  /// The number of rows examined around a place, and of first rows.
  static let reach = 256

  /// The topmost of `rows` in the first range in which any is found, as its row in `old` and in
  /// `new`, and the new row of the selection. If the selected row is not found, the next one of
  /// `rows` that is found is selected, else the last one before it.
  /// - Complexity: O(rows examined)
  static func place(
    of rows: Range<Int>, selected: Int? = nil, of old: any PostSource, in new: any PostSource
  ) -> (old: Int, new: Int, selected: Int?)? {
    let rows = rows.clamped(to: 0..<old.count)
    guard !rows.isEmpty, new.count > 0 else { return nil }
    var wanted: [PostIdentity: Int] = [:]
    let fileRows = old.capabilities.fileRows
    for row in rows.reversed() where fileRows?.isStaleGuess(row) != true {
      wanted[PostIdentity(old.post(at: row))] = row
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

  /// The wanted rows in `range`, as a map from old numbers to new ones.
  private static func find(
    _ wanted: [PostIdentity: Int], in range: Range<Int>, of source: any PostSource
  ) -> [Int: Int] {
    var found: [Int: Int] = [:]
    let fileRows = source.capabilities.fileRows
    for row in range where fileRows?.isStaleGuess(row) != true {
      guard let old = wanted[PostIdentity(source.post(at: row))], found[old] == nil else {
        continue
      }
      found[old] = row
    }
    return found
  }
}
