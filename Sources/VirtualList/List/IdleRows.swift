/// The rows to measure while nothing else is to do, so that the scroll bar and the next page are right
/// before anybody asks. Its rules:
///
/// 1. First rows outward from the viewport, as far as `ListModel.idleReach` on either side; then samples
///    spread over the whole list, `ListModel.idleSamples` of them at most.
/// 2. The samples are stratified: the k-th stands at the k-th number of van der Corput's sequence
///    (1935), so that after any power of two of them every part of the list has had its share.
struct IdleRows: Sendable {
  /// The top row that `distance` was counted for.
  private var topRow = -1
  /// Rows looked at around the viewport, above and below in turn.
  private var distance = 0
  /// Samples taken of the whole list.
  private var samples = 0

  /// Begins anew around the viewport where another row is at the top.
  mutating func begin(atTopRow row: Int) {
    if topRow != row { (topRow, distance) = (row, 0) }
  }

  /// Whether there are more among `count` rows.
  func hasMore(of count: Int) -> Bool {
    distance < 2 * min(ListModel.idleReach, count) || samples < min(ListModel.idleSamples, count)
  }

  /// The next of `count` rows to look at: below what shows, above, below …, then samples.
  mutating func next(around shown: ClosedRange<Int>, of count: Int) -> Int? {
    while distance < 2 * min(ListModel.idleReach, count) {
      let step = distance / 2 + 1
      let row = distance % 2 == 0 ? shown.upperBound + step : shown.lowerBound - step
      distance += 1
      if row >= 0, row < count { return row }
    }
    guard samples < min(ListModel.idleSamples, count) else { return nil }
    samples += 1
    // The bits of the number in reverse, as a fraction of 2³².
    var bits = UInt32(truncatingIfNeeded: samples)
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed << 1 | bits & 1
      bits >>= 1
    }
    return Int((UInt64(reversed) &* UInt64(count)) >> 32)
  }
}
