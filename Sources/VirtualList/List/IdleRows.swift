/// The rows to measure while nothing else is to do, so that the scroll bar and the next page are
/// right before anybody asks. Its rules:
///
/// 1. First rows outward from the viewport, as far as `reach` on either side; then samples spread
///    over the whole list, `sampleLimit` of them at most.
/// 2. The samples are stratified: the k-th stands at the k-th number of van der Corput's sequence
///    (1935), so that after any power of two of them every part of the list has had its share.
struct IdleRows: Sendable {
  /// Rows on either side of the viewport.
  static let reach = 512
  /// Samples of the whole list.
  static let sampleLimit = 1024
  /// Rows looked at for one that is found: most may be measured already.
  private static let looksPerRow = 32

  /// The top row that `distance` was counted for.
  private var topRow = -1
  /// Rows looked at around the viewport, above and below in turn.
  private var distance = 0
  /// Samples taken of the whole list.
  private var samples = 0

  /// Starts over around the viewport where another row is at the top.
  mutating func begin(atTopRow row: Int) {
    if topRow != row { (topRow, distance) = (row, 0) }
  }

  /// Whether there are more among `count` rows.
  func hasMore(of count: Int) -> Bool {
    distance < 2 * min(Self.reach, count) || samples < min(Self.sampleLimit, count)
  }

  /// The next rows of `count` that are wanted, at most `budget` of them.
  mutating func next(
    _ budget: Int, around shown: ClosedRange<Int>, of count: Int, where isWanted: (Int) -> Bool
  ) -> [Int] {
    var rows: [Int] = []
    var looks = max(1, budget) * Self.looksPerRow
    while rows.count < budget, looks > 0, let row = next(around: shown, of: count) {
      looks -= 1
      // A sample may be one of the rows around the viewport.
      if isWanted(row), !rows.contains(row) { rows.append(row) }
    }
    return rows
  }

  /// The next of `count` rows to look at: below what shows, above, below …, then samples.
  private mutating func next(around shown: ClosedRange<Int>, of count: Int) -> Int? {
    while distance < 2 * min(Self.reach, count) {
      let step = distance / 2 + 1
      let row = distance % 2 == 0 ? shown.upperBound + step : shown.lowerBound - step
      distance += 1
      if row >= 0, row < count { return row }
    }
    guard samples < min(Self.sampleLimit, count) else { return nil }
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
