import Glibc
import TestSupport
import Testing

/// The terminal is restored after any signal at any time.
@Suite(.ownThreads) struct SignalTests {
  /// Signals that end a process: from users and the system, from timers and limits, and unused
  /// ones.
  static let ending: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU,
    SIGXFSZ, SIGIO, 16, 30, 34, 50, 64,
  ]
  static let crashing: [Int32] = [SIGSEGV, SIGABRT, SIGSYS, SIGTRAP]
  static let stopping: [Int32] = [SIGTSTP, SIGTTIN, SIGTTOU]

  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  /// A terminal that does not reply during a test.
  private static let slow = ["TIDELINE_PROBE_MILLISECONDS": "60000"]
  /// The last query.
  private static let lastQuestion = "\u{1B}[c"
  /// The final reply of such a terminal.
  private static let lastAnswer = "\u{1B}[?62;22c"

  private func open(
    environment: [String: String] = [:], personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    try ProgramUnderTest.start(
      [path], home: home, environment: environment, size: TerminalSize(columns: 60, rows: 20),
      personality: personality)
  }

  private func expectEnd(_ session: TerminalSession, by signal: Int32) async throws {
    await session.send(signal: signal)
    let status = try await session.waitForExit()
    #expect(status == .signalled(signal) || status == .exited(128 + signal))
    let screen = await session.snapshot
    #expect(!screen.isAlternate)
    #expect(screen.isCursorVisible)
    let left = [1000, 1002, 1003, 1006, 2004, 2026].filter { screen.modes[$0] == true }
    #expect(left.isEmpty)
    #expect(try await session.isCooked())
  }

  @Test(arguments: ending + crashing)
  func duringTheQueries(signal: Int32) async throws {
    let session = try open(environment: Self.slow, personality: .mute)
    try await session.waitFor(written: Self.lastQuestion)
    try await expectEnd(session, by: signal)
  }

  @Test(arguments: ending + crashing)
  func beforeTheFirstFrame(signal: Int32) async throws {
    let session = try open()
    // The main loop may read signals already, or not yet.
    try await session.waitFor(written: "\u{1B}[?2004h")
    try await expectEnd(session, by: signal)
  }

  @Test(arguments: ending + crashing)
  func whileItRuns(signal: Int32) async throws {
    let session = try open()
    try await session.settle { $0.contains("post 1 of 40") }
    try await expectEnd(session, by: signal)
  }

  /// A shell with job control that runs the program and, when it has stopped, waits for a command
  /// line and executes it.
  private func openInShell(
    _ environment: [String: String] = [:], personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    let script = #"set -m; "$0" "$@"; echo "has stopped"; read line; $line; wait; echo "has ended""#
    return try ProgramUnderTest.start(
      by: script, [path], home: home, environment: environment,
      size: TerminalSize(columns: 60, rows: 20), personality: personality)
  }

  /// - Returns: the program's process id.
  @discardableResult
  private func stop(_ session: TerminalSession, by signal: Int32) async throws -> Int32 {
    let program = try #require(await session.childProcess)
    kill(program, signal)
    let screen = try await session.waitFor(text: "has stopped")
    #expect(!screen.isAlternate)
    #expect(screen.isCursorVisible)
    #expect(try await session.isCooked())
    return program
  }

  @Test(arguments: stopping)
  func stoppedWhileQueryingItQueriesAgain(signal: Int32) async throws {
    let session = try openInShell(Self.slow, personality: .mute)
    try await session.waitFor(written: Self.lastQuestion)
    try await stop(session, by: signal)
    let count = await session.transcript.count
    await session.send("fg\n")
    try await session.waitFor(written: Self.lastQuestion, after: count)
    #expect(try await !session.isCooked())
    await session.send(Self.lastAnswer)
    try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    await session.send("q")
    try await session.waitFor(text: "has ended")
    #expect(try await session.isCooked())
  }

  /// For example, a window manager places a new window: with a second set of queries, the end of
  /// the second set of replies would be read as keys.
  @Test func resizingDuringQueriesSendsNoneAgain() async throws {
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: Self.slow, size: TerminalSize(columns: 60, rows: 20),
      personality: .mute)
    try await session.waitFor(written: Self.lastQuestion)
    let count = await session.transcript.count
    try await session.resize(columns: 70, rows: 22)
    await session.send("\u{1B}[1;3R" + Self.lastAnswer)
    let screen = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    #expect(screen.isDrawnToTheEdge && !screen.contains("does nothing"))
    #expect(await !session.hasWritten(Self.lastQuestion, after: count))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test(arguments: stopping)
  func aStoppedProgramContinues(signal: Int32) async throws {
    let session = try openInShell()
    try await session.settle { $0.contains("post 1 of 40") }
    try await stop(session, by: signal)
    await session.send("fg\n")
    try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    #expect(try await !session.isCooked())
    await session.send("q")
    try await session.waitFor(text: "has ended")
    #expect(try await session.isCooked())
  }

  /// The shell has the terminal then, so nothing is written to it.
  @Test(arguments: [SIGTERM, SIGHUP, SIGUSR1, SIGALRM])
  func endedWhileItIsStopped(signal: Int32) async throws {
    let session = try openInShell()
    try await session.settle { $0.contains("post 1 of 40") }
    let program = try await stop(session, by: SIGTSTP)
    let count = await session.transcript.count
    kill(program, signal)
    await session.send("kill -CONT %1\n")
    try await session.waitFor(text: "has ended")
    #expect(await !session.hasWritten("\u{1B}", after: count))
    #expect(try await session.isCooked())
  }
}
