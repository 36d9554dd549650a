import Glibc
import TestSupport
import Testing

/// After a crash the terminal is restored, nothing more is written to it, and the process ends at
/// once.
@Suite(.ownThreads) struct CrashTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  /// By default, Swift's runtime would start its debugger, if installed, and prompt for 30 seconds.
  @Test(
    arguments: ["", "color=no", "enable=no", "enable=0,color=yes"], [SIGSEGV, SIGABRT, SIGILL])
  func noBacktraceUnlessAskedFor(settings: String, signal: Int32) async throws {
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: ["SWIFT_BACKTRACE": settings],
      size: TerminalSize(columns: 60, rows: 20))
    try await session.settle { $0.contains("post 1 of 40") }
    let count = await session.transcript.count
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    let after = await session.transcript.dropFirst(count)
    #expect(String(decoding: after, as: UTF8.self).hasSuffix("\u{1B}[?1049l\u{1B}[23;0;0t"))
    #expect(try await session.isCooked())
  }

  @Test(arguments: [SIGSEGV, SIGQUIT])
  func noneWhilePrinting(signal: Int32) async throws {
    let session = try ProgramUnderTest.start(
      ["--plain", "--format", "jsonl", "-"], home: home, environment: ["SWIFT_BACKTRACE": ""])
    await session.send(#"{"id":"1","content_text":"high water"}"# + "\n")
    // The program's output, not the terminal's echo.
    try await session.waitFor(written: "\nhigh water\r\n")
    let count = await session.transcript.count
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    #expect(await session.transcript.count == count)
  }
}
