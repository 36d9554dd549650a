import TerminalSession

/// Two builds of tideline, open at once, without pictures: what is done is done to the one and then
/// to the other, so that both meet the same moments of the machine. Those of builds that are run
/// one after the other differ by more than builds do.
struct Builds {
  let programs: [Program]
  let corpus: Corpus
  /// Sessions of each, and for first keys so many times ``firstKeysInRound``.
  let rounds: Int
  let isQuick: Bool
  private static let firstKeysInRound = 4

  /// Prints what each took, and how much longer the second took than the first.
  func compare(in folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    var all = Comparison()
    var first = Comparison()
    all.add(Operation.firstKey, try firstKeys(in: folder))
    let operations = Operation.all(for: programs[0], share: isQuick ? 0.1 : 1)
    var samples = operations.map { _ in programs.map { _ in Samples() } }
    var firsts = samples
    for round in 0..<rounds {
      // Where a program's memory lies differs between its sessions.
      let sessions = try open(in: folder, round)
      // What is done in idle time is done in both before the first key, or in neither.
      for session in sessions {
        try session.becomeCalm(for: .seconds(1), within: LatencyMeasurement.patience)
      }
      for (index, operation) in operations.enumerated() {
        try measure(
          operation, sessions, round, into: &samples[index], firsts: &firsts[index])
      }
    }
    for (index, operation) in operations.enumerated() {
      all.add(operation.name, samples[index])
      first.add(operation.name, firsts[index])
    }
    all.print()
    Swift.print("\n  of these, the first in each session")
    first.print()
  }

  /// Of sessions that are opened for nothing else.
  private func firstKeys(in folder: borrowing TemporaryFolder) throws(BenchmarkError) -> [Samples] {
    var samples = programs.map { _ in Samples() }
    for round in 0..<rounds * (isQuick ? 1 : Self.firstKeysInRound) {
      let sessions = try open(in: folder, round)
      for index in order(round) {
        let answer = try sessions[index].pressFirst(
          programs[index].keys, within: LatencyMeasurement.patience)
        if let answer { samples[index].add(answer.last) }
      }
    }
    return samples
  }

  /// Either build is the first in every other round: the second is often some hundredths slower.
  private func order(_ round: Int) -> [Int] {
    let order = Array(programs.indices)
    return round.isMultiple(of: 2) ? order : order.reversed()
  }

  private func open(
    in folder: borrowing TemporaryFolder, _ round: Int
  ) throws(BenchmarkError) -> [Session] {
    var sessions: [Session?] = programs.map { _ in nil }
    for index in order(round) {
      let program = programs[index]
      let session = try Session(program, corpus: corpus, home: folder.emptyFolder(program.name))
      _ = try session.show(
        [PostGenerator.firstMark], named: "a post", within: LatencyMeasurement.patience)
      sessions[index] = session
    }
    return sessions.compactMap { $0 }
  }

  private func measure(
    _ operation: Operation, _ sessions: [Session], _ round: Int, into samples: inout [Samples],
    firsts: inout [Samples]
  ) throws(BenchmarkError) {
    for session in sessions {
      _ = try session.press(programs[0].keys.top, within: LatencyMeasurement.patience)
    }
    for time in 0..<operation.count {
      for index in order(round + time) {
        let session = sessions[index]
        if let answer = try session.perform(operation, within: LatencyMeasurement.patience) {
          samples[index].add(answer.last)
          if time == 0 { firsts[index].add(answer.last) }
        } else {
          // The end is reached.
          _ = try session.press(programs[index].keys.top, within: LatencyMeasurement.patience)
        }
      }
    }
  }
}
