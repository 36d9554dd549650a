import TerminalSession

/// What is printed of one timeline.
enum Report {
  static func head(rounds: Int) -> String {
    """
    Terminal of 200x50. Milliseconds from a key to the first and to the last byte of the answer, which
    ends when nothing came for 20 ms and the program rests; those 20 ms are not counted. \(rounds) rounds in
    turns; p99 is the largest where there are less than a hundred samples. The last columns say how
    many times as long the rival takes (median to the last byte).
    """
  }

  static let headOfBuilds = """
    Terminal of 200x50, no pictures. Milliseconds from a key to the last byte of the answer, of two
    builds that are open at once and answer in turn, a session each a round, and of their first keys
    in sessions of their own; p99 is the largest where there are less than a hundred. The last column
    says between which shares p99 differs in nine of ten draws of as many samples from those there are.
    """

  static func title(_ corpus: Corpus) -> String {
    "\(corpus.count) posts, \(corpus.feedBytes / 1_000) kB of JSON Lines for tideline, "
      + "\(corpus.textBytes / 1_000) kB of text for the others"
  }

  static func print(_ latencies: [Latency], of programs: [Program]) {
    var names = [Operation.firstKey]
    for program in programs {
      for operation in Operation.all(for: program, share: 1) where !names.contains(operation.name) {
        names.append(operation.name)
      }
    }
    let rivals = programs.indices.filter { !programs[$0].readsFeed }
    var table = Table(
      ["", "program", "times", "first", "last p50", "p99", "bytes p50", "p99"]
        + rivals.map { "\(programs[$0].name) ×" })
    func add(_ name: String, _ figures: (Latency) -> Latency.Figures?) {
      for (index, program) in programs.enumerated() {
        guard let own = figures(latencies[index]), !own.last.isEmpty else { continue }
        let ratios = rivals.map { rival in
          program.readsFeed
            ? Table.ratio(figures(latencies[rival])?.last.median, to: own.last.median) : ""
        }
        table.add(
          [
            name, program.name, "\(own.last.count)", Table.figure(own.first.median),
            Table.figure(own.last.median), Table.figure(own.last.slow),
            Table.figure(own.bytes.median), Table.figure(own.bytes.slow),
          ] + ratios)
      }
    }
    add("first frame") { Latency.Figures(last: $0.firstFrame) }
    add("first frame at a place") { Latency.Figures(last: $0.atPlace) }
    add("G at once") { Latency.Figures(last: $0.earlyEnd) }
    for name in names { add(name) { $0.operations[name] } }
    table.print()
    printStanding(latencies, of: programs)
    for (program, latency) in zip(programs, latencies) {
      if let failure = latency.failure { Swift.print("  \(program.name): \(failure)") }
    }
  }

  /// Memory, and what is done while nothing is asked.
  private static func printStanding(_ latencies: [Latency], of programs: [Program]) {
    guard latencies.contains(where: { $0.opened != nil }) else { return }
    var table = Table([
      "", "MB opened", "after G", "at last", "CPU µs in \(LatencyMeasurement.restSeconds) s idle",
      "context switches",
    ])
    func megabytes(_ figures: ProcessFigures?) -> String {
      Table.figure(figures.map { Double($0.kilobytes) / 1_000 })
    }
    for (program, latency) in zip(programs, latencies) {
      var idle = ["–", "–"]
      if let before = latency.calm, let after = latency.rested {
        let activity = after.activity(since: before)
        idle = ["\(activity.microseconds)", "\(activity.switches)"]
      }
      table.add(
        [
          program.name, megabytes(latency.opened), megabytes(latency.atEnd),
          megabytes(latency.finally),
        ] + idle)
    }
    Swift.print("")
    table.print()
  }

  static func print(_ work: WorkMeasurement) {
    Swift.print("\n  what tideline says it did (--trace, runs of their own)")
    var table = Table([
      "", "program", "rows measured p50", "most", "cells made, most", "µs of work p50", "p99",
      "bytes p50",
    ])
    for figures in work.work {
      table.add([
        figures.operation, figures.program, Table.figure(figures.rows.median),
        Table.figure(figures.rows.slow), Table.figure(figures.cells.slow),
        Table.figure(figures.microseconds.median), Table.figure(figures.microseconds.slow),
        Table.figure(figures.bytes.median),
      ])
    }
    table.print()
    guard !work.memory.isEmpty else { return }
    Swift.print("")
    var memory = Table(["memory", "program", "rows measured", "MB", "40 MB + 3 bytes a row"])
    for figures in work.memory {
      memory.add([
        figures.moment, figures.program, "\(figures.measuredRows)",
        Table.figure(Double(figures.kilobytes) / 1_000),
        Table.figure(40 + 3 * Double(figures.measuredRows) / 1_000_000),
      ])
    }
    memory.print()
    Swift.print("  beside that tideline keeps up to 64 MB of pixels and 24 MB of drawn pictures")
  }
}
