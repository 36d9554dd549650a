/// Measuring while nothing else is to do, so that the scroll bar and the next page are right before
/// anybody asks. Its rules:
///
/// 1. First rows outward from the viewport, as far as `idleReach` on either side; then samples
///    spread over the whole list, `idleSamples` of them at most.
/// 2. The samples are stratified: the k-th stands at the k-th number of van der Corput's sequence
///    (1935), so that after any power of two of them every part of the list has had its share.
/// 3. No line on the screen moves, and nothing happens during a drag.
extension ListModel {
  /// Rows on either side of the viewport that idle measuring covers.
  public static let idleReach = 512
  /// Samples of the whole list that idle measuring takes.
  public static let idleSamples = 1024
  /// Rows looked at for one row measured: most may be measured already.
  private static let looksPerRow = 32

  /// Measures at most `budget` rows that do not show.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult
  public func measureIdleRows(budget: Int, in environment: some ListEnvironment) -> Bool {
    guard !isDragging, count > 0, viewportHeight > 0 else { return false }
    if idle.topRow != top.row { (idle.topRow, idle.distance) = (top.row, 0) }
    var measured = 0
    var looks = max(1, budget) * Self.looksPerRow
    while measured < budget, looks > 0, let row = nextIdleRow() {
      looks -= 1
      guard tree.measuredHeight(ofRow: row) == nil else { continue }
      measuredHeight(ofRow: row, in: environment)
      measured += 1
    }
    if measured > 0 { updateEnds() }
    tree.estimates.renew()
    return hasIdleRows || tree.estimates.hasNews
  }

  private var hasIdleRows: Bool {
    idle.distance < 2 * min(Self.idleReach, count)
      || idle.samples < min(Self.idleSamples, count)
  }

  /// The next row to look at: below, above, below …, then samples.
  private func nextIdleRow() -> Int? {
    let low = visible.first?.row ?? top.row
    let high = visible.last?.row ?? top.row
    while idle.distance < 2 * min(Self.idleReach, count) {
      let step = idle.distance / 2 + 1
      let row = idle.distance % 2 == 0 ? high + step : low - step
      idle.distance += 1
      if row >= 0, row < count { return row }
    }
    guard idle.samples < min(Self.idleSamples, count) else { return nil }
    idle.samples += 1
    // The bits of the number in reverse, as a fraction of 2³².
    var bits = UInt32(truncatingIfNeeded: idle.samples)
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed << 1 | bits & 1
      bits >>= 1
    }
    return Int((UInt64(reversed) &* UInt64(count)) >> 32)
  }
}

/// How far idle measuring has come.
struct IdleProgress: Sendable {
  /// The top row that `distance` was counted for.
  var topRow = -1
  /// Rows looked at around the viewport, above and below in turn.
  var distance = 0
  /// Samples taken of the whole list.
  var samples = 0
}
