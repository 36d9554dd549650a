import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// However the program ends, the terminal is as it was.
@Suite struct RestorationTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func open() async throws -> TerminalSession {
    let path = try home.write(Fixtures.lines(40), to: "tides.jsonl")
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

  @Test func whileStoppedAndAfterwards() async throws {
    let session = try await open()
    let before = await session.snapshot
    await session.send(TerminalKey.control("z"))
    try await session.waitFor("the shell's screen") { !$0.isAlternate }
    #expect(try await session.isCooked())
    await session.send(signal: SIGCONT)
    let after = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    #expect(after.lines == before.lines)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }
}
