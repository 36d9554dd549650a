/// The new index of every row after a batch of updates.
public struct RowMapping: Sendable {
  /// The number of rows before the updates.
  public let oldCount: Int
  /// The number of rows after the updates.
  public let newCount: Int
  /// Old rows that were deleted or moved away, in order; no two ranges touch.
  let removed: [Range<Int>]
  /// New rows that were inserted or moved here, in order; no two ranges touch.
  let added: [Range<Int>]
  /// New indices of the moved rows by their old ones.
  let moves: [Int: Int]

  /// The new index of an old row; `nil` if it was deleted. - Complexity: O(ranges)
  public func newRow(forOld row: Int) -> Int? {
    if let target = moves[row] { return target }
    var result = row
    for range in removed {
      if range.contains(row) { return nil }
      guard range.lowerBound < row else { break }
      result -= range.count
    }
    for range in added {
      guard range.lowerBound <= result else { break }
      result += range.count
    }
    return result
  }

  /// The new index of the row that takes an old row's line: itself, else the next row after it that
  /// stayed, else the last one before it; `nil` if none of these stayed.
  /// - Complexity: O(ranges)
  public func survivor(ofOld row: Int) -> Int? {
    if let new = newRow(forOld: row) { return new }
    guard let gone = removed.first(where: { $0.contains(row) }) else { return nil }
    // Ranges that touch are merged, so the rows next to a range stayed.
    if gone.upperBound < oldCount { return newRow(forOld: gone.upperBound) }
    return gone.lowerBound > 0 ? newRow(forOld: gone.lowerBound - 1) : nil
  }

  /// The number of rows inserted at the very beginning.
  public var prependedCount: Int {
    guard let first = added.first, first.lowerBound == 0 else { return 0 }
    return first.count - moves.values.reduce(0) { $0 + (first.contains($1) ? 1 : 0) }
  }
}
