import TerminalSession

/// Starts of tideline and of its rival in turns, on terminals that answer questions at once, late, or
/// never.
struct Starts {
  let programs: [Program]
  let corpus: Corpus
  let count: Int

  /// The times of one program on one terminal.
  private struct Times {
    /// From just before the process is made to the first post.
    var first = Samples()
    /// From the answers to the last byte of the frame that they change, or to the first post if that
    /// comes later.
    var corrected = Samples()
  }

  private static let terminals: [(name: String, answers: Session.Answers)] = [
    ("at once", .atOnce), ("5 ms late", .after(.milliseconds(5))),
    ("20 ms late", .after(.milliseconds(20))), ("50 ms late", .after(.milliseconds(50))),
    ("never", .never),
  ]

  /// Prints the medians, those of the first frame also beside the rival's.
  func measure(in folder: borrowing TemporaryFolder) throws(BenchmarkError) {
    var times = Self.terminals.map { _ in programs.map { _ in Times() } }
    for _ in 0..<count {
      for (row, terminal) in Self.terminals.enumerated() {
        for (column, program) in programs.enumerated() {
          try start(
            program, terminal.answers, home: folder.emptyFolder("home"), into: &times[row][column])
        }
      }
    }
    var table = Table(
      ["answers"] + programs.flatMap { ["\($0.name), ms", "times the last"] }
        + ["from the answers to their frame, ms"])
    for (terminal, times) in zip(Self.terminals, times) {
      let rival = times.last?.first.median
      table.add(
        [terminal.name]
          + times.flatMap {
            [Table.figure($0.first.median), Table.ratio($0.first.median, to: rival)]
          }
          + [Table.figure(times.first?.corrected.median)])
    }
    table.print()
    print("  bars: 3 times less, aimed at 2.5; from late answers to their frame 2 ms")
  }

  private func start(
    _ program: Program, _ answers: Session.Answers, home: String, into times: inout Times
  ) throws(BenchmarkError) {
    let patience = LatencyMeasurement.patience
    let session = try Session(program, corpus: corpus, home: home, answers: answers)
    let shown = try session.show([PostGenerator.firstMark], named: "a post", within: patience)
    times.first.add(shown - session.started)
    let last = try session.becomeCalm(within: patience)
    guard program.readsFeed, let answered = session.answered else { return }
    times.corrected.add(max(shown, last ?? shown) - answered)
  }
}
