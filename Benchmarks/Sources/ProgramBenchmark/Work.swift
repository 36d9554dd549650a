import TerminalSession

/// What tideline itself says of one operation.
struct WorkFigures {
  let program: String
  let operation: String
  var rows = Samples()
  var cells = Samples()
  var microseconds = Samples()
  var bytes = Samples()
}

/// Memory at the points of a session where it is of interest.
struct MemoryFigures {
  let program: String
  let moment: String
  let measuredRows: Int
  let kilobytes: Int
}

/// Opens tideline with `--trace`, apart from the runs that are timed, and counts its work and its
/// memory.
struct WorkMeasurement {
  /// So many rows are gone through for the figure of memory.
  static let visited = 100_000
  private static let patience = Duration.seconds(60)

  let corpus: Corpus
  let isQuick: Bool

  private(set) var work: [WorkFigures] = []
  private(set) var memory: [MemoryFigures] = []

  init(corpus: Corpus, isQuick: Bool) {
    self.corpus = corpus
    self.isQuick = isQuick
  }

  /// What the operations cost; and memory when it was opened, when they are done, and when many
  /// rows were gone through.
  mutating func measure(_ program: Program, folder: borrowing TemporaryFolder) throws {
    let home = try folder.emptyFolder("home")
    let path = home + "/trace.jsonl"
    let session = try Session(program.traced(to: path), corpus: corpus, home: home)
    _ = try session.show([PostGenerator.firstMark], named: "a post", within: Self.patience)
    let trace = try Trace(path: path)
    try session.becomeCalm(within: Self.patience)
    var last = try trace.frames().last
    note("opened", last, session)
    for operation in Operation.all(for: program, share: isQuick ? 0.1 : 0.5) {
      var figures = WorkFigures(program: program.name, operation: operation.name)
      for _ in 0..<operation.count {
        last = try Self.perform(operation, session, trace, since: last, into: &figures)
      }
      work.append(figures)
    }
    try session.becomeCalm(within: Self.patience)
    note("after the operations", last, session)
    guard corpus.count >= Self.visited, !isQuick else { return }
    let goal = (last?.measuredRows ?? 0) + Self.visited
    let pages = String(repeating: program.keys.pageDown, count: 500)
    while let frame = last, frame.measuredRows < goal {
      _ = try session.burst(pages, within: Self.patience)
      try session.becomeCalm(within: Self.patience)
      let next = try trace.frames().last
      guard let next, next.measuredRows > frame.measuredRows else { break }
      last = next
    }
    note("after pages through rows", last, session)
  }

  /// Only the operation itself is counted, not what is done before and after it.
  private static func perform(
    _ operation: Operation, _ session: Session, _ trace: Trace, since last: Trace.Frame?,
    into figures: inout WorkFigures
  ) throws -> Trace.Frame? {
    var last = last
    if !operation.before.isEmpty {
      _ = try session.press(operation.before, within: patience)
      last = try trace.frames().last ?? last
    }
    _ = try session.perform(operation.alone, within: patience)
    let frames = try trace.frames()
    if let start = last, let end = frames.last {
      figures.rows.add(Double(end.measuredRows - start.measuredRows))
      figures.cells.add(Double(end.createdCells - start.createdCells))
      figures.microseconds.add(Double(frames.map(\.cpuMicroseconds).reduce(0, +)))
      figures.bytes.add(Double(end.bytes - start.bytes))
    }
    if !operation.after.isEmpty { _ = try session.press(operation.after, within: patience) }
    if operation.resizesBack { _ = try session.resize(to: TerminalSize(), within: patience) }
    return try trace.frames().last ?? frames.last ?? last
  }

  private mutating func note(_ moment: String, _ frame: Trace.Frame?, _ session: Session) {
    guard let figures = session.figures else { return }
    memory.append(
      MemoryFigures(
        program: session.name, moment: moment, measuredRows: frame?.measuredRows ?? 0,
        kilobytes: figures.kilobytes))
  }
}
