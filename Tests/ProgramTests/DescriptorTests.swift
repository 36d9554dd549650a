import TestSupport
import Testing

/// Whatever standard input, output and error are, the program ends, shows its timeline or says in a
/// line what is wrong.
@Suite(.ownThreads, .serialized) struct DescriptorTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(Fixtures.lines(40), to: "tides.jsonl")
  }

  private func start(_ redirections: String, _ arguments: [String]) throws -> TerminalSession {
    try ProgramUnderTest.start(
      by: #"exec "$0" "$@" "# + redirections, arguments, home: home,
      size: TerminalSize(columns: 100, rows: 20))
  }

  /// Reading and writing fail as if it were still closed: no other file has got its number.
  @Test(arguments: [
    ("<&-", 66, "standard input: cannot be read"),
    ("<&- >&-", 66, "standard input: cannot be read"),
    (">&-", 74, "standard output: cannot be written"), ("<&- 2>&-", 66, ""),
    (">&- 2>&-", 74, ""), ("<&- >&- 2>&-", 66, ""), ("</", 66, "standard input: is a directory"),
    ("0>/dev/null", 66, "standard input: cannot be read"),
    (">/dev/full", 74, "standard output: cannot be written"),
    ("1</dev/null", 74, "standard output: cannot be written"),
  ])
  func whatCannotBeUsedIsNamed(redirections: String, status: Int32, message: String) async throws {
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
  func helpThatCannotBeWrittenIsAnError(redirections: String, arguments: [String]) async throws {
    let session = try start(redirections, arguments)
    #expect(try await session.waitForExit() == .exited(74))
    #expect(
      await session.snapshot.line(0).hasPrefix("tideline: standard output: cannot be written"))
  }

  /// A file needs none of them: keys come from the controlling terminal, as where one is open one
  /// way only.
  @Test(arguments: [
    "<&-", "2>&-", "<&- 2>&-", "</dev/null", "0>/dev/tty", "1</dev/tty", "</ 2>/dev/null",
    "0>/dev/tty 1</dev/tty 2>&-", "<>/dev/tty",
  ])
  func aFileIsShownWhateverStandardInputIs(redirections: String) async throws {
    let session = try start(redirections, [path])
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("j")
    try await session.settle { !$0.contains("post 1 of 40") || $0.contains("post 2 of 40") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await !session.snapshot.isAlternate)
    #expect(try await session.isCooked())
  }

  /// Keys come from there: it cannot be read as a timeline, too.
  @Test func theTerminalIsNoTimeline() async throws {
    let session = try start("", ["-"])
    #expect(try await session.waitForExit() == .exited(66))
    #expect(await session.snapshot.contains("standard input: is the terminal that keys come from"))
  }

  /// A terminal that does not block, as whoever started the program may have left it, is drawn on
  /// whole.
  @Test func aTerminalThatDoesNotBlock() async throws {
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
