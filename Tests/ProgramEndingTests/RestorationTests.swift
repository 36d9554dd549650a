import Glibc
import TestSupport
import Testing

/// The terminal is restored however the program ends.
@Suite(.ownThreads) struct RestorationTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func open() async throws -> TerminalSession {
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 60, rows: 20))
    let screen = try await session.settle { $0.contains("post 1 of 40") }
    #expect(screen.isAlternate)
    #expect(try await !session.isCooked())
    return session
  }

  private func expectRestored(_ session: TerminalSession) async throws {
    let screen = await session.snapshot
    #expect(!screen.isAlternate)
    #expect(screen.isCursorVisible)
    for mode in [1000, 1002, 1003, 1006, 2004] {
      #expect(screen.modes[mode] != true, "mode \(mode) is still set")
    }
    #expect(try await session.isCooked())
  }

  @Test func afterQ() async throws {
    let session = try await open()
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  @Test func afterControlC() async throws {
    let session = try await open()
    await session.send(TerminalKey.control("c"))
    #expect(try await session.waitForExit() == .exited(130))
    try await expectRestored(session)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS])
  func afterSignal(signal: Int32) async throws {
    let session = try await open()
    await session.send(signal: signal)
    let status = try await session.waitForExit()
    #expect(status == .signalled(signal) || status == .exited(128 + signal))
    try await expectRestored(session)
  }

  /// The cursor motion of an adm3a switches the keypad of other terminals.
  @Test func theKeypadOfATerminalTakenForAnAdm3a() async throws {
    let entry = try home.write(
      "adm3a|test,\n\tam, cols#80, lines#24, clear=^Z, cr=\\r, cub1=^H, cud1=^J, cuf1=^L,\n"
        + "\tcup=\\E=%p1%' '%+%c%p2%' '%+%c, cuu1=^K, home=^^, ind=^J,\n", to: "adm3a.ti")
    let compiled = try await PipedRun.run(
      path: "/usr/bin/env", arguments: ["tic", "-o", home.path + "/terminfo", entry],
      environment: ProgramUnderTest.environment(home: home))
    #expect(compiled.status == .exited(0), "\(compiled.errorText)")
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    var personality = TerminalPersonality.mute
    personality.term = "adm3a"
    for ending in ["q", TerminalKey.control("c"), ""] {
      let session = try ProgramUnderTest.start(
        [path], home: home, environment: ["TERMINFO": home.path + "/terminfo"],
        personality: personality)
      try await session.waitFor(written: "post 1 of 40")
      if ending.isEmpty {
        await session.send(signal: SIGTERM)
      } else {
        await session.send(ending)
      }
      _ = try await session.waitForExit()
      let bytes = String(decoding: await session.transcript, as: UTF8.self)
      let last = try #require(bytes.ranges(of: "\u{1B}=").last)
      #expect(bytes[last.upperBound...].contains("\u{1B}>"), "after \(ending)")
    }
  }

  /// From a shell with job control: the kernel does not stop a process whose parent cannot continue
  /// it.
  @Test func whileStoppedAndAfterwards() async throws {
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    let session = try TerminalSession(
      path: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"],
      environment: ProgramUnderTest.environment(home: home, adding: ["PS1": "shell> "]),
      size: TerminalSize(columns: 60, rows: 20))
    try await session.waitFor(text: "shell>")
    await session.send("\(try ProgramUnderTest.path()) \(path)\r")
    let before = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    await session.send(TerminalKey.control("z"))
    try await session.settle("the shell's screen") { !$0.isAlternate && $0.contains("Stopped") }
    await session.send("fg\r")
    let after = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    #expect(after.list(rows: 20) == before.list(rows: 20))
    await session.send("q")
    try await session.settle("the shell's screen with its cursor") {
      !$0.isAlternate && $0.contains("shell>") && $0.isCursorVisible
    }
  }
}
