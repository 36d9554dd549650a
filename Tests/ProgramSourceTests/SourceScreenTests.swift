import Glibc
import TestSupport
import Testing

/// Sources of any size and kind on the screen of the real program.
@Suite(.ownThreads) struct SourceScreenTests {
  private let home: TemporaryFolder
  private let size = TerminalSize(columns: 60, rows: 20)

  init() throws { home = try TemporaryFolder() }

  private func open(_ path: String) throws -> TerminalSession {
    try ProgramUnderTest.start([path], home: home, size: size)
  }

  /// The program with the output of a shell command as its input.
  private func pipe(_ command: String, columns: Int = 60) throws -> TerminalSession {
    try TerminalSession(
      path: "/bin/sh", arguments: ["-c", "\(command) | \"$0\" -", ProgramUnderTest.path()],
      environment: ProgramUnderTest.environment(home: home),
      size: TerminalSize(columns: columns, rows: 20))
  }

  /// The list's rows without the scroll bar, which changes as rows become known.
  private func rows(_ screen: ScreenSnapshot) -> [Substring] {
    screen.lines[0..<18].map { $0.prefix(58) }
  }

  private func append(_ text: String, to path: String) throws {
    let descriptor = openFile(path, O_WRONLY | O_APPEND)
    try #require(descriptor >= 0)
    let written = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    #expect(written == text.utf8.count)
  }

  @Test func theEndStaysInPlaceWhileCounting() async throws {
    let path = try home.write(TestTimeline.lines(50_000), to: "many.jsonl")
    let session = try open(path)
    try await session.waitFor(text: "post 1 of")
    await session.send("G")
    let first = try await session.waitFor("the end") {
      $0.contains("post 49999 at the tide gauge") || $0.contains("of post 49999")
    }
    let counted = try await session.settle { $0.contains("post 50000 of 50000") }
    #expect(rows(counted) == rows(first))
    await session.send("g")
    try await session.settle { $0.contains("post 1 of 50000") }
    await session.send("50%")
    let middle = try await session.settle { $0.contains("#25000 harbour") }
    #expect(middle.contains("post 25001 of 50000"))
    await session.send("35000G")
    try await session.settle { $0.contains("post 35000 of 50000") }
  }

  /// A move typed before the first rows is carried out when they arrive.
  @Test(arguments: ["lines", "document"], ["G", "30G"])
  func earlyMovesWaitForRows(form: String, keys: String) async throws {
    let posts = (1...40).map { TestTimeline.json(["id": "\($0)", "content_text": "number \($0)"]) }
    let path = try home.write(
      form == "lines"
        ? posts.joined(separator: "\n") + "\n"
        : "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":["
          + posts.joined(separator: ",") + "]}",
      to: "posts")
    let gate = home.path + "/gate"
    let session = try pipe("mkfifo '\(gate)'; { read _ <'\(gate)'; cat '\(path)'; }")
    try await session.waitFor(text: "loading")
    await session.send(keys)
    try await session.waitFor(text: "seeking, any key stops")
    let descriptor = openFile(gate, O_WRONLY)
    #expect(write(descriptor, "\n", 1) == 1)
    close(descriptor)
    try await session.settle { $0.contains("post \(keys == "G" ? 40 : 30) of 40") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aFileThatGrowsIsFollowedAtTheEndOnly() async throws {
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    let session = try open(path)
    let top = try await session.settle { $0.contains("post 1 of 40") }
    try append(TestTimeline.json(["content_text": "the forty-first"]) + "\n", to: path)
    let grown = try await session.settle { $0.contains("post 1 of 41") }
    #expect(rows(grown) == rows(top))
    await session.send("G")
    try await session.settle { $0.contains("the forty-first") }
    try append(TestTimeline.json(["content_text": "the forty-second"]) + "\n", to: path)
    try await session.settle { $0.contains("the forty-second") }
  }

  @Test func truncationIsReported() async throws {
    let path = try home.write(TestTimeline.lines(20_000), to: "tides.jsonl")
    let session = try open(path)
    let before = try await session.settle { $0.contains("post 1 of 20000") }
    #expect(truncate(path, 2_000) == 0)
    let after = try await session.settle { $0.contains("cut") }
    #expect(rows(after) == rows(before))
    // Rows read in idle time before the cut are still shown; pages further away were not read.
    await session.send("G")
    var screen = try await session.settle {
      $0.contains("post 20000 of") || $0.contains("error · ")
    }
    for _ in 0..<40 where !screen.contains("⚠ the file") {
      await session.send("b")
      screen = try await session.settle()
    }
    #expect(screen.contains("⚠ the file"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aPipeThatEndsInTheMiddleOfALine() async throws {
    let session = try pipe(
      "printf '{\"content_text\":\"whole\"}\\n{\"content_text\":\"half a line'")
    let screen = try await session.settle { $0.contains("of 2") }
    #expect(screen.contains("whole") && screen.contains("half a line"))
    #expect(screen.contains("⚠"))
  }

  @Test func aDocumentOutOfAPipe() async throws {
    let path = try home.write(
      "{\"title\":\"Tides\",\"items\":[{\"id\":1,\"content_text\":\"one\"},{\"id\":2,\"content_text\":\"two\"}]}",
      to: "feed.json")
    let session = try pipe("cat \(path)")
    let screen = try await session.settle { $0.contains("post 1 of 2") }
    #expect(screen.contains("Tides") && screen.contains("one") && screen.contains("two"))
  }

  @Test func anyKeyStopsSeekingInAnEndlessPipe() async throws {
    let session = try pipe("yes '{\"content_text\":\"hello\"}'", columns: 90)
    try await session.waitFor(text: "hello")
    await session.send("G")
    try await session.waitFor(text: "any key stops")
    await session.send("j")
    try await session.waitFor("the search's end") { !$0.contains("any key stops") }
    await session.send("j")
    try await session.waitFor(text: "post 2 of")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// A row that is an error has no number, and keys reach it.
  @Test func errorsAreNoPosts() async throws {
    let lines = ["one", "", "two", "", "three"].map {
      $0.isEmpty ? "{\"id\": broken" : TestTimeline.json(["content_text": $0])
    }
    let path = try home.write(lines.joined(separator: "\n") + "\n", to: "bad.jsonl")
    let session = try ProgramUnderTest.start([path], home: home, size: size)
    try await session.settle { $0.contains("post 1 of 3") }
    await session.send("j")
    try await session.settle { $0.contains("error · 3 posts") }
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains(" · the post") && $0.contains("⚠") }
    await session.send("qj")
    try await session.settle { $0.contains("post 2 of 3") }
    await session.send("3G")
    try await session.settle { $0.contains("post 3 of 3") }
    await session.send("v")
    try await session.settle { $0.contains("post 3 of 3") && $0.contains("posts") }
    await session.send("Ftwo" + TerminalKey.enter)
    try await session.settle { $0.contains("post 1 of 1") && $0.contains("3 in all") }
  }

  @Test func hugeLinesAndInvalidBytes() async throws {
    var bytes = Array(TestTimeline.json(["content_text": "before"]).utf8) + [0x0A]
    bytes += [UInt8](repeating: 0x78, count: 6 << 20) + [0x0A]
    bytes += Array("{\"content_text\":\"bad ".utf8) + [0xFF, 0xFE] + Array("\"}\n".utf8)
    bytes += [0x41, 0, 0x42, 0x0A]
    let path = try home.write(bytes, to: "bad.jsonl")
    let session = try ProgramUnderTest.start(
      [path, "--format", "jsonl"], home: home, size: size)
    try await session.settle { $0.contains("post 1 of 4") && $0.contains("before") }
    await session.send("G")
    try await session.settle { $0.contains("post 4 of 4") && $0.contains("⚠") }
  }
}

// Inside a type with a method of the same name, the system's function needs another name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
