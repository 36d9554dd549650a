import CAllocationCount

/// One thing that is timed.
@MainActor final class Operation {
  let name: String
  /// Runs of it a round.
  let count: Int
  /// What the rival's program calls it at the start of its line, where it has it.
  let rivalName: String?
  /// How much faster than the rival it has to be.
  let bar: Double?
  private let body: (Int) throws -> Void
  private var times: [Double] = []
  private(set) var allocations = 0.0

  init(
    _ name: String, _ count: Int, rival: String? = nil, bar: Double? = nil,
    body: @escaping (Int) throws -> Void
  ) {
    self.name = name
    self.count = count
    self.rivalName = rival
    self.bar = bar
    self.body = body
  }

  func warmUp() throws { try body(count / 4 + 1) }

  /// Times one round.
  func measure() throws {
    let clock = ContinuousClock()
    let before = allocation_count()
    let time = try clock.measure { try body(count) }
    allocations = Double(allocation_count() - before) / Double(count)
    let nanoseconds =
      Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    times.append(nanoseconds / Double(count))
  }

  /// Nanoseconds an operation, of all rounds.
  var median: Double { Operation.median(times) }

  nonisolated static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}
