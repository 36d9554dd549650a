/// Estimates the heights of rows that nobody has measured: a + b · text for each kind of row. Its
/// rules:
///
/// 1. Over all rows learned from, the estimates' mean is the mean of what was measured, drawn
///    towards `estimatedRowHeight` while little is known (shrinkage: the estimate counts as
///    `priorWeight` rows). Of a kind whose text nobody knows that mean is all there is: b is 0.
/// 2. b is the slope of the regression of heights on text. While little is known it is drawn
///    towards a line a line, or less where rows are lower than their text would be then: text may
///    be known in proportion only, as by the bytes of a file. The pull is that of `priorWeight`
///    rows whose texts differ by half a usual text.
/// 3. b is never below 0, and never so large that a run of rows with as little text as any run has
///    would have no height. a may be below 0, as where all text is bytes and some of those are
///    none.
/// 4. Learning is immediate, showing is not: `commit()` moves a and b in use a quarter of the way,
///    so that the scroll bar glides; the first commit arrives at once, since nothing was shown
///    before it. While frozen, as during a drag, it moves nothing.
/// 5. A change of width multiplies b, and of a kind without text a, by how much narrower it got.
/// 6. What estimates are computed from is fixed-point with `fractionBits` bits, so that sums are
///    exact.
package struct HeightEstimates: Sendable {
  /// Estimate classes that rows may have: `0..<16`.
  package static let kindCount = 16
  /// Binary places of fixed-point lines.
  static let fractionBits: Int64 = 16
  /// Rows that `estimatedRowHeight` counts for.
  static let priorWeight: Int64 = 4
  /// Lines that "a stale height holds" counts for, against what was measured again.
  static let stalePrior: Int64 = 64
  /// Rows that the means of an earlier width count for.
  static let earlierWeight: Int64 = 16

  /// Lines a row is taken for while nothing is known. `4` by default; at least 1.
  var estimatedRowHeight: Int {
    didSet {
      estimatedRowHeight = max(1, estimatedRowHeight)
      hasNews = true
    }
  }
  /// While true (during a drag), `commit()` changes nothing.
  var isFrozen = false

  /// Cells of a unit in which text is counted.
  static let lengthUnit = 16

  /// What was learned of a kind, and what its rows are taken for.
  private struct Kind {
    /// Rows and their heights.
    var count: Int64 = 0
    var sum: Int64 = 0
    /// Of their text: the mean in units, the squared deviations from it, and their products with
    /// those of the heights.
    var length = 0.0
    var squares = 0.0
    var products = 0.0
    /// Units a row of the run with the least text. Only sinks.
    var lowest = Int32.max
    /// What a row without text is taken for, in fixed-point lines.
    var base: Int64
    /// What a unit of text adds to it, in fixed-point lines.
    var slope: Int64 = 0
  }

  /// In an array, so that the estimates themselves are small: they are copied where rows are
  /// sought.
  private var kinds: [Kind]
  private var staleEstimated: Int64 = 0
  private var staleMeasured: Int64 = 0
  /// True where a commit would change something.
  private(set) var hasNews = false
  private var hasShown = false

  /// Columns that text is wrapped to; 0 before anybody said.
  private var width = 0

  /// What stale heights are multiplied by, fixed-point.
  private(set) var staleRatio: Int64 = 1 << fractionBits

  /// Estimates that have learned nothing.
  init(estimatedRowHeight: Int = 4) {
    self.estimatedRowHeight = max(1, estimatedRowHeight)
    let base = Int64(max(1, estimatedRowHeight)) << Self.fractionBits
    kinds = Array(repeating: Kind(base: base), count: Self.kindCount)
  }

  /// Cells of text as units, rounded. - Complexity: O(1)
  static func units(ofCells cells: Int) -> Int { (max(0, cells) + lengthUnit / 2) / lengthUnit }

  /// The text that a row of a kind usually has, in units; 0 where nobody knows.
  func typicalLength(ofKind kind: Int) -> Double { kinds[kind].length }

  /// What a row of a kind without text is taken for, in fixed-point lines.
  @inline(__always)
  func base(ofKind kind: Int) -> Int64 { kinds[kind].base }

  /// What a unit of text adds to it, in fixed-point lines.
  @inline(__always)
  func slope(ofKind kind: Int) -> Int64 { kinds[kind].slope }

  /// Units a row that every run of a kind has at least.
  func lowestLength(ofKind kind: Int) -> Int32 {
    kinds[kind].lowest == .max ? 0 : kinds[kind].lowest
  }

  /// There is a run of `rows` rows with so much text. What is shown gives way at once where it
  /// would leave such a run without height.
  mutating func admit(length: Int32, rows: Int, kind: Int) {
    let least = Int32(Int(length) / max(1, rows))
    guard least < kinds[kind].lowest else { return }
    kinds[kind].lowest = least
    if kinds[kind].base + kinds[kind].slope * Int64(least) <= 0 {
      (kinds[kind].base, kinds[kind].slope) = learned(kind)
    }
  }

  /// All runs are gone.
  mutating func forgetRuns() {
    for kind in kinds.indices { kinds[kind].lowest = .max }
  }

  /// What rows of a kind with the usual text are taken for, in lines. Moves with what is learned
  /// and committed.
  package func mean(ofKind kind: Int) -> Double {
    (Double(kinds[kind].base) + Double(kinds[kind].slope) * kinds[kind].length) / Self.one
  }

  private static let one = Double(Int64(1) << fractionBits)

  /// A row of `kind` with so much text, in units, turned out `height` lines high; nil for text
  /// that is not known.
  mutating func learn(height: Int, length: Double? = nil, kind: Int) {
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

  /// A row that had been learned changed its height by `delta` lines.
  mutating func learn(change delta: Int, kind: Int) {
    guard kinds[kind].count > 0 else { return }
    kinds[kind].sum = max(0, kinds[kind].sum + Int64(delta))
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
  mutating func commit() -> Bool {
    guard hasNews, !isFrozen else { return false }
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

  /// Lets commits go on where the last one stopped short of what was learned.
  /// - Complexity: O(kinds)
  mutating func refresh() {
    guard hasShown, !hasNews else { return }
    hasNews = (0..<Self.kindCount).contains {
      kinds[$0].count > 0 && (kinds[$0].base, kinds[$0].slope) != learned($0)
    }
  }

  /// Text is wrapped to another width: what was learned is kept, scaled, with little weight.
  mutating func rescale(to newWidth: Int) {
    defer { width = newWidth }
    guard width > 0, newWidth != width else { return }
    let scale = Double(width) / Double(newWidth)
    for kind in 0..<Self.kindCount where kinds[kind].count > 0 {
      var sample = kinds[kind]
      let weight = min(sample.count, Self.earlierWeight)
      let (base, slope) = learned(kind)
      let text = Double(slope) * sample.length
      // Where text is known only that is wrapped; else, for all that is known, everything.
      let mean = slope > 0 ? Double(base) + text * scale : Double(base) * scale
      // So that the mean by rule 1 comes out as that.
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

  /// a and b as learned, by rules 1 to 3.
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
