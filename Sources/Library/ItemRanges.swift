/// A set of items as ranges of their keys, ascending and apart from each other.
package struct ItemRanges: Hashable, Sendable {
  package private(set) var ranges: [ClosedRange<Int64>] = []

  package init() {}

  /// - Complexity: O(n log n); O(n) if they are ascending.
  package init(_ items: some Sequence<ItemID>) {
    var keys = items.map(\.rawValue)
    let isAscending = zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
    if !isAscending { keys.sort() }
    for key in keys { append(key...key) }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The number of items.
  ///
  /// - Complexity: O(n) in the ranges.
  package var count: Int { ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 } }

  /// Adds keys that do not begin before the last range.
  package mutating func append(_ range: ClosedRange<Int64>) {
    guard let last = ranges.last, range.lowerBound - 1 <= last.upperBound else {
      ranges.append(range)
      return
    }
    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }

  /// - Complexity: O(log n) in the ranges.
  package func contains(_ item: ItemID) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < item.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(item.rawValue)
  }

  /// The items, ascending.
  package var items: some Sequence<ItemID> { ranges.lazy.joined().lazy.map { ItemID($0) } }
}
