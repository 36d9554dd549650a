import Library

/// A bit set of items, indexed by their keys.
struct ItemSet: Sendable {
  private var members = RowSet()

  /// Keys from here on are never stored: a library that has assigned 2²⁸ keys is damaged, and its
  /// bits could fill the memory.
  private static let limit = 1 << 28

  init() {}

  /// - Complexity: O(n) in the items.
  init(_ items: ItemRanges) { insert(items) }

  var count: Int { members.count }

  /// - Complexity: O(1)
  func contains(_ item: ItemID) -> Bool { members.contains(Int(item.rawValue)) }

  /// - Returns: whether it was inserted; false for a member, or if its key cannot be stored.
  @discardableResult mutating func insert(_ item: ItemID) -> Bool {
    guard item.rawValue >= 0, item.rawValue < Self.limit, !contains(item) else { return false }
    members.insert(Int(item.rawValue))
    return true
  }

  /// - Returns: whether it was a member before.
  @discardableResult mutating func remove(_ item: ItemID) -> Bool {
    guard contains(item) else { return false }
    members.remove(Int(item.rawValue))
    return true
  }

  mutating func insert(_ items: ItemRanges) {
    for range in items.ranges.compactMap(Self.rows) { members.insert(range) }
  }

  mutating func remove(_ items: ItemRanges) {
    for range in items.ranges.compactMap(Self.rows) { members.remove(range) }
  }

  /// The keys that can be stored; `nil` if there are none.
  private static func rows(of keys: ClosedRange<Int64>) -> Range<Int>? {
    guard keys.upperBound >= 0, keys.lowerBound < limit else { return nil }
    return Int(max(0, keys.lowerBound))..<Int(min(keys.upperBound, Int64(limit) - 1)) + 1
  }

  /// - Complexity: O(keys / 64 + ranges)
  var ranges: ItemRanges {
    var ranges = ItemRanges()
    for range in members.ranges {
      ranges.append(Int64(range.lowerBound)...Int64(range.upperBound) - 1)
    }
    return ranges
  }
}
