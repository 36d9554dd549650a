/// Chooses the rows to measure while idle, so that the scroll bar and the next page are right
/// before they are needed. Its rules:
///
/// 1. First come rows outward from the viewport, up to `reach` on either side; then samples spread
///    over the whole list, at most `sampleLimit`.
/// 2. The samples are stratified: the k-th is at the k-th number of van der Corput's sequence
///    (1935), so that any power of two of them covers all parts of the list equally.
struct IdleRows: Sendable {
  /// Rows on either side of the viewport.
  static let reach = 512
  /// Samples of the whole list.
  static let sampleLimit = 1024
  /// The most rows considered per row of the budget: most may be measured already.
  private static let looksPerRow = 32

  /// The top row that `distance` belongs to.
  private var topRow = -1
  /// Rows considered so far around the viewport, below and above in turn.
  private var distance = 0
  /// Samples taken so far of the whole list.
  private var samples = 0

  /// Starts over around the viewport if the top row has changed.
  mutating func begin(atTopRow row: Int) {
    if topRow != row { (topRow, distance) = (row, 0) }
  }

  /// Whether any of `count` rows are left to consider.
  func hasMore(of count: Int) -> Bool {
    distance < 2 * min(Self.reach, count) || samples < min(Self.sampleLimit, count)
  }

  /// The next wanted rows of `count`, at most `budget`.
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

  /// The next of `count` rows to consider: below the visible rows, above, below …, then samples.
  private mutating func next(around shown: ClosedRange<Int>, of count: Int) -> Int? {
    while distance < 2 * min(Self.reach, count) {
      let step = distance / 2 + 1
      let row = distance % 2 == 0 ? shown.upperBound + step : shown.lowerBound - step
      distance += 1
      if row >= 0, row < count { return row }
    }
    guard samples < min(Self.sampleLimit, count) else { return nil }
    samples += 1
    // The bits of the sample's number in reverse, as a fraction of 2³².
    var bits = UInt32(truncatingIfNeeded: samples)
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed << 1 | bits & 1
      bits >>= 1
    }
    return Int((UInt64(reversed) &* UInt64(count)) >> 32)
  }
}
