import FoundationEssentials

/// A program in a terminal, from its start to its end.
///
/// 1. What comes is timed when it is read, and all of it is read at once.
/// 2. Questions to the terminal are answered as soon as they are read, or all of them some time after
///    the first, or never (``Answers``).
/// 3. An answer to keys ends with the last byte before the terminal was quiet for `quiet` and no
///    thread of the program was at work. The quiet itself counts nowhere.
/// 4. Nothing waits without a limit.
package final class Session {
  /// What came back for something sent: since then, to the first byte, to the last, and bytes in
  /// all.
  package struct Answer {
    package let first, last: Duration
    package let bytes: Int
  }

  /// How long nothing may come before an answer is taken to have ended.
  package static let quiet = Duration.milliseconds(20)
  /// What lies between two bursts of bytes at least.
  package static let pause = Duration.milliseconds(2)
  /// How long an idle program may take before it is taken to do nothing.
  package static let patience = Duration.milliseconds(300)

  /// When the terminal answers questions.
  package enum Answers {
    case atOnce
    /// So long after the first question of those that are not answered.
    case after(Duration)
    case never
  }

  /// What errors call it.
  package let name: String
  private let answers: Answers
  /// Answers that are not due yet.
  private var held = ""
  private var due: ContinuousClock.Instant?
  /// When the last answers were sent; nil before.
  package private(set) var answered: ContinuousClock.Instant?
  private let terminalName: String
  package let process: ChildProcess
  /// Just before the process was made.
  package let started: ContinuousClock.Instant
  package private(set) var byteCount = 0
  private let clock = ContinuousClock()
  private let terminal: PseudoTerminal
  private var output = TerminalOutput()
  private var size: TerminalSize
  private var processes: [Int] = []

  /// - Parameters:
  ///   - home: a folder that is the program's alone.
  ///   - terminalName: what the terminal calls itself.
  package init(
    _ name: String, path: String, arguments: [String], home: String,
    terminalName: String = "ProgramBenchmark(1)", size: TerminalSize = TerminalSize(),
    answers: Answers = .atOnce
  ) throws(BenchmarkError) {
    self.name = name
    self.answers = answers
    self.terminalName = terminalName
    self.size = size
    terminal = try PseudoTerminal()
    try terminal.resize(to: size)
    started = clock.now
    process = try ChildProcess(
      path: path, arguments: arguments, environment: Self.environment(home: home),
      terminal: terminal.path)
  }

  /// Nothing of the user's is read or written: the home folder and all others are `home`.
  private static func environment(home: String) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": home, "TMPDIR": home,
      "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config",
      "XDG_DATA_HOME": home + "/data", "XDG_STATE_HOME": home + "/state",
      "LESSHISTFILE": "-",
      "TERM": "xterm-256color", "COLORTERM": "truecolor",
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    ]
  }

  /// Reads what comes next, waiting so long at most.
  ///
  /// - Returns: when it was there; nil where nothing came.
  private func receive(
    _ limit: Duration, orRoom: Bool = false
  ) throws(BenchmarkError) -> ContinuousClock.Instant? {
    var limit = limit
    if let due {
      limit = max(.zero, min(limit, due - clock.now))
      if clock.now >= due { try sendHeld() }
    }
    try terminal.wait(limit, orRoom: orRoom)
    switch terminal.read() {
    case .nothing: return nil
    case .closed:
      let text = String(decoding: output.text.suffix(200), as: UTF8.self)
      throw .ended(program: name, text: text)
    case .bytes(let bytes):
      let now = clock.now
      byteCount += bytes.count
      for sequence in output.take(bytes) {
        if let reply = TerminalReplies.reply(to: sequence, size: size, name: terminalName) {
          try answer(reply)
        }
      }
      return now
    }
  }

  private func answer(_ reply: String) throws(BenchmarkError) {
    switch answers {
    case .atOnce:
      try write(reply)
      answered = clock.now
    case .after(let delay):
      held += reply
      due = due ?? clock.now + delay
    case .never: break
    }
  }

  private func sendHeld() throws(BenchmarkError) {
    try write(held)
    (held, due, answered) = ("", nil, clock.now)
  }

  /// Replies and keys are short: the terminal takes them whole, or the program has long stopped
  /// reading.
  private func write(_ text: String) throws(BenchmarkError) {
    let bytes = Array(text.utf8)
    guard terminal.write(bytes[...]) == bytes.count else {
      throw .notReading(program: name)
    }
  }

  /// Waits until one of `marks` is shown.
  ///
  /// - Returns: when it was.
  package func show(
    _ marks: [String], named what: String, within limit: Duration
  ) throws(BenchmarkError) -> ContinuousClock.Instant {
    let end = clock.now + limit
    while clock.now < end {
      if let time = try receive(end - clock.now), marks.contains(where: output.shows) {
        output.forgetText()
        return time
      }
    }
    throw .late(
      program: name, waitingFor: what, seconds: Int(limit.components.seconds))
  }

  /// Waits until nothing came and nothing was done for `calm`. Some programs begin to do something
  /// of use when they were left alone for a while; a second is enough to see it.
  ///
  /// - Returns: when the last bytes came; nil where none did.
  @discardableResult
  package func becomeCalm(
    for calm: Duration = .milliseconds(100), within limit: Duration
  ) throws(BenchmarkError) -> ContinuousClock.Instant? {
    let end = clock.now + limit
    var last = clock.now
    var lastBytes: ContinuousClock.Instant?
    processes = ProcessFigures.processes(ofSession: process.processID)
    while clock.now < end, clock.now - last < calm {
      if let time = try receive(Self.quiet) {
        (last, lastBytes) = (clock.now, time)
      } else if ProcessFigures.isAnyBusy(processes) {
        last = clock.now
      }
    }
    return lastBytes
  }

  /// Sends `keys` and waits for nothing.
  package func type(_ keys: String) throws(BenchmarkError) { try write(keys) }

  /// Sends `keys` and waits for the whole answer; nil where there is none.
  package func press(_ keys: String, within limit: Duration) throws(BenchmarkError) -> Answer? {
    let before = byteCount
    let start = clock.now
    try write(keys)
    return try answer(since: start, bytesBefore: before, within: limit)
  }

  package func resize(
    to size: TerminalSize, within limit: Duration
  ) throws(BenchmarkError) -> Answer? {
    let before = byteCount
    let start = clock.now
    self.size = size
    try terminal.resize(to: size)
    return try answer(since: start, bytesBefore: before, within: limit)
  }

  /// Sends the keys as fast as the terminal takes them and waits until all is answered.
  package func burst(_ keys: String, within limit: Duration) throws(BenchmarkError) -> Answer? {
    let before = byteCount
    let start = clock.now
    var left = Array(keys.utf8)[...]
    var first: ContinuousClock.Instant?
    var last: ContinuousClock.Instant?
    while !left.isEmpty, clock.now - start < limit {
      left = left.dropFirst(terminal.write(left.prefix(1_024)))
      if let time = try receive(left.isEmpty ? .zero : limit, orRoom: true) {
        first = first ?? time
        last = time
      }
    }
    let rest = try answer(since: start, bytesBefore: before, within: limit)
    guard let end = rest?.last ?? last.map({ $0 - start }) else { return nil }
    return Answer(
      first: first.map { $0 - start } ?? rest?.first ?? end, last: end, bytes: byteCount - before)
  }

  private func answer(
    since start: ContinuousClock.Instant, bytesBefore: Int, within limit: Duration
  ) throws(BenchmarkError) -> Answer? {
    let end = start + limit
    var first: ContinuousClock.Instant?
    var last = start
    while clock.now < end {
      let wait = first == nil ? Self.patience - (clock.now - start) : Self.quiet
      if let time = try receive(max(Self.quiet, wait)) {
        first = first ?? time
        last = time
      } else if !ProcessFigures.isAnyBusy(processes) {
        break
      }
    }
    guard let first else { return nil }
    return Answer(first: first - start, last: last - start, bytes: byteCount - bytesBefore)
  }

  /// Waits until more than `count` bytes have come in all.
  ///
  /// - Returns: when they had.
  package func wait(
    forBytes count: Int, named what: String, within limit: Duration
  ) throws(BenchmarkError) -> ContinuousClock.Instant {
    let end = clock.now + limit
    while clock.now < end {
      if let time = try receive(end - clock.now), byteCount > count { return time }
    }
    throw .late(program: name, waitingFor: what, seconds: Int(limit.components.seconds))
  }

  /// Waits until more than `count` bytes have come in one burst, and then until nothing was done
  /// for 100 ms. Bursts lie ``pause`` apart: a frame is one, and shorter ones that follow are
  /// others.
  ///
  /// - Returns: when the last burst of so many bytes had ended.
  package func wait(
    forBurst count: Int, named what: String, within limit: Duration
  ) throws(BenchmarkError) -> ContinuousClock.Instant {
    let calm = Duration.milliseconds(100)
    let end = clock.now + limit
    var burst = (bytes: 0, last: clock.now)
    var found: ContinuousClock.Instant?
    var last = clock.now
    processes = ProcessFigures.processes(ofSession: process.processID)
    while clock.now < end {
      let before = byteCount
      if let time = try receive(found == nil ? end - clock.now : Self.quiet) {
        burst.bytes = byteCount - before + (time - burst.last < Self.pause ? burst.bytes : 0)
        (burst.last, last) = (time, time)
        if burst.bytes > count { found = time }
      } else if ProcessFigures.isAnyBusy(processes) {
        last = clock.now
      }
      if let found, clock.now - last >= calm { return found }
    }
    throw .late(program: name, waitingFor: what, seconds: Int(limit.components.seconds))
  }

  /// Waits for what comes next, and calls `look` whenever so long has passed before it.
  ///
  /// - Returns: when it came; nil where the program has ended.
  package func next(
    within pause: Duration, _ look: () -> Void
  ) throws(BenchmarkError) -> ContinuousClock.Instant? {
    while true {
      look()
      do {
        if let time = try receive(pause) { return time }
      } catch {
        if case .ended = error { return nil }
        throw error
      }
    }
  }

  /// Does nothing for so long but read.
  package func rest(_ duration: Duration) throws(BenchmarkError) {
    let end = clock.now + duration
    while clock.now < end { _ = try receive(end - clock.now) }
  }

  package var figures: ProcessFigures? { ProcessFigures(session: process.processID) }
}
