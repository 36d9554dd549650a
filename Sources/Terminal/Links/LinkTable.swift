import System

/// The link groups in use, found by the numbers of their links.
struct LinkTable {
  /// Sorted by their first numbers.
  private var groups: [(first: UInt32, addresses: [String])] = []
  private var next: UInt32

  /// - Parameter next: the number to assign next, at least 1.
  init(next: UInt32 = 1) { self.next = next }

  /// Assigns consecutive numbers to the links of a text, at least one even if it has none, and
  /// returns the first.
  ///
  /// - Complexity: O(log n) in the groups, amortised, until numbers are used again; then O(n).
  mutating func add(_ addresses: [String]) -> UInt32 {
    let count = UInt32(max(1, addresses.count))
    var place = groups.count
    if next > CanvasCell.maximumLink - count {
      next = 1
      place = 0
    } else if let before = groups.last, before.first >= next {
      place = index(upTo: next).map { $0 + 1 } ?? 0
    }
    // Skips numbers that are still in use.
    while place < groups.count, groups[place].first < next + count {
      next = groups[place].first + UInt32(max(1, groups[place].addresses.count))
      place += 1
    }
    let number = next
    next += count
    groups.insert((number, addresses), at: place)
    return number
  }

  mutating func remove(_ first: UInt32) {
    guard let index = index(upTo: first), groups[index].first == first else { return }
    groups.remove(at: index)
  }

  func address(of number: UInt32) -> String? {
    guard let index = index(upTo: number) else { return nil }
    let place = Int(number - groups[index].first)
    return groups[index].addresses.indices.contains(place) ? groups[index].addresses[place] : nil
  }

  /// The index of the last group that begins at or before `number`.
  private func index(upTo number: UInt32) -> Int? {
    let count = groups.partitionPoint { $0.first <= number }
    return count > 0 ? count - 1 : nil
  }
}
