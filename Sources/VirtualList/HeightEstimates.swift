/// Guesses the heights of rows that nobody has measured: the mean of what was measured of the same
/// kind, drawn towards `estimatedRowHeight` while little is known (shrinkage: the estimate counts
/// as `priorWeight` rows).
///
/// Learning is immediate, showing is not: `commit()` moves the means in use a quarter of the way,
/// so that the scroll bar glides; the first commit arrives at once, since nothing was shown before
/// it. Numbers are fixed-point with `fractionBits` bits, so that sums are exact.
public struct HeightEstimates: Sendable {
  /// Estimate classes that rows may have: `0..<16`.
  public static let kindCount = 16
  /// Binary places of fixed-point lines.
  public static let fractionBits: Int64 = 16
  /// Rows that `estimatedRowHeight` counts for.
  static let priorWeight: Int64 = 4
  /// Lines that "a stale height holds" counts for, against what was measured anew.
  static let stalePrior: Int64 = 64
  /// Rows that the means of an earlier width count for.
  static let earlierWeight: Int64 = 16

  /// Lines a row is taken for while nothing is known. `4` by default; at least 1.
  public var estimatedRowHeight: Int {
    didSet {
      estimatedRowHeight = max(1, estimatedRowHeight)
      hasNews = true
    }
  }
  /// While true (during a drag), `commit()` changes nothing.
  public var isFrozen = false

  private var counts: SIMD16<Int64> = .zero
  private var sums: SIMD16<Int64> = .zero
  private var staleEstimated: Int64 = 0
  private var staleMeasured: Int64 = 0
  /// True where a commit would change something.
  private(set) var hasNews = false
  private var hasShown = false

  /// The means in use, fixed-point lines by kind.
  private(set) var means: SIMD16<Int64>
  /// What stale heights are multiplied by, fixed-point.
  private(set) var staleRatio: Int64 = 1 << fractionBits

  public init(estimatedRowHeight: Int = 4) {
    self.estimatedRowHeight = max(1, estimatedRowHeight)
    means = SIMD16(repeating: Int64(max(1, estimatedRowHeight)) << Self.fractionBits)
  }

  /// The mean in use of a kind, in lines. Grows with what is learned and committed.
  public func mean(ofKind kind: Int) -> Double {
    Double(means[kind]) / Double(Int64(1) << Self.fractionBits)
  }

  /// Rows that a kind's mean was learned from.
  public func sampleCount(ofKind kind: Int) -> Int { Int(counts[kind]) }

  /// A row of `kind` turned out `height` lines high.
  mutating func learn(height: Int, kind: Int) {
    counts[kind] += 1
    sums[kind] += Int64(height)
    hasNews = true
  }

  /// A row that had been learned changed its height by `delta` lines.
  mutating func learn(change delta: Int, kind: Int) {
    guard counts[kind] > 0 else { return }
    sums[kind] = max(0, sums[kind] + Int64(delta))
    hasNews = true
  }

  /// A row taken for `estimate` lines after a change of width turned out `height` lines high.
  mutating func learn(stale estimate: Int, height: Int) {
    staleEstimated += Int64(estimate)
    staleMeasured += Int64(height)
    hasNews = true
  }

  /// Takes over part of what was learned since the last commit; nothing where there is no news, so
  /// an idle frame is a fixed point.
  /// - Complexity: O(kinds)
  @discardableResult
  public mutating func commit() -> Bool {
    guard hasNews, !isFrozen else { return false }
    let before = (means, staleRatio)
    for kind in 0..<Self.kindCount {
      let target = learnedMean(kind)
      means[kind] = hasShown ? Self.step(means[kind], towards: target) : target
    }
    let ratio =
      ((staleMeasured + Self.stalePrior) << Self.fractionBits)
      / max(1, staleEstimated + Self.stalePrior)
    staleRatio = hasShown ? Self.step(staleRatio, towards: ratio) : ratio
    hasNews = false
    hasShown = true
    return before != (means, staleRatio)
  }

  /// Lets commits go on where the last one stopped short of what was learned.
  /// - Complexity: O(kinds)
  mutating func renew() {
    guard hasShown, !hasNews else { return }
    hasNews = (0..<Self.kindCount).contains { counts[$0] > 0 && means[$0] != learnedMean($0) }
  }

  /// Text is wrapped to another width: what was learned is kept, scaled, with little weight.
  mutating func rescale(from oldWidth: Int, to newWidth: Int) {
    for kind in 0..<Self.kindCount where counts[kind] > 0 {
      let weight = min(counts[kind], Self.earlierWeight)
      let scaled = sums[kind] * Int64(oldWidth) * weight / (counts[kind] * Int64(newWidth))
      sums[kind] = max(weight, scaled)
      counts[kind] = weight
      means[kind] = learnedMean(kind)
    }
    staleEstimated = 0
    staleMeasured = 0
    staleRatio = 1 << Self.fractionBits
  }

  private func learnedMean(_ kind: Int) -> Int64 {
    let prior = Int64(estimatedRowHeight) * Self.priorWeight
    return ((prior + sums[kind]) << Self.fractionBits) / (Self.priorWeight + counts[kind])
  }

  private static func step(_ value: Int64, towards target: Int64) -> Int64 {
    let distance = target - value
    return abs(distance) < 64 ? target : value + distance / 4
  }
}
