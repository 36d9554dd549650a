/// What is measured, and how it is printed.
enum Workload {
  /// Heights of 1...30 lines from a fixed sequence.
  static func heights(_ count: Int) -> [Int] {
    var state: UInt64 = 1
    return (0..<count).map { _ in 1 + Int(next(&state) % 30) }
  }

  /// SplitMix64 (Steele, Lea and Flood 2014).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  static func report(_ count: Int, _ name: String, _ structure: consuming some Heights & ~Copyable)
  {
    var heights = structure
    var state: UInt64 = 2
    let bytes = Double(heights.byteCount) / Double(count)
    var sum = 0
    let total = max(1, heights.total)
    let seek = nanoseconds {
      sum &+= heights.row(atOffset: Int(next(&state) % UInt64(total)))
    }
    let update = nanoseconds {
      let random = next(&state)
      heights.set(1 + Int(random >> 32 % 30), at: Int(random % UInt64(heights.count)))
    }
    let insertion = nanoseconds {
      heights.insert(5, at: heights.count / 2 + Int(next(&state) % 64) - 32)
    }
    precondition(sum != Int.min)
    print(
      column("\(count)", 12) + column(name, 12) + column(rounded(seek), 10)
        + column(rounded(update), 12) + column(rounded(insertion), 12) + rounded(bytes))
  }

  /// The first measurements of an untouched tree, at random rows: each of them cuts a gap.
  static func reportFirst(_ count: Int) {
    let rows = min(count / 100, 20_000)
    let clock = ContinuousClock()
    var best = Double.infinity
    for seed in UInt64(3)...5 {
      var state = seed
      var heights = TreeHeights(untouched: count)
      let start = clock.now
      for _ in 0..<rows { heights.set(5, at: Int(next(&state) % UInt64(count))) }
      best = min(best, (clock.now - start) / .nanoseconds(1) / Double(rows))
    }
    print(column("\(count)", 12) + "first \(rows) random measurements: \(rounded(best)) ns each")
  }

  /// The time of one call: as many as take 50 ms, at most 100,000, in the best of three runs.
  private static func nanoseconds(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<3 {
      var calls = 0
      let start = clock.now
      while calls < 100_000 {
        for _ in 0..<16 { body() }
        calls += 16
        if clock.now - start > .milliseconds(50) { break }
      }
      best = min(best, (clock.now - start) / .nanoseconds(1) / Double(calls))
    }
    return best
  }

  private static func rounded(_ value: Double) -> String {
    // Without the C library's `round`, which nothing here links.
    value < 100 ? "\(Double(Int(value * 10 + 0.5)) / 10)" : "\(Int(value + 0.5))"
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
