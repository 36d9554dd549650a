import Testing

@testable import TestSupport

/// The harness with small programs that every system has.
@Suite struct TerminalSessionTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func shell(
    _ script: String, size: TerminalSize = TerminalSize(columns: 40, rows: 6),
    personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    try TerminalSession(
      path: "/bin/bash", arguments: ["--norc", "-c", script],
      environment: ProgramUnderTest.environment(home: home), size: size, personality: personality)
  }

  @Test func showsPrintedText() async throws {
    let session = try shell(#"printf 'one\r\n\033[1;31mtwo\033[m\r\n\033[48;2;1;2;3m3\033[m'"#)
    #expect(try await session.waitForExit() == .exited(0))
    let screen = await session.snapshot
    #expect(screen.lines.prefix(4) == ["one", "two", "3", ""])
    #expect(screen.cells[1][0].foreground == .indexed(1))
    #expect(screen.cells[1][0].isBold)
    #expect(screen.cells[2][0].background == .rgb(1, 2, 3))
    #expect(screen.cells[0][0].background == .standard)
    #expect((screen.cursorRow, screen.cursorColumn) == (2, 1))
  }

  @Test func wideCharactersTakeTwoCells() async throws {
    let session = try shell("printf '潮🌊é|'")
    try await session.waitForExit()
    let screen = await session.snapshot
    #expect(screen.line(0) == "潮🌊é|")
    #expect(screen.cells[0].prefix(6).map(\.width) == [2, 0, 2, 0, 1, 1])
    #expect(screen.column(of: "é|", inRow: 0) == 4)
    #expect(screen.column(of: "no", inRow: 0) == nil)
  }

  @Test func keysReachTheProgramAndItsTerminal() async throws {
    let session = try TerminalSession(
      path: "/bin/cat", environment: ProgramUnderTest.environment(home: home))
    await session.send("ebb\r")
    let screen = try await session.waitFor("the echo and the answer") {
      $0.lines.prefix(2) == ["ebb", "ebb"]
    }
    #expect(screen.row(containing: "ebb") == 0)
    #expect(try await session.isCooked())
    await session.send(TerminalKey.control("d"))
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func manyKeysAtOnceAllArrive() async throws {
    let session = try shell("stty raw -echo; echo go; head -c 100000 | wc -c")
    try await session.waitFor(text: "go")
    #expect(try await !session.isCooked())
    await session.send(String(repeating: "j", count: 100_000))
    try await session.waitFor(text: "100000")
  }

  @Test func resizeIsSignalledAndSeen() async throws {
    let session = try shell(
      "trap 'stty size' WINCH; stty size; while :; do read -r -t 1 line; done")
    try await session.waitFor(text: "6 40")
    try await session.resize(columns: 60, rows: 9)
    let screen = try await session.waitFor(text: "9 60")
    #expect((screen.columns, screen.rows) == (60, 9))
  }

  @Test func itIsTheControllingTerminal() async throws {
    let session = try shell("read -r line < /dev/tty; echo got $line; tty")
    await session.send("x\r")
    let screen = try await session.waitFor(text: "/dev/")
    #expect(screen.contains("got x"))
  }

  @Test func alternateScreenCursorAndModes() async throws {
    let session = try shell(
      #"printf 'under\033[?1049h\033[?25l\033[?2004hover'; read -r; printf '\033[?1049l\033[?25h'"#)
    let over = try await session.waitFor(text: "over")
    #expect(over.isAlternate && !over.isCursorVisible && over.modes[2004] == true)
    #expect(!over.contains("under"))
    await session.send("\r")
    let under = try await session.waitFor("the main screen") { !$0.isAlternate }
    #expect(under.contains("under") && under.modes[1049] == false)
  }

  @Test func exitStatusAndSignal() async throws {
    #expect(try await shell("exit 65").waitForExit() == .exited(65))
    #expect(try await shell("kill -9 $$").waitForExit() == .signalled(9))
  }

  @Test func aConditionThatNeverHoldsEndsInAnErrorWithTheScreen() async throws {
    let session = try shell("echo here; read -r")
    try await session.waitFor(text: "here")
    let error = await #expect(throws: HarnessError.self) {
      try await session.waitFor(text: "there", within: .milliseconds(50))
    }
    #expect(error.map { "\($0)" }?.contains("here") == true)
    let ended = try shell("echo bye")
    let other = await #expect(throws: HarnessError.self) { try await ended.waitFor(text: "there") }
    #expect(other.map { "\($0)" }?.contains("exit status 0") == true)
  }

  @Test func settleWaitsForTheLastOutput() async throws {
    let session = try shell("for i in 1 2 3 4 5; do echo $i; read -r -t 0.03; done; read -r")
    let screen = try await session.settle(quiet: .milliseconds(500)) { $0.contains("1") }
    #expect(screen.lines.prefix(5) == ["1", "2", "3", "4", "5"])
  }

  @Test(arguments: [
    ("\\033[c", "\u{1b}[?62;22c", TerminalPersonality.xterm),
    ("\\033[48;2;1;2;3m\\033P\\$qm\\033\\\\\\\\\\033[c", "48:2:1:2:3", .xterm),
    ("\\033[48;2;1;2;3m\\033P\\$qm\\033\\\\\\\\\\033[c", "48:5:16", .indexed256),
    ("\\033[16t\\033[c", "\u{1b}[6;16;8t", .xterm),
    ("\\033[?2026\\$p\\033[c", "\u{1b}[?2026;0$y", .xterm),
    ("\\033[>q\\033[c", "XTerm(379)", .xterm),
    ("xyz\\033[6n\\033[c", "\u{1b}[1;4R\u{1b}[?62;22c", .xterm),
  ])
  func queriesAreAnswered(query: String, reply: String, personality: TerminalPersonality)
    async throws
  {
    // The reply is read up to the final letter of the primary device attributes, requested last.
    let session = try shell(
      "stty raw -echo; printf \"\(query)\"; IFS= read -r -d c answer; stty cooked; "
        + "printf '%s' \"${answer}c\" | od -An -c | tr -d ' \\n'; echo .end",
      size: TerminalSize(columns: 200, rows: 5), personality: personality)
    let screen = try await session.waitFor(text: ".end")
    let expected = reply.unicodeScalars.map { $0.value == 27 ? "033" : String($0) }.joined()
    #expect(screen.text.replacing("\n", with: "").contains(expected))
  }

  @Test func aMuteTerminalAnswersNothing() async throws {
    let session = try shell(
      #"stty raw -echo; printf '\033[c\033[6n'; read -r -t 0.1 -N 1 answer; echo "[$answer]$?""#,
      personality: .mute)
    try await session.waitFor(text: "[]142")
  }

  @Test func applicationStringsAreNotPrinted() async throws {
    let session = try shell(#"printf 'a\033_Gi=31,a=q;AAAA\033\\b\033^x\033\\c'"#)
    try await session.waitForExit()
    #expect(await session.snapshot.line(0) == "abc")
  }
}
