import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The whole screen, in a separate process in a pseudo-terminal.
@Suite struct ScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(
    personality: TerminalPersonality = .xterm, columns: Int = 60, rows: Int = 10,
    environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      path: ProgramUnderTest.path(of: "TerminalTestProgram"),
      environment: ProgramUnderTest.environment(home: home, adding: environment),
      size: TerminalSize(columns: columns, rows: rows), personality: personality)
  }

  private func expectRestored(_ session: TerminalSession) async throws {
    let screen = await session.snapshot
    let (isAlternate, isCursorVisible) = (screen.isAlternate, screen.isCursorVisible)
    #expect(!isAlternate)
    #expect(isCursorVisible)
    let left = [1000, 1002, 1006, 2004, 2026].filter { screen.modes[$0] == true }
    #expect(left.isEmpty)
    #expect(try await session.isCooked())
  }

  @Test func showsDrawnCanvas() async throws {
    let session = try start()
    let screen = try await session.waitFor(text: "[0] nothing")
    let (isAlternate, isCursorVisible) = (screen.isAlternate, screen.isCursorVisible)
    #expect(isAlternate)
    #expect(!isCursorVisible)
    let cursor = [screen.cursorRow, screen.cursorColumn]
    #expect(cursor == [2, 1])
    let reportsMouse = screen.modes[1006]
    #expect(reportsMouse == true)
    #expect(screen.line(0).hasPrefix(" row 0 潮位観測所からの報告 0000"))
    for row in 0..<9 { #expect(screen.cells[row][59].text == "│", "row \(row)") }
    #expect(screen.cells[3][1].foreground == .rgb(21, 120, 40))
    #expect(screen.cells[3][1].isBold)
    #expect(try await !session.isCooked())
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  @Test func fewerColoursUseTheNearest() async throws {
    let session = try start(personality: .indexed256)
    let screen = try await session.waitFor(text: "[0] nothing")
    #expect(screen.cells[3][1].foreground == .indexed(28))
  }

  @Test func noColorDisablesColours() async throws {
    let session = try start(environment: ["NO_COLOR": "1"])
    let screen = try await session.waitFor(text: "[0] nothing")
    #expect(screen.cells[3][1].foreground == .standard)
    #expect(screen.cells[3][1].isBold)
  }

  @Test func silentTerminalsAreDrawnOn() async throws {
    let session = try start(personality: .mute)
    await session.send("j")
    let screen = try await session.waitFor(text: "[1] key j 0")
    #expect(screen.line(0).hasPrefix(" row 1 harbour gauge"))
  }

  @Test func unknownTerminalsAreDrawnOn() async throws {
    var personality = TerminalPersonality()
    personality.term = "brand-new-terminal"
    let session = try start(personality: personality)
    try await session.waitFor(text: "[0] nothing")
  }

  @Test(arguments: [("dumb", "cannot move its cursor"), ("", "TERM is not set")])
  func unusableTerminalsFail(term: String, message: String) async throws {
    var personality = TerminalPersonality()
    personality.term = term
    let session = try start(personality: personality, columns: 100)
    #expect(try await session.waitForExit() == .exited(66))
    let text = await session.snapshot.text
    #expect(text.contains(message))
    try await expectRestored(session)
  }

  @Test func keysPastesAndTheMouseArrive() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(TerminalKey.pageDown)
    try await session.waitFor(text: "key pageDown 0")
    await session.send(TerminalKey.control("e"))
    try await session.waitFor(text: "key e 4")
    await session.send(TerminalKey.escape)
    try await session.waitFor(text: "key escape 0")
    await session.send(TerminalKey.wheelDown(column: 7, row: 3))
    try await session.waitFor(text: "mouse wheelDown at 7,3")
    await session.send(TerminalKey.paste("q\r\nG"))
    try await session.waitFor(text: "paste \"q\\nG\"")
    await session.send("潮")
    try await session.waitFor(text: "[6] key 潮 0")
  }

  @Test func theMainLoopCallsItsTimer() async throws {
    let session = try start(environment: ["MAIN_LOOP": "1"])
    try await session.waitFor(text: "[0] nothing")
    await session.send("l")
    try await session.waitFor(text: "[1] later: second")
    await session.send("j")
    try await session.waitFor(text: "[2] key j 0")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  @Test func timersNeedTheMainLoop() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send("l")
    try await session.waitFor(text: "[1] no loop")
  }

  @Test func everyKeyOfABurstIsCounted() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(String(repeating: "j", count: 2000))
    let screen = try await session.waitFor(text: "[2000] key j 0")
    #expect(screen.line(0).hasPrefix(" row 2000 "))
  }

  /// The new line and the status line, and little else: the terminal itself scrolls.
  @Test func scrollingSendsLittleMoreThanTheNewLine() async throws {
    let session = try start(columns: 200, rows: 50)
    try await session.settle { $0.contains("[0] nothing") }
    let before = await session.transcript.count
    await session.send("j")
    let screen = try await session.settle { $0.contains("[1] key j 0") }
    #expect(screen.line(48).hasPrefix(" row 49 "))
    #expect(await session.transcript.count - before < 400)
  }

  /// A place looks the same after scrolling to and fro as on a fresh screen.
  @Test(arguments: ["jjjjjkk", "jjkkjjjkjjk", "jjjjjjjjjjjjkkkkkkkkk"])
  func scrollingToAndFroShowsTheSame(keys: String) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    for (index, key) in keys.enumerated() {
      await session.send(String(key))
      try await session.waitFor(text: "[\(index + 1)] key \(key) 0")
    }
    let scrolled = try await session.settle()
    let jump = try start()
    try await jump.waitFor(text: "[0] nothing")
    await jump.send("jjj")
    let fresh = try await jump.settle { $0.contains("[3] key j 0") }
    for row in 0..<9 {
      let isSame = scrolled.cells[row] == fresh.cells[row]
      #expect(isSame, "\(scrolled.line(row)) for \(fresh.line(row))")
    }
  }

  /// However lines were moved, the screen equals its redraw: with rows and columns that stay in
  /// place, and on terminals whose lines ncurses moves (`vt100`).
  @Test(arguments: ["xterm-256color", "screen", "vt100"])
  func movedLinesEqualARedraw(term: String) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var personality = TerminalPersonality.xterm
    personality.term = term
    let session = try start(personality: personality, columns: 64, rows: 14)
    try await session.waitFor(text: "[0] nothing")
    var typed = ""
    for _ in 0..<Rounds.times(8) {
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard let key = "jjjjkkJJKGHS".randomElement(using: &random) else { continue }
        typed.append(key)
        await session.send(String(key))
        try await session.waitFor(text: "[\(typed.count)] key \(key) 0")
      }
      let moved = try await session.settle()
      typed.append("R")
      let shown = "[\(typed.count)] key R 0"
      await session.send("R")
      let drawn = try await session.settle { $0.contains(shown) }
      for row in 0..<13 {
        let isSame = moved.cells[row] == drawn.cells[row]
        #expect(
          isSame, "\(moved.line(row)) for \(drawn.line(row)) after \(typed), seed \(seed)")
      }
    }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  /// The pairs of colours run out; frames after that have the right colours.
  @Test func coloursNeverRunOut() async throws {
    let session = try start(columns: 200, rows: 50)
    try await session.waitFor(text: "[0] nothing")
    await session.send("c")
    let screen = try await session.settle { $0.contains("[1] key c 0") }
    for row in 3..<49 {
      #expect(screen.cells[row][1].foreground == .rgb(UInt8(row * 7 & 255), 120, 40), "row \(row)")
      #expect(screen.cells[row][1].background == .standard, "row \(row)")
    }
  }

  @Test func aNewSizeIsDrawnWhole() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    for (columns, rows) in [(100, 30), (31, 5), (1, 1), (2, 2), (60, 10)] {
      try await session.resize(columns: columns, rows: rows)
      guard columns > 30 else { continue }
      let screen = try await session.settle { $0.contains("size \(columns)x\(rows)") }
      for row in 0..<(rows - 1) { #expect(screen.cells[row][columns - 1].text == "│") }
    }
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
  func aCrashLeavesTheTerminalAsItWas(signal: Int32) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    try await expectRestored(session)
  }

  @Test(arguments: [("n", SIGSEGV), ("t", SIGILL), ("o", SIGSEGV), ("p", SIGSEGV), ("w", SIGSEGV)])
  func aFaultLeavesTheTerminalAsItWas(key: String, signal: Int32) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(key)
    #expect(try await session.waitForExit() == .signalled(signal))
    try await expectRestored(session)
  }

  /// The bytes that restore the terminal are written last, although the main thread is drawing.
  @Test(arguments: [[:], ["REPORTS_CRASHES": "1"]], 0..<4)
  func nothingIsDrawnAfterACrashOfAnotherThread(
    environment: [String: String], _: Int
  ) async throws {
    let session = try start(columns: 200, rows: 50, environment: environment)
    try await session.waitFor(text: "[0] nothing")
    await session.send("d")
    #expect(try await session.waitForExit() == .signalled(SIGSEGV))
    try await expectRestored(session)
    let transcript = await session.transcript
    let left = Array("\u{1B}[?1049l".utf8)
    let end = try #require(transcript.lastRange(of: left)).upperBound
    #expect(transcript.firstRange(of: left)?.upperBound == end)
    #expect(String(decoding: transcript[end...], as: UTF8.self) == "\u{1B}[23;0;0t")
  }

  /// By default the runtime prints backtraces and asks for a command. If they are wanted, the
  /// process still ends by the signal.
  @Test func aCrashThatIsReportedEndsTheProcess() async throws {
    let session = try start(environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"])
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: SIGABRT)
    #expect(try await session.waitForExit() == .signalled(SIGABRT))
    try await expectRestored(session)
  }

  /// Output of others to standard error would appear in the middle of the screen, and vanish with
  /// it.
  @Test(arguments: ["q", "x", "n"])
  func standardErrorIsShownAfterwards(key: String) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send("e")
    let screen = try await session.settle { $0.contains("key e 0") }
    #expect(!screen.contains("said meanwhile"))
    await session.send(key)
    try await session.waitForExit()
    let after = await session.snapshot
    #expect(after.contains("said meanwhile"))
    try await expectRestored(session)
  }

  /// The runtime's message is readable afterwards.
  @Test func withoutMemoryThereIsAnErrorLine() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send("m")
    let status = try await session.waitForExit()
    #expect(status == .signalled(SIGABRT) || status == .signalled(SIGILL))
    let transcript = await session.transcript
    let end = try #require(transcript.firstRange(of: Array("\u{1B}[?1049l".utf8))).upperBound
    #expect(await session.hasWritten("failed to allocate", after: end))
    try await expectRestored(session)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, SIGIO])
  func endingSignalsAreEvents(signal: Int32) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .exited(128 + signal))
    try await expectRestored(session)
  }

  // MARK: One signal ends the program, whatever it is doing

  private static let asking: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  @Test(arguments: asking) func signalsEndABusyProgram(signal: Int32) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send("b")
    try await session.waitFor(text: "busy")
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    try await expectRestored(session)
  }

  @Test(arguments: asking) func signalsEndABlockedProgram(signal: Int32) async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    try await session.typeUntilItHangs("c")
    await session.send(signal: signal)
    #expect(try await session.waitForExitWithoutReading() == .signalled(signal))
    #expect(try await session.isCooked())
  }

  /// By the first signal, although others follow.
  @Test func cleanupAfterTheScreenIsLimited() async throws {
    let session = try start(environment: ["NEVER_ENDS": "1"])
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: SIGTERM)
    try await session.waitFor(written: "\u{1B}[?1049l")
    #expect(try await session.waitForExit() == .signalled(SIGTERM))
    try await expectRestored(session)
  }

  /// An alarm sent by a process is a request like others, and not the deadline of an earlier
  /// request.
  @Test func anAlarmIsNoDeadline() async throws {
    let session = try start(environment: ["MAIN_LOOP": "1"])
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: SIGSTOP)
    await session.send(signal: SIGALRM)
    await session.send(signal: SIGCONT)
    #expect(try await session.waitForExit() == .exited(128 + SIGALRM))
    try await expectRestored(session)
  }

  @Test(arguments: ["", "1"]) func exitNeedsNoPoolThread(mainLoop: String) async throws {
    var environment = ["BUSY_POOL": "1"]
    if !mainLoop.isEmpty { environment["MAIN_LOOP"] = mainLoop }
    let session = try start(environment: environment)
    try await session.waitFor(text: "[0] nothing")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  @Test func leavingWithoutClosingRestores() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send("x")
    #expect(try await session.waitForExit() == .exited(7))
    try await expectRestored(session)
  }

  /// No process could continue a program without a shell, so it goes on at once.
  @Test func suspendingWithoutAShellGoesOn() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(TerminalKey.control("z"))
    let screen = try await session.settle { $0.contains("resumed") }
    let (isAlternate, isCursorVisible) = (screen.isAlternate, screen.isCursorVisible)
    #expect(isAlternate)
    #expect(!isCursorVisible)
    #expect(screen.line(0).hasPrefix(" row 0 "))
    #expect(try await !session.isCooked())
  }

  @Test func aStopThatCannotBeCaughtIsRepairedAfterwards() async throws {
    let session = try start()
    try await session.waitFor(text: "[0] nothing")
    await session.send(signal: SIGSTOP)
    await session.send(signal: SIGCONT)
    let screen = try await session.settle { $0.contains("resumed") }
    let (isAlternate, reportsMouse) = (screen.isAlternate, screen.modes[1006])
    let isCursorVisible = screen.isCursorVisible
    #expect(isAlternate)
    #expect(!isCursorVisible)
    #expect(reportsMouse == true)
    await session.send("j")
    try await session.waitFor(text: "key j 0")
  }

  @Test func nothingRunsWithoutInput() async throws {
    let session = try start()
    await session.send("j\u{1B}")
    try await session.settle { $0.contains("key escape") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
  }
}
