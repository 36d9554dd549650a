import Library
import VirtualList

/// The items of a timeline as rows: 16 bytes each, newest first.
///
/// 1. Rows are in the order of `ItemPlace`, without repetition.
/// 2. Until `isComplete`, older items follow; items that belong behind the last row come with them.
struct LibraryRows: Sendable {
  private(set) var places: [ItemPlace] = []
  private(set) var isComplete = false

  init() {}

  init(_ places: [ItemPlace], isComplete: Bool) {
    (self.places, self.isComplete) = (places, isComplete)
  }

  var count: Int { places.count }

  /// Appends the next older items.
  ///
  /// - Returns: the new rows.
  mutating func append(_ more: [ItemPlace], isLast: Bool) -> Range<Int> {
    let start = places.count
    let rest = places.last.map { last in more.drop { $0 <= last } } ?? more[...]
    places += rest
    isComplete = isLast
    return start..<places.count
  }

  /// The row of a place; if it has none, the row before which it is inserted.
  ///
  /// - Complexity: O(log n) in the rows
  func position(of place: ItemPlace) -> (row: Int, isThere: Bool) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return (low, low < places.count && places[low] == place)
  }

  /// Inserts items in their places, except those that are there or come later.
  ///
  /// - Returns: their rows by the new numbers.
  /// - Complexity: O(k log k + n)
  mutating func insert(_ new: [ItemPlace]) -> [Range<Int>] {
    let last = isComplete ? nil : places.last
    let new = new.filter { place in
      !position(of: place).isThere && last.map { place < $0 } ?? isComplete
    }.sorted()
    guard !new.isEmpty else { return [] }
    var merged: [ItemPlace] = []
    merged.reserveCapacity(places.count + new.count)
    var rows: [Range<Int>] = []
    var old = 0
    for place in new {
      let row = position(of: place).row
      merged += places[old..<row]
      old = row
      // Two feeds of one address may name an item twice.
      if merged.last == place { continue }
      Self.add(merged.count, to: &rows)
      merged.append(place)
    }
    merged += places[old...]
    places = merged
    return rows
  }

  /// Replaces all rows by those of the library now.
  ///
  /// - Returns: the rows that were deleted, by their old numbers, and inserted, by the new ones.
  /// - Complexity: O(n) in both.
  mutating func replace(
    with all: [ItemPlace]
  ) -> (deletions: [Range<Int>], insertions: [Range<Int>]) {
    var deletions: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var (old, new) = (0, 0)
    while old < places.count || new < all.count {
      if new == all.count || (old < places.count && places[old] < all[new]) {
        Self.add(old, to: &deletions)
        old += 1
      } else if old == places.count || all[new] < places[old] {
        Self.add(new, to: &insertions)
        new += 1
      } else {
        old += 1
        new += 1
      }
    }
    (places, isComplete) = (all, true)
    return (deletions, insertions)
  }

  private static func add(_ row: Int, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == row {
      ranges[ranges.count - 1] = last.lowerBound..<row + 1
    } else {
      ranges.append(row..<row + 1)
    }
  }

  /// The invariants that are broken. - Complexity: O(n)
  func brokenInvariants() -> [String] {
    zip(places, places.dropFirst()).enumerated().compactMap { row, pair in
      pair.0 < pair.1 ? nil : "row \(row + 1) does not follow row \(row)"
    }
  }
}
