/// Two builds' figures, one row an operation.
struct Comparison {
  private var table = Table([
    "", "times", "before p50", "now p50", "more", "before p99", "now p99", "more", "90 % within",
  ])

  mutating func add(_ name: String, _ samples: [Samples]) {
    let (before, now) = (samples[0], samples[1])
    let range = now.slowRange(beside: before)
    table.add([
      name, "\(before.count)", Table.figure(before.median), Table.figure(now.median),
      Self.more(before.median, now.median), Table.figure(before.slow), Table.figure(now.slow),
      Self.more(before.slow, now.slow),
      range.map { "\(Self.signed($0.lowerBound)) … \(Self.signed($0.upperBound))" } ?? "–",
    ])
  }

  func print() { table.print() }

  private static func more(_ before: Double?, _ now: Double?) -> String {
    guard let before, let now, before > 0 else { return "–" }
    return signed(now / before) + " %"
  }

  /// How many hundredths a ratio is above or below one.
  private static func signed(_ ratio: Double) -> String {
    let share = Int(((ratio - 1) * 100).rounded())
    return share > 0 ? "+\(share)" : "\(share)"
  }
}
