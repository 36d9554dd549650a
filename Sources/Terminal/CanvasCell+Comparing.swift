import Glibc

extension CanvasCell {
  /// Whether `count` cells of both buffers, from these indices on, are the same.
  ///
  /// A frame compares every row with the one before it, often without finding a difference, so cells
  /// are compared by their bytes, of which a cell has none that mean nothing.
  ///
  /// - Precondition: both ranges lie inside their buffers.
  /// - Complexity: O(count).
  static func areEqual(
    _ a: UnsafeBufferPointer<CanvasCell>, at i: Int, _ b: UnsafeBufferPointer<CanvasCell>,
    at j: Int, count: Int
  ) -> Bool {
    precondition(i >= 0 && j >= 0 && i + count <= a.count && j + count <= b.count)
    guard hasNoGaps, let first = a.baseAddress, let second = b.baseAddress else {
      return (0..<count).allSatisfy { a[i + $0] == b[j + $0] }
    }
    return memcmp(first + i, second + j, count * MemoryLayout<CanvasCell>.stride) == 0
  }

  private static var hasNoGaps: Bool {
    MemoryLayout<CanvasCell>.size == MemoryLayout<CanvasCell>.stride
      && MemoryLayout<CanvasCell>.stride == 32
  }
}
