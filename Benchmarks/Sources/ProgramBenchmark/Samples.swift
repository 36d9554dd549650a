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

  private func quantile(_ part: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.sorted()[min(values.count - 1, Int(Double(values.count) * part))]
  }
}
