/// Estimates the heights of unmeasured rows as a + b · text for each kind of row. Its rules:
///
/// 1. Over all rows learned from, the mean of the estimates is the mean of the measured heights,
///    pulled towards `estimatedRowHeight` while few rows are known (shrinkage: the prior counts as
///    `priorWeight` rows). If the text of a kind is unknown, b is 0 and the estimate is that mean.
/// 2. b is the slope of the regression of heights on text. While few rows are known it is pulled
///    towards one line of height per line of text, or less if rows are lower than that: text may be
///    known only in proportion, as by the bytes of a file. The prior weighs as much as
///    `priorWeight` rows whose texts deviate by half the usual text.
/// 3. b is never below 0, and never so large that a run with the least text per row would have no
///    height. a may be below 0, for instance if text is counted in bytes of which some show
///    nothing.
/// 4. Learning is immediate, its effect is not: `commit()` moves the a and b in use a quarter of
///    the way, so that the scroll bar glides. The first commit goes all the way, since nothing was
///    shown before it. While frozen, as during a drag, it moves nothing.
/// 5. A change of width scales the samples of each learned kind by old width / new width, only what
///    is due to text if b is above 0. It lets them count for at most `earlierWeight` rows, and
///    estimates a and b again.
/// 6. Estimates are computed in fixed point with `fractionBits` fraction bits, so that sums are
///    exact.
/// 7. If all rows have one height (`init(exactRowHeight:)`), that is the estimate of every row, and
///    nothing is learned.
package struct HeightEstimates: Sendable {
  /// The number of estimate classes; a row's kind is in `0..<16`.
  package static let kindCount = 16
  /// Fraction bits of fixed-point lines.
  static let fractionBits: Int64 = 16
  /// The weight of `estimatedRowHeight`, in rows.
  static let priorWeight: Int64 = 4
  /// The weight of the prior that stale heights still hold, in lines.
  static let stalePrior: Int64 = 64
  /// The most rows that the samples of an earlier width count for.
  static let earlierWeight: Int64 = 16

  /// The estimate of a row before anything is learned, in lines. `4` by default; at least 1.
  var estimatedRowHeight: Int {
    didSet {
      estimatedRowHeight = max(1, estimatedRowHeight)
      hasNews = true
    }
  }
  /// While true (during a drag), `commit()` changes nothing.
  var isFrozen = false

  /// Cells in one unit of text length.
  static let lengthUnit = 16

  /// The samples of a kind, and its estimate in use.
  private struct Kind {
    /// The rows learned from, and the sum of their heights in lines.
    var count: Int64 = 0
    var sum: Int64 = 0
    /// The mean text in units, the sum of squared deviations from it, and the sum of the products
    /// of those with the deviations of the heights.
    var length = 0.0
    var squares = 0.0
    var products = 0.0
    /// The least text per row of any run, in units. It only decreases until `forgetRuns()`.
    var lowest = Int32.max
    /// a, the estimate of a row without text, in fixed-point lines.
    var base: Int64
    /// b, the height of a unit of text, in fixed-point lines.
    var slope: Int64 = 0
  }

  /// An array, so that this struct stays small: seeking rows copies it.
  private var kinds: [Kind]
  /// The sums, in lines, of the estimates of rows with stale heights, and of their heights when
  /// they were measured again.
  private var staleEstimated: Int64 = 0
  private var staleMeasured: Int64 = 0
  /// Whether a commit would change the estimates.
  private(set) var hasNews = false
  private var hasShown = false
  /// Whether every estimate is the height of every row; rule 7.
  private let isExact: Bool

  /// Columns that text is wrapped to; 0 until the first `rescale`.
  private var width = 0

  /// The factor for stale heights, in fixed point.
  private(set) var staleRatio: Int64 = 1 << fractionBits

  /// Creates estimates that have learned nothing.
  init(estimatedRowHeight: Int = 4) {
    self.estimatedRowHeight = max(1, estimatedRowHeight)
    let base = Int64(max(1, estimatedRowHeight)) << Self.fractionBits
    kinds = Array(repeating: Kind(base: base), count: Self.kindCount)
    isExact = false
  }

  /// Creates estimates for rows that all have this height in lines, at least 1.
  init(exactRowHeight height: Int) {
    estimatedRowHeight = max(1, height)
    let base = Int64(max(1, height)) << Self.fractionBits
    kinds = Array(repeating: Kind(base: base), count: Self.kindCount)
    isExact = true
  }

  /// Converts cells of text to units, rounded. - Complexity: O(1)
  static func units(ofCells cells: Int) -> Int { (max(0, cells) + lengthUnit / 2) / lengthUnit }

  /// The mean text of a row of a kind, in units; 0 if unknown.
  func typicalLength(ofKind kind: Int) -> Double { kinds[kind].length }

  /// The estimate of a row of a kind without text, in fixed-point lines.
  @inline(__always)
  func base(ofKind kind: Int) -> Int64 { kinds[kind].base }

  /// The estimated height of a unit of text of a kind, in fixed-point lines.
  @inline(__always)
  func slope(ofKind kind: Int) -> Int64 { kinds[kind].slope }

  /// The least text per row of any run of a kind, in units.
  func lowestLength(ofKind kind: Int) -> Int32 {
    kinds[kind].lowest == .max ? 0 : kinds[kind].lowest
  }

  /// Registers a run of `rows` rows with `length` units of text. Estimates in use that would give
  /// such a run no height are replaced at once.
  mutating func admit(length: Int32, rows: Int, kind: Int) {
    let least = Int32(Int(length) / max(1, rows))
    guard least < kinds[kind].lowest else { return }
    kinds[kind].lowest = least
    if kinds[kind].base + kinds[kind].slope * Int64(least) <= 0 {
      (kinds[kind].base, kinds[kind].slope) = learned(kind)
    }
  }

  /// Forgets the least text of all runs.
  mutating func forgetRuns() {
    for kind in kinds.indices { kinds[kind].lowest = .max }
  }

  /// The estimate of a row of a kind with the mean text, in lines. Changes with samples and
  /// commits.
  package func mean(ofKind kind: Int) -> Double {
    (Double(kinds[kind].base) + Double(kinds[kind].slope) * kinds[kind].length) / Self.one
  }

  private static let one = Double(Int64(1) << fractionBits)

  /// Learns that a row of `kind` is `height` lines high and has `length` units of text; `nil` if
  /// its text is unknown.
  mutating func learn(height: Int, length: Double? = nil, kind: Int) {
    guard !isExact else { return }
    var sample = kinds[kind]
    sample.count += 1
    sample.sum += Int64(height)
    // Welford (1962).
    let deviation = (length ?? sample.length) - sample.length
    sample.length += deviation / Double(sample.count)
    if let length { sample.squares += deviation * (length - sample.length) }
    sample.products +=
      deviation * (Double(height) - Double(sample.sum) / Double(sample.count))
    kinds[kind] = sample
    hasNews = true
  }

  /// Corrects the height of a row that was learned before by `delta` lines.
  mutating func learn(change delta: Int, kind: Int) {
    guard !isExact, kinds[kind].count > 0 else { return }
    kinds[kind].sum = max(0, kinds[kind].sum + Int64(delta))
    hasNews = true
  }

  /// Learns that a row with the stale estimate `estimate` is `height` lines high.
  mutating func learn(stale estimate: Int, height: Int) {
    guard !isExact else { return }
    staleEstimated += Int64(estimate)
    staleMeasured += Int64(height)
    hasNews = true
  }

  /// Moves the estimates in use towards those learned and returns whether any changed. Without news
  /// it does nothing, so that an idle frame changes nothing.
  /// - Complexity: O(kinds)
  @discardableResult
  mutating func commit() -> Bool {
    guard hasNews, !isFrozen, !isExact else { return false }
    var hasChanged = false
    func ease(_ value: inout Int64, towards target: Int64) {
      let next = hasShown ? Self.step(value, towards: target) : target
      hasChanged = hasChanged || next != value
      value = next
    }
    for kind in 0..<Self.kindCount {
      let (base, slope) = learned(kind)
      ease(&kinds[kind].base, towards: base)
      ease(&kinds[kind].slope, towards: slope)
    }
    let ratio =
      ((staleMeasured + Self.stalePrior) << Self.fractionBits)
      / max(1, staleEstimated + Self.stalePrior)
    ease(&staleRatio, towards: ratio)
    hasNews = false
    hasShown = true
    return hasChanged
  }

  /// Lets the next commit continue if the last one stopped short of what was learned about a kind.
  /// - Complexity: O(kinds)
  mutating func refresh() {
    guard hasShown, !hasNews else { return }
    hasNews = (0..<Self.kindCount).contains {
      kinds[$0].count > 0 && (kinds[$0].base, kinds[$0].slope) != learned($0)
    }
  }

  /// Sets the width that text is wrapped to: samples are kept, scaled, with little weight.
  mutating func rescale(to newWidth: Int) {
    defer { width = newWidth }
    guard width > 0, newWidth != width else { return }
    let scale = Double(width) / Double(newWidth)
    for kind in 0..<Self.kindCount where kinds[kind].count > 0 {
      var sample = kinds[kind]
      let weight = min(sample.count, Self.earlierWeight)
      let (base, slope) = learned(kind)
      let text = Double(slope) * sample.length
      // Only text wraps; if no text is known, the whole height scales.
      let mean = slope > 0 ? Double(base) + text * scale : Double(base) * scale
      // Chosen so that rule 1 yields this mean.
      let prior = Int64(estimatedRowHeight) * Self.priorWeight
      let sum = Int64(max(1, mean / Self.one) * Double(weight + Self.priorWeight))
      sample.sum = max(0, sum - prior)
      let share = Double(weight) / Double(sample.count)
      sample.squares *= share
      sample.products *= share * scale
      sample.count = weight
      kinds[kind] = sample
    }
    width = newWidth
    for kind in 0..<Self.kindCount where kinds[kind].count > 0 {
      (kinds[kind].base, kinds[kind].slope) = learned(kind)
    }
    staleEstimated = 0
    staleMeasured = 0
    staleRatio = 1 << Self.fractionBits
  }

  /// a and b by rules 1 to 3.
  private func learned(_ kind: Int) -> (base: Int64, slope: Int64) {
    let sample = kinds[kind]
    let prior = Int64(estimatedRowHeight) * Self.priorWeight
    let mean = ((prior + sample.sum) << Self.fractionBits) / (Self.priorWeight + sample.count)
    guard sample.length > 0, sample.count > 0, width > 0 else { return (mean, 0) }
    let lines = Double(mean) / Self.one
    let usual = min(Double(Self.lengthUnit) / Double(width), lines / sample.length)
    let pull = Double(Self.priorWeight) * sample.length * sample.length / 4
    let slope = (pull * usual + sample.products) / (pull + sample.squares)
    let spread = max(sample.length / 64, sample.length - Double(lowestLength(ofKind: kind)))
    let fixed = Int64(min(max(0, slope), lines * 0.95 / spread) * Self.one)
    return (mean - Int64(Double(fixed) * sample.length), fixed)
  }

  private static func step(_ value: Int64, towards target: Int64) -> Int64 {
    let distance = target - value
    return abs(distance) < 64 ? target : value + distance / 4
  }
}
