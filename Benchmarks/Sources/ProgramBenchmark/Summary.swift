/// How the figures go with the number of posts, beside the bars that tideline is held against.
struct Summary {
  private struct Column {
    let count: Int
    /// By the program's name.
    let latencies: [String: Latency]
    let work: WorkMeasurement?
  }

  private let names: [String]
  private var columns: [Column] = []

  /// `names` are those of the programs, in their order.
  init(names: [String]) { self.names = names }

  mutating func add(_ corpus: Corpus, _ latencies: [Latency], _ work: WorkMeasurement?) {
    let byName = Dictionary(zip(names, latencies)) { first, _ in first }
    columns.append(Column(count: corpus.count, latencies: byName, work: work))
  }

  func print() {
    Swift.print("\nat every size, p50 / p99 in ms")
    var table = Table(["", "program"] + columns.map { "\($0.count)" } + ["bar"])
    func add(_ figure: String, bar: String, _ samples: (Latency) -> Samples?) {
      for name in names {
        let all = columns.map { $0.latencies[name].flatMap(samples) }
        guard all.contains(where: { $0?.isEmpty == false }) else { continue }
        let isHeld = ["tideline", "unpictured", "linked"].contains(name)
        table.add([figure, name] + all.map(Self.pair) + [isHeld ? bar : ""])
      }
    }
    add("first frame", bar: "25") { $0.firstFrame }
    add("first frame at a place", bar: "first frame") { $0.atPlace }
    add("G at once", bar: "10") { $0.earlyEnd }
    for (name, bar) in [
      (Operation.firstKey, "10"), ("one line down", "1 / 3"), ("page down", "1 / 3"),
      ("to the end (G)", "10"), ("to the middle", "10"), ("resize to 120x40", "10"),
      ("2,000 lines at once", "less"), ("2,000 posts (j) at once", "less"),
    ] {
      add(name, bar: bar) { $0.operations[name]?.last }
    }
    add("one line down, bytes", bar: "700") { $0.operations["one line down"]?.bytes }
    add("page down, bytes", bar: "") { $0.operations["page down"]?.bytes }
    for name in ["one line down", "page down", "to the end (G)", "to the middle"] {
      for program in names {
        let rows = columns.map { column in
          column.work?.work.first { $0.operation == name && $0.program == program }?.rows
        }
        guard rows.contains(where: { $0 != nil }) else { continue }
        table.add(["\(name), rows measured", program] + rows.map(Self.pair) + ["the same"])
      }
    }
    table.print()
  }

  private static func pair(_ samples: Samples?) -> String {
    guard let samples, !samples.isEmpty else { return "–" }
    return "\(Table.figure(samples.median)) / \(Table.figure(samples.slow))"
  }
}
