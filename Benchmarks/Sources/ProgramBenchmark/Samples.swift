/// Figures of one thing, one a time it was done.
struct Samples {
  private var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }
  mutating func add(_ duration: Duration) { values.append(duration / .milliseconds(1)) }

  var count: Int { values.count }
  var isEmpty: Bool { values.isEmpty }
  var median: Double? { quantile(0.5) }
  /// The largest, where there are less than a hundred.
  var slow: Double? { quantile(0.99) }
  var smallest: Double? { values.min() }

  /// Between which ratios ``slow`` to that of `other` lies nine times in ten, where as many samples
  /// are drawn anew from those of each, with repetition: the bootstrap of Efron (1979). Nil without
  /// samples.
  func slowRange(beside other: Samples) -> ClosedRange<Double>? {
    let draws = 400
    var random = SeededRandom(seed: 1)
    let ratios = (0..<draws).compactMap { _ -> Double? in
      guard let own = drawn(by: &random).slow, let others = other.drawn(by: &random).slow,
        others > 0
      else { return nil }
      return own / others
    }.sorted()
    guard ratios.count == draws else { return nil }
    return ratios[draws / 20]...ratios[draws - 1 - draws / 20]
  }

  private func drawn(by random: inout SeededRandom) -> Samples {
    guard !values.isEmpty else { return self }
    return Samples(values: values.map { _ in values[random.next(below: values.count)] })
  }

  private func quantile(_ part: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.sorted()[min(values.count - 1, Int(Double(values.count) * part))]
  }
}
