import FoundationEssentials
import Glibc
import TerminalSession

/// All timelines, one after the other.
struct Benchmark {
  private let arguments: Arguments
  private let programs: [Program]
  /// Two builds, of which nothing but the keys are compared; empty where programs are measured.
  private var builds: [Program] = []

  /// - Throws: `BenchmarkError.notBuilt`.
  init(_ arguments: Arguments) throws(BenchmarkError) {
    self.arguments = arguments
    let tideline = arguments.tideline ?? Self.packageFolder + ".build/release/tideline"
    let wanted = { arguments.only.isEmpty || arguments.only.contains($0) }
    if ["tideline", "unpictured", "linked"].contains(where: wanted), !Program.isExecutable(tideline)
    {
      throw .notBuilt(tideline)
    }
    if let beside = arguments.beside {
      for path in [beside, tideline] where !Program.isExecutable(path) { throw .notBuilt(path) }
      builds = zip(["before", "now"], [beside, tideline]).map {
        Program.unpictured(path: $1).named($0)
      }
      programs = []
      return
    }
    var programs: [Program] = []
    if wanted("tideline") { programs.append(.tideline(path: tideline)) }
    if wanted("unpictured") { programs.append(.unpictured(path: tideline)) }
    if wanted("linked") { programs.append(.linked(path: tideline)) }
    for (name, make) in [("less", Program.less), ("lnav", Program.lnav)] where wanted(name) {
      if let path = Program.installed(name) {
        programs.append(make(path))
      } else {
        print("\(name) is not installed, and not measured")
      }
    }
    self.programs = programs
  }

  /// The folder above Benchmarks, with a slash at its end.
  private static var packageFolder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
  }

  /// - Returns: whether tideline did all that was asked of it.
  func run() throws -> Bool {
    let folder = try TemporaryFolder(inside: arguments.folder, isKept: arguments.keepsFiles)
    let pictures = try PictureServer()
    if let count = arguments.starts {
      print("Terminal of 200x50; medians of \(count) starts of each in turns.")
    } else {
      print(builds.isEmpty ? Report.head(rounds: arguments.rounds) : Report.headOfBuilds)
    }
    var isWhole = true
    var summary = Summary(names: programs.map(\.name))
    for size in arguments.sizes {
      let corpus = try Corpus(
        count: size, seed: arguments.seed, pictures: pictures.address, folder: folder.path)
      print("\n\(Report.title(corpus))")
      fflush(nil)
      if let count = arguments.starts {
        let programs = programs.filter { ["unpictured", "less"].contains($0.name) }
        try Starts(programs: programs, corpus: corpus, count: count).measure(in: folder)
        continue
      }
      guard builds.isEmpty else {
        let builds = Builds(
          programs: builds, corpus: corpus, rounds: arguments.rounds, isQuick: arguments.isQuick)
        try builds.compare(in: folder)
        continue
      }
      let latencies = try measureLatencies(corpus, folder)
      Report.print(latencies, of: programs)
      isWhole = isWhole && !zip(programs, latencies).contains { $0.readsFeed && $1.failure != nil }
      let work = try measureWork(corpus, folder)
      work.map(Report.print)
      summary.add(corpus, latencies, work)
      fflush(nil)
      if !arguments.keepsFiles { for path in [corpus.feed, corpus.text] { folder.remove(path) } }
    }
    if builds.isEmpty, arguments.starts == nil { summary.print() }
    return isWhole
  }

  /// Nil where only rivals are measured.
  private func measureWork(
    _ corpus: Corpus, _ folder: borrowing TemporaryFolder
  ) throws -> WorkMeasurement? {
    let traced = programs.filter(\.readsFeed)
    guard !traced.isEmpty else { return nil }
    var work = WorkMeasurement(corpus: corpus, isQuick: arguments.isQuick)
    for program in traced { try work.measure(program, folder: folder) }
    return work
  }

  /// In turns, so that a busy moment of the machine strikes all alike.
  private func measureLatencies(
    _ corpus: Corpus, _ folder: borrowing TemporaryFolder
  ) throws -> [Latency] {
    var latencies = programs.map { _ in Latency() }
    let measurement = LatencyMeasurement(corpus: corpus, isQuick: arguments.isQuick)
    for _ in 0..<arguments.rounds {
      for (index, program) in programs.enumerated() {
        try measurement.measure(program, into: &latencies[index], folder: folder)
      }
    }
    return latencies
  }
}
