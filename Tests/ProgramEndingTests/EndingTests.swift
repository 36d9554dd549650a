import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// One signal ends the program during any work, and so does `q` while its main thread is free; the
/// terminal is restored. None of this work would end by itself.
@Suite(.ownThreads) struct EndingTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let signals: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private func expectRestored(_ session: TerminalSession) async throws {
    let screen = await session.snapshot
    #expect(!screen.isAlternate)
    #expect(screen.isCursorVisible)
    let left = [1000, 1002, 1003, 1006, 2004].filter { screen.modes[$0] == true }
    #expect(left.isEmpty)
    #expect(try await session.isCooked())
  }

  /// More sources than tasks run at once, each continued by a hole of 4 TB.
  private func openEndlessSources(_ options: [String] = []) throws -> TerminalSession {
    let paths = try (0..<9).map { number in
      let path = try home.write(TestTimeline.lines(400), to: "\(number).jsonl")
      try #require(truncate(path, 4 << 40) == 0)
      return path
    }
    return try ProgramUnderTest.start(options + paths, home: home)
  }

  @Test(arguments: ["q", TerminalKey.control("c")])
  func aKeyWhileEndlessSourcesAreMerged(key: String) async throws {
    let session = try openEndlessSources()
    try await session.waitFor(text: "loading")
    await session.send(key)
    #expect(try await session.waitForExit() == .exited(key == "q" ? 0 : 130))
    try await expectRestored(session)
  }

  @Test(arguments: signals) func whileEndlessSourcesAreMerged(signal: Int32) async throws {
    let session = try openEndlessSources()
    try await session.waitFor(text: "loading")
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .exited(128 + signal))
    try await expectRestored(session)
  }

  @Test(arguments: signals) func whileTheTerminalTakesNothing(signal: Int32) async throws {
    let path = try home.write(TestTimeline.lines(400), to: "tides.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("1 of 400") }
    try await session.typeUntilItHangs(TerminalKey.control("l"))
    await session.send(signal: signal)
    #expect(try await session.waitForExitWithoutReading() == .signalled(signal))
    #expect(try await session.isCooked())
  }

  /// The file is replaced by a pipe without a writer, which does not open until one comes: keys
  /// still work, and a signal ends the program as usual.
  @Test(arguments: signals) func whileAFileDoesNotOpen(signal: Int32) async throws {
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("1 of 40") }
    try #require(mkfifo(path + ".pipe", 0o600) == 0)
    try #require(rename(path + ".pipe", path) == 0)
    await session.send("rjj")
    try await session.settle { $0.contains("3 of 40") }
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .exited(128 + signal))
    try await expectRestored(session)
  }

  /// The opener keeps running.
  @Test func whileAProgramOpensALink() async throws {
    let script = "#!/bin/sh\necho $$ > \(home.path)/begun\nexec sleep 600\n"
    let program = try home.write(script, to: "opener")
    try #require(chmod(program, 0o700) == 0)
    let post = ["title": "#0 harbour", "content_text": "Text.", "url": "https://127.0.0.1/0"]
    let path = try home.write(TestTimeline.json(post) + "\n", to: "tides.jsonl")
    try home.write("set opener \(program)\n", to: "config/tideline/config")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("#0 harbour") }
    await session.send("o")
    while !FileManager.default.fileExists(atPath: home.path + "/begun") {
      try await session.watch(for: .milliseconds(20))
    }
    await session.send(signal: SIGTERM)
    #expect(try await session.waitForExit() == .exited(128 + SIGTERM))
    try await expectRestored(session)
    let number = try String(contentsOfFile: home.path + "/begun", encoding: .utf8)
    if let process = Int32(number.split(separator: "\n").first ?? "") { kill(process, SIGKILL) }
  }

  @Test(arguments: signals) func whilePostsArePrinted(signal: Int32) async throws {
    let pipe = home.path + "/tides"
    try #require(mkfifo(pipe, 0o600) == 0)
    let session = try ProgramUnderTest.start(["--plain", pipe], home: home)
    await session.send(signal: signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    #expect(try await session.isCooked())
  }

  /// Nothing is printed, as each source is read to its end first.
  @Test func whileEndlessSourcesArePrinted() async throws {
    let session = try openEndlessSources(["--json"])
    while try await session.switches().count < 3 { try await session.watch(for: .milliseconds(20)) }
    await session.send(signal: SIGTERM)
    #expect(try await session.waitForExit() == .signalled(SIGTERM))
  }
}
