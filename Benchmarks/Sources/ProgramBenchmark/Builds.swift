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

  /// Prints what each took, and how much longer the second took than the first.
  func compare(in folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    var sessions: [Session] = []
    for program in programs {
      let session = try Session(program, corpus: corpus, home: folder.emptyFolder(program.name))
      _ = try session.show(
        [PostGenerator.firstMark], named: "a post", within: LatencyMeasurement.patience)
      try session.becomeCalm(within: LatencyMeasurement.patience)
      sessions.append(session)
    }
    let medians = programs.map { "\($0.name) p50" }
    var table = Table(["", "times"] + medians + ["more"] + programs.map { "\($0.name) p99" })
    for operation in Operation.all(for: programs[0], share: isQuick ? 0.1 : 1) {
      var samples = programs.map { _ in Samples() }
      for session in sessions {
        _ = try session.press(programs[0].keys.top, within: LatencyMeasurement.patience)
      }
      for _ in 0..<operation.count * rounds {
        for (index, session) in sessions.enumerated() {
          let answer = try session.perform(operation, within: LatencyMeasurement.patience)
          if let answer { samples[index].add(answer.last) }
        }
      }
      table.add(
        [operation.name, "\(samples[0].count)"] + samples.map { Table.figure($0.median) }
          + [Self.more(samples)] + samples.map { Table.figure($0.slow) })
    }
    table.print()
  }

  private static func more(_ samples: [Samples]) -> String {
    guard let first = samples[0].median, let second = samples[1].median, first > 0 else {
      return "–"
    }
    let share = Int(((second / first - 1) * 100).rounded())
    return share > 0 ? "+\(share) %" : "\(share) %"
  }
}
