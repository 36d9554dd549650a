import Glibc
import TestSupport
import Testing

/// Text from a pipe whose writer is still running, on the screen of the real program.
@Suite(.ownThreads) struct TextPipeScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The program with a pipe as its input, and the descriptor for writing into the pipe.
  private func open(_ arguments: String = "-") throws -> (TerminalSession, writer: Int32) {
    let path = home.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let session = try TerminalSession(
      path: "/bin/sh",
      arguments: ["-c", "\"$0\" \(arguments) <'\(path)'", ProgramUnderTest.path()],
      environment: ProgramUnderTest.environment(home: home),
      size: TerminalSize(columns: 80, rows: 20))
    return (session, openFile(path, O_WRONLY))
  }

  private func put(_ text: String, into writer: Int32) {
    let count = Array(text.utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
    #expect(count == text.utf8.count)
  }

  private func rows(_ screen: ScreenSnapshot) -> [Substring] {
    screen.lines[0..<18].map { $0.prefix(78) }
  }

  @Test func linesAndPartsShowImmediately() async throws {
    let (session, writer) = try open()
    put("64 bytes from the buoy", into: writer)
    try await session.waitFor(text: "64 bytes from the buoy")
    put(": time=1\n64 bytes: time=2\n", into: writer)
    let two = try await session.settle { $0.contains("time=1") && $0.contains("time=2") }
    #expect(two.contains("post 1 of ~1") && !two.contains("⚠"))
    put("Password: ", into: writer)
    try await session.waitFor(text: "Password:")
    put("\n\nanother paragraph", into: writer)
    let after = try await session.settle { $0.contains("another paragraph") }
    #expect(after.contains("of ~2"))
    #expect(rows(after).prefix(2) == rows(two).prefix(2))
    close(writer)
    try await session.waitFor(text: "post 1 of 2")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func theOpenParagraphIsFoundAndFollowedAtTheEndOnly() async throws {
    let (session, writer) = try open()
    for number in 1...60 { put("line \(number)\n", into: writer) }
    put("a needle", into: writer)
    let top = try await session.settle { $0.contains("line 18") }
    put(" in hay\n", into: writer)
    await session.send("/needle" + TerminalKey.enter)
    try await session.settle { $0.contains("a needle in hay") }
    await session.send("g")
    let again = try await session.settle { $0.contains("line 1 ") || $0.contains("line 1\n") }
    put("line 62\n", into: writer)
    let grown = try await session.settle()
    #expect(rows(grown) == rows(again))
    #expect(rows(top).prefix(17) == rows(again).prefix(17))
    await session.send("G")
    try await session.settle { $0.contains("line 62") }
    for number in 63...200 { put("line \(number)\n", into: writer) }
    let end = try await session.settle { $0.contains("line 200") }
    #expect(!end.contains("line 100 "))
    // After scrolling up, the place is kept.
    await session.send("kkk" + TerminalKey.control("y"))
    let up = try await session.settle()
    put("line 201\n", into: writer)
    let later = try await session.settle()
    #expect(rows(later) == rows(up) && !later.contains("line 201"))
    close(writer)
  }

  @Test func aSilentPipeStaysIdle() async throws {
    let (session, writer) = try open()
    put("waiting for the tide ...", into: writer)
    try await session.settle { $0.contains("waiting for the tide") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    close(writer)
  }

  /// The output for a pipe equals that for a file.
  @Test(arguments: ["--plain", "--json"]) func printedOutputIsTheSame(form: String) async throws {
    let text = "one\ntwo\n\nthree, not ended"
    let path = try home.write(text, to: "text")
    let file = try await ProgramUnderTest.run([form, path], home: home)
    let pipe = try await ProgramUnderTest.run([form, "-"], input: Array(text.utf8), home: home)
    #expect(pipe.status == .exited(0) && pipe.text == file.text)
  }
}

// Inside a type with a method of the same name, the system's function needs another name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
