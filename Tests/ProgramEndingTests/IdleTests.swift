import FoundationEssentials
import TestSupport
import Testing

/// An idle program does nothing: no thread waits with a timeout.
@Suite(.ownThreads) struct IdleTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The armed timers of the kernel, from `/proc`, by descriptor. libdispatch uses one of these for
  /// every wait with a deadline.
  private func armedTimers(of session: TerminalSession) throws -> [String: String] {
    let folder = "/proc/\(session.processID)/fdinfo"
    var armed: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let info = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      if info.contains("clockid:"), !info.contains("it_value: (0, 0)") { armed[name] = info }
    }
    return armed
  }

  @Test(arguments: ["tides.jsonl", "tides.txt"]) func noTimerIsSet(file: String) async throws {
    let path = try home.write(TestTimeline.lines(400), to: file)
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("1 of 400") }
    await session.send("jj Gg")
    try await session.settle { $0.contains("1 of 400") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try armedTimers(of: session) == [:])
  }

  /// On a busy machine the last timer of what was done may still be armed.
  private func expectRest(_ session: TerminalSession) async throws {
    var armed: [String: String] = [:]
    for _ in 0..<10 {
      try await session.waitUntilIdle(within: .seconds(20))
      armed = try armedTimers(of: session)
      if armed.isEmpty { return }
      try await session.watch(for: .milliseconds(500))
    }
    Issue.record("armed timers: \(armed)")
  }

  @Test func nothingRunsAfterASearchAFilterAThreadAndAReload() async throws {
    let path = try home.write(TestTimeline.lines(400), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(["--no-animation", path], home: home)
    try await session.settle { $0.contains("1 of 400") }
    await session.send("/post 200" + TerminalKey.enter)
    try await session.settle { $0.contains("201 of 400") }
    try await expectRest(session)
    await session.send("Fpost 7" + TerminalKey.enter)
    try await session.settle { $0.contains("filter post 7, 400 in all") }
    try await expectRest(session)
    await session.send(TerminalKey.control("f"))
    try await session.settle { $0.contains("of 400") }
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains(" · the post") }
    try await expectRest(session)
    await session.send("qr")
    try await session.settle { $0.contains("of 400") }
    try await expectRest(session)
  }

  @Test func nothingRunsAfterAMerge() async throws {
    let paths = try (0..<9).map { try home.write(TestTimeline.lines(40), to: "\($0).jsonl") }
    let session = try ProgramUnderTest.start(paths, home: home)
    try await session.settle { $0.contains("1 of 360") }
    try await expectRest(session)
    await session.send("r")
    try await session.settle { $0.contains("of 360") }
    try await expectRest(session)
  }

  /// The main thread itself waits for keys; libdispatch's main loop would have ended it.
  @Test func theMainThreadRemains() async throws {
    let path = try home.write(TestTimeline.lines(40), to: "tides.txt")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("1 of 40") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    let id = session.processID
    let status = try String(contentsOfFile: "/proc/\(id)/task/\(id)/status", encoding: .utf8)
    #expect(status.contains("State:\tS"), "\(status)")
  }

  @Test func noTimerIsSetAfterAPicture() async throws {
    let server = try MisbehavingServer()
    server.route("/picture.png", MisbehavingServer.Step.response(body: TestPicture.png))
    let post = [
      "title": "#0 harbour", "content_text": "Text.", "image": server.url("/picture.png"),
    ]
    let path = try home.write(TestTimeline.json(post) + "\n", to: "picture.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.hasPicture && !$0.contains("↓ 1") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try armedTimers(of: session) == [:])
  }
}
