extension BatchUpdates {
  /// The fewest deletions, insertions and moves that turn one order of rows into another.
  ///
  /// The rows that stay are the longest increasing subsequence of the common rows' old indices
  /// (Schensted 1961, by patience piles). Since identities are unique the result is exact, and no
  /// input makes it quadratic.
  /// - Parameter reloading: rows whose content has changed. As in UIKit, a row is not both moved
  ///   and reloaded: a moved one becomes a deletion and an insertion.
  /// - Throws: `ListUpdateError.duplicateID` if an identity occurs twice in one order.
  /// - Complexity: O(m + n log n) for m rows in total, n of them between the common prefix and
  ///   suffix. Both orders are indexed in dictionaries, which suits some thousand rows, not ten
  ///   million.
  public init(
    from old: [RowID], to new: [RowID], reloading: Set<RowID> = []
  ) throws(ListUpdateError) {
    self.init()
    let oldRows = try Self.index(old)
    let newRows = try Self.index(new)
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    { end += 1 }

    let common = (start..<new.count - end).compactMap { row in
      oldRows[new[row]].map { (old: $0, new: row) }
    }
    let staying = Self.longestIncreasing(common.map(\.old))
    for row in start..<old.count - end where newRows[old[row]] == nil {
      delete(row..<row + 1)
    }
    for row in start..<new.count - end where oldRows[new[row]] == nil {
      insert(row..<row + 1)
    }
    for (pair, stays) in zip(common, staying) where !stays {
      if reloading.contains(old[pair.old]) {
        delete(pair.old..<pair.old + 1)
        insert(pair.new..<pair.new + 1)
      } else {
        move(from: pair.old, to: pair.new)
      }
    }
    guard !reloading.isEmpty else { return }
    for row in old.indices where row < start || row >= old.count - end {
      if reloading.contains(old[row]) { reload(row) }
    }
    for (pair, stays) in zip(common, staying) where stays && reloading.contains(old[pair.old]) {
      reload(pair.old)
    }
  }

  private static func index(_ ids: [RowID]) throws(ListUpdateError) -> [RowID: Int] {
    var rows: [RowID: Int] = Dictionary(minimumCapacity: ids.count)
    for (row, id) in ids.enumerated() {
      if let first = rows.updateValue(row, forKey: id) {
        throw .duplicateID(id, first: first, second: row)
      }
    }
    return rows
  }

  /// Whether each of some distinct values is in their longest increasing subsequence.
  private static func longestIncreasing(_ values: [Int]) -> [Bool] {
    // The index of the top card of each pile, and of each card's predecessor in the pile before.
    var tops: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tops[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tops[low - 1] }
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var isIn = Array(repeating: false, count: values.count)
    var next = tops.last ?? -1
    while next >= 0 {
      isIn[next] = true
      next = previous[next]
    }
    return isIn
  }
}
