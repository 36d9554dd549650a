import TerminalSession

/// What was measured of one program on one timeline.
struct Latency {
  /// One operation's.
  struct Figures {
    var first = Samples()
    var last = Samples()
    var bytes = Samples()
    /// How often nothing came back.
    var unanswered = 0

    mutating func add(_ answer: Session.Answer?) {
      guard let answer else {
        unanswered += 1
        return
      }
      first.add(answer.first)
      last.add(answer.last)
      bytes.add(Double(answer.bytes))
    }
  }

  /// From the start to the first, or for `lnav` the last, post's text.
  var firstFrame = Samples()
  /// From `G`, typed as soon as the first post was there, to the last post's text.
  var earlyEnd = Samples()
  /// From the start to the last post's text, where another run was left at the end.
  var atPlace = Samples()
  var operations: [String: Figures] = [:]
  /// When nothing was left to do after opening, after `G`, and at the end of the session.
  var opened: ProcessFigures?
  var atEnd: ProcessFigures?
  var finally: ProcessFigures?
  /// Before and after some seconds of nothing.
  var calm: ProcessFigures?
  var rested: ProcessFigures?
  /// Why there is no more of it.
  var failure: BenchmarkError?
  /// So far, to be held against the budget.
  var spent = Duration.zero
}

/// Opens programs in turns and measures them with a clock.
struct LatencyMeasurement {
  /// A program is opened no more when it has taken this long with one timeline.
  static let budget = Duration.seconds(40)
  /// For the first frame, and for each answer.
  static let patience = Duration.seconds(60)

  let corpus: Corpus
  let isQuick: Bool
  static let restSeconds = 3

  /// Opens `program` for its first frame and its first key, a few times where that is quick; to go
  /// to the end as soon as possible; and for all the rest.
  func measure(
    _ program: Program, into latency: inout Latency, folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) {
    let clock = ContinuousClock()
    guard latency.failure == nil, latency.spent < Self.budget else { return }
    let start = clock.now
    do {
      for _ in 0..<(isQuick ? 0 : 3) where (latency.firstFrame.median ?? 0) < 1_000 {
        let session = try open(program, into: &latency, home: folder.emptyFolder("home"))
        guard program.opensAtTop else { continue }
        latency.operations[Operation.firstKey, default: .init()].add(
          try session.pressFirst(program.keys, within: Self.patience))
      }
      try measureEarlyEnd(program, into: &latency, home: folder.emptyFolder("home"))
      try measurePlace(program, into: &latency, home: folder.emptyFolder("home"))
      try measureSession(program, into: &latency, home: folder.emptyFolder("home"))
    } catch .interrupted {
      throw .interrupted
    } catch {
      latency.failure = error
    }
    latency.spent += clock.now - start
  }

  private func open(
    _ program: Program, into latency: inout Latency, home: String
  ) throws(BenchmarkError) -> Session {
    let session = try Session(program, corpus: corpus, home: home)
    let shown = try session.show(
      [PostGenerator.firstMark, PostGenerator.lastMark], named: "a post", within: Self.patience)
    latency.firstFrame.add(shown - session.started)
    return session
  }

  private func measureEarlyEnd(
    _ program: Program, into latency: inout Latency, home: String
  ) throws(BenchmarkError) {
    // What opens at the end is there already.
    guard program.opensAtTop else { return }
    let session = try open(program, into: &latency, home: home)
    let start = ContinuousClock.now
    try session.type(program.keys.end)
    let shown = try session.show(
      [PostGenerator.lastMark], named: "the last post", within: Self.patience)
    latency.earlyEnd.add(shown - start)
  }

  /// Of programs that keep where the reader was.
  private func measurePlace(
    _ program: Program, into latency: inout Latency, home: String
  ) throws(BenchmarkError) {
    guard program.readsFeed else { return }
    do {
      let session = try Session(program, corpus: corpus, home: home)
      _ = try session.show([PostGenerator.firstMark], named: "a post", within: Self.patience)
      try session.type(program.keys.end)
      _ = try session.show([PostGenerator.lastMark], named: "the last post", within: Self.patience)
      // The place is kept when it rests, and again when it ends.
      try session.becomeCalm(for: .milliseconds(600), within: Self.patience)
      try session.type("q")
      try session.rest(Self.patience)
    } catch .ended {}
    let session = try Session(program, corpus: corpus, home: home)
    let shown = try session.show(
      [PostGenerator.lastMark], named: "the last post", within: Self.patience)
    latency.atPlace.add(shown - session.started)
  }

  private func measureSession(
    _ program: Program, into latency: inout Latency, home: String
  ) throws(BenchmarkError) {
    let session = try open(program, into: &latency, home: home)
    try session.becomeCalm(within: Self.patience)
    if latency.opened == nil {
      latency.opened = session.figures
      if !isQuick {
        try session.becomeCalm(for: .seconds(1), within: Self.patience)
        latency.calm = session.figures
        try session.rest(.seconds(Self.restSeconds))
        latency.rested = session.figures
      }
      _ = try session.press(program.keys.end, within: Self.patience)
      try session.becomeCalm(within: Self.patience)
      latency.atEnd = session.figures
    }
    _ = try session.press(program.keys.top, within: Self.patience)
    try session.becomeCalm(within: Self.patience)
    for operation in Operation.all(for: program, share: isQuick ? 0.1 : 1) {
      try repeatedly(
        operation, session, into: &latency.operations[operation.name, default: .init()])
    }
    latency.finally = session.figures
  }

  /// At most five seconds long.
  private func repeatedly(
    _ operation: Operation, _ session: Session, into figures: inout Latency.Figures
  ) throws(BenchmarkError) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(5)
    for _ in 0..<operation.count where clock.now < end {
      figures.add(try session.perform(operation, within: Self.patience))
    }
  }
}
