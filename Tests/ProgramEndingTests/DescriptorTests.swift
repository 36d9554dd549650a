import TestSupport
import Testing

/// With any standard input, output and error, the program shows its timeline, or ends with one line
/// about the problem.
@Suite(.ownThreads) struct DescriptorTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  private func start(_ redirections: String, _ arguments: [String]) throws -> TerminalSession {
    try ProgramUnderTest.start(
      by: #"exec "$0" "$@" "# + redirections, arguments, home: home,
      size: TerminalSize(columns: 100, rows: 20))
  }

  /// Reading and writing fail as if the descriptor were still closed: no other file has taken its
  /// number.
  @Test(arguments: [
    ("<&-", 66, "standard input: cannot be read"),
    ("<&- >&-", 66, "standard input: cannot be read"),
    (">&-", 74, "standard output: cannot be written"), ("<&- 2>&-", 66, ""),
    (">&- 2>&-", 74, ""), ("<&- >&- 2>&-", 66, ""), ("</", 66, "standard input: is a directory"),
    ("0>/dev/null", 66, "standard input: cannot be read"),
    (">/dev/full", 74, "standard output: cannot be written"),
    ("1</dev/null", 74, "standard output: cannot be written"),
  ])
  func badDescriptorsAreNamed(redirections: String, status: Int32, message: String) async throws {
    let session = try start(redirections, [])
    #expect(try await session.waitForExit() == .exited(status))
    let screen = await session.snapshot
    #expect(screen.line(0).hasPrefix(message.isEmpty ? "" : "tideline: \(message)"))
    #expect(screen.line(1).isEmpty)
    #expect(try await session.isCooked())
  }

  @Test(
    arguments: [">&-", ">/dev/full", "1</dev/null"],
    [["--help"], ["--version"], ["demo", "--list"]])
  func unwritableHelpIsAnError(redirections: String, arguments: [String]) async throws {
    let session = try start(redirections, arguments)
    #expect(try await session.waitForExit() == .exited(74))
    #expect(
      await session.snapshot.line(0).hasPrefix("tideline: standard output: cannot be written"))
  }

  /// To show a file, the program needs none of them: keys come from the controlling terminal, also
  /// if a descriptor is open in one direction only.
  @Test(arguments: [
    "<&-", "2>&-", "<&- 2>&-", "</dev/null", "0>/dev/tty", "1</dev/tty", "</ 2>/dev/null",
    "0>/dev/tty 1</dev/tty 2>&-", "<>/dev/tty",
  ])
  func aFileNeedsNoStandardInput(redirections: String) async throws {
    let session = try start(redirections, [path])
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("j")
    try await session.settle { !$0.contains("post 1 of 40") || $0.contains("post 2 of 40") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await !session.snapshot.isAlternate)
    #expect(try await session.isCooked())
  }

  /// Keys come from the terminal, so it cannot be read as a timeline.
  @Test func theTerminalIsNoTimeline() async throws {
    let session = try start("", ["-"])
    #expect(try await session.waitForExit() == .exited(66))
    #expect(await session.snapshot.contains("standard input: is the terminal that keys come from"))
  }

  /// A terminal in non-blocking mode, as a parent process may have left it, shows whole frames.
  @Test func nonBlockingTerminalsWork() async throws {
    let session = try ProgramUnderTest.start(
      by: """
        perl -e 'use Fcntl; fcntl(STDOUT, F_SETFL, fcntl(STDOUT, F_GETFL, 0) | O_NONBLOCK)
          or die; exec @ARGV' "$0" "$@"
        """, [path], home: home, size: TerminalSize(columns: 200, rows: 60))
    try await session.settle { $0.contains("post 1 of 40") && $0.contains("q quit") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await !session.snapshot.isAlternate)
  }
}
