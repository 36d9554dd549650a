import Glibc
import TestSupport
import Testing

/// Whatever signal comes, and whenever: the terminal is given back.
@Suite(.ownThreads, .serialized) struct SignalTests {
  /// Those that end a process: what a user or a system sends, what timers and limits send, and what
  /// nobody sends.
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
    path = try home.write(Fixtures.lines(40), to: "tides.jsonl")
  }

  /// A terminal that does not answer for as long as a test takes.
  private static let slow = ["TIDELINE_PROBE_MILLISECONDS": "60000"]
  /// What is asked last.
  private static let lastQuestion = "\u{1B}[c"
  /// What such a terminal answers in the end.
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
  func whileTheTerminalIsAsked(signal: Int32) async throws {
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

  /// A shell with jobs: it runs the program, and when that has stopped, waits for a line and goes
  /// on with it.
  private func openInShell(
    _ environment: [String: String] = [:], personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    let script = #"set -m; "$0" "$@"; echo "has stopped"; read line; $line; wait; echo "has ended""#
    return try ProgramUnderTest.start(
      by: script, [path], home: home, environment: environment,
      size: TerminalSize(columns: 60, rows: 20), personality: personality)
  }

  /// - Returns: the process.
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
  func stoppedWhileTheTerminalIsAskedItAsksAgain(signal: Int32) async throws {
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

  /// As in a window manager that gives a new window its place: two sets of answers would be on
  /// their way, and the end of the second would be typed.
  @Test func aNewSizeWhileTheTerminalIsAskedAsksNothingAgain() async throws {
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
  func stoppedWhileItRunsItGoesOn(signal: Int32) async throws {
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

  /// The terminal is the shell's by then: nothing is drawn on it.
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
