/// How tideline's figures go with the number of posts, beside the bars it is held against.
struct Summary {
  private struct Column {
    let count: Int
    let latency: Latency
    let work: WorkMeasurement
  }

  private var columns: [Column] = []

  mutating func add(_ corpus: Corpus, _ latency: Latency?, _ work: WorkMeasurement) {
    guard let latency else { return }
    columns.append(Column(count: corpus.count, latency: latency, work: work))
  }

  func print() {
    guard !columns.isEmpty else { return }
    Swift.print("\ntideline at every size, p50 / p99")
    var table = Table([""] + columns.map { "\($0.count)" } + ["bar"])
    func add(_ name: String, bar: String, _ samples: (Column) -> Samples?) {
      let cells = columns.map { column in
        let samples = samples(column)
        return "\(Table.figure(samples?.median)) / \(Table.figure(samples?.slow))"
      }
      table.add([name] + cells + [bar])
    }
    add("first frame, ms", bar: "25") { $0.latency.firstFrame }
    add("G at once, ms", bar: "10") { $0.latency.earlyEnd }
    for (name, bar) in [
      ("one line down", "1 / 3"), ("page down", "1 / 3"), ("to the end (G)", "10"),
      ("to the middle", "10"), ("resize to 120x40", "10"),
    ] {
      add("\(name), first byte, ms", bar: bar) { $0.latency.operations[name]?.first }
      add("\(name), last byte, ms", bar: bar) { $0.latency.operations[name]?.last }
    }
    add("one line down, bytes", bar: "700") { $0.latency.operations["one line down"]?.bytes }
    for name in ["one line down", "page down", "to the end (G)", "to the middle"] {
      add("\(name), rows measured", bar: "–") { column in
        column.work.work.first { $0.operation == name }?.rows
      }
    }
    table.print()
  }
}
