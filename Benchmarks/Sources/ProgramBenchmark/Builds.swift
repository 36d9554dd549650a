import TerminalSession

/// Two builds of tideline, open at once, without pictures: what is done is done to the one and then
/// to the other, so that both meet the same moments of the machine. Those of builds that are run
/// one after the other differ by more than builds do.
struct Builds {
  let programs: [Program]
  let corpus: Corpus
  /// How many times as often things are done as in a session of one program.
  let rounds: Int
  let isQuick: Bool
  private static let firstKeysInRound = 4

  /// Prints what each took, and how much longer the second took than the first.
  func compare(in folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    let medians = programs.map { "\($0.name) p50" }
    var table = Table(["", "times"] + medians + ["more"] + programs.map { "\($0.name) p99" })
    func add(_ name: String, _ samples: [Samples]) {
      table.add(
        [name, "\(samples[0].count)"] + samples.map { Table.figure($0.median) }
          + [Self.more(samples)] + samples.map { Table.figure($0.slow) })
    }
    add(Operation.firstKey, try firstKeys(in: folder))
    let sessions = try open(in: folder)
    for session in sessions { try session.becomeCalm(within: LatencyMeasurement.patience) }
    for operation in Operation.all(for: programs[0], share: isQuick ? 0.1 : 1) {
      add(operation.name, try samples(of: operation, sessions))
    }
    table.print()
  }

  /// Of sessions that are opened for nothing else.
  private func firstKeys(in folder: borrowing TemporaryFolder) throws(BenchmarkError) -> [Samples] {
    var samples = programs.map { _ in Samples() }
    for round in 0..<rounds * (isQuick ? 1 : Self.firstKeysInRound) {
      let sessions = try open(in: folder)
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

  private func open(in folder: borrowing TemporaryFolder) throws(BenchmarkError) -> [Session] {
    var sessions: [Session] = []
    for program in programs {
      let session = try Session(program, corpus: corpus, home: folder.emptyFolder(program.name))
      _ = try session.show(
        [PostGenerator.firstMark], named: "a post", within: LatencyMeasurement.patience)
      sessions.append(session)
    }
    return sessions
  }

  private func samples(
    of operation: Operation, _ sessions: [Session]
  ) throws(BenchmarkError) -> [Samples] {
    for session in sessions {
      _ = try session.press(programs[0].keys.top, within: LatencyMeasurement.patience)
    }
    var samples = programs.map { _ in Samples() }
    for round in 0..<operation.count * rounds {
      for index in order(round) {
        let session = sessions[index]
        if let answer = try session.perform(operation, within: LatencyMeasurement.patience) {
          samples[index].add(answer.last)
        } else {
          // The end is reached.
          _ = try session.press(programs[index].keys.top, within: LatencyMeasurement.patience)
        }
      }
    }
    return samples
  }

  private static func more(_ samples: [Samples]) -> String {
    guard let first = samples[0].median, let second = samples[1].median, first > 0 else {
      return "–"
    }
    let share = Int(((second / first - 1) * 100).rounded())
    return share > 0 ? "+\(share) %" : "\(share) %"
  }
}
