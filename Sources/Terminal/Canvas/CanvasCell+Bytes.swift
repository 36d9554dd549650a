import System

extension CanvasCell {
  /// Whether `count` cells of both buffers, from these indices on, are equal.
  ///
  /// A frame compares every row with the previous one, often without finding a difference, so cells
  /// are compared by their bytes, none of which is padding.
  ///
  /// - Precondition: both ranges lie inside their buffers.
  /// - Complexity: O(count).
  static func areEqual(
    _ a: UnsafeBufferPointer<CanvasCell>, at i: Int, _ b: UnsafeBufferPointer<CanvasCell>,
    at j: Int, count: Int
  ) -> Bool {
    precondition(i >= 0 && j >= 0 && i + count <= a.count && j + count <= b.count)
    guard let first = a.baseAddress, let second = b.baseAddress else { return count == 0 }
    return memcmp(first + i, second + j, count * MemoryLayout<CanvasCell>.stride) == 0
  }
}

extension UnsafeBufferPointer<CanvasCell> {
  /// The number of cells compared at once while all are equal.
  private static var block: Int { 16 }

  /// The first column in which this row differs from another; `count` if there is none.
  ///
  /// - Precondition: both rows have the same length.
  /// - Complexity: O(count).
  func firstDifference(from other: UnsafeBufferPointer<CanvasCell>) -> Int {
    var first = 0
    while count - first > Self.block,
      CanvasCell.areEqual(self, at: first, other, at: first, count: Self.block)
    {
      first += Self.block
    }
    while first < count, self[first] == other[first] { first += 1 }
    return first
  }

  /// The columns of a row from the first that differs from `old` to the last, with whole wide
  /// characters; empty if there is none.
  ///
  /// - Precondition: both rows have the same length.
  /// - Complexity: O(count).
  func changedColumns(since old: UnsafeBufferPointer<CanvasCell>) -> Range<Int> {
    var first = firstDifference(from: old)
    guard first < count else { return 0..<0 }
    var end = count
    while end - first > Self.block,
      CanvasCell.areEqual(
        self, at: end - Self.block, old, at: end - Self.block, count: Self.block)
    {
      end -= Self.block
    }
    while end > first, self[end - 1] == old[end - 1] { end -= 1 }
    // A character is written from its first column on.
    while first > 0, self[first].width == 0 || old[first].width == 0 { first -= 1 }
    while end < count, self[end].width == 0 || old[end].width == 0 { end += 1 }
    return first..<end
  }
}
