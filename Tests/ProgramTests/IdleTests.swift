import FoundationEssentials
import TestSupport
import Testing

/// A program that nobody uses does nothing: no thread of it waits for a moment to come.
@Suite(.ownThreads, .serialized) struct IdleTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The kernel's timers that are set, as `/proc` shows them, by descriptor. What libdispatch waits
  /// for with a deadline, it waits for with one of these.
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
    let path = try home.write(Fixtures.lines(400), to: file)
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("1 of 400") }
    await session.send("jj Gg")
    try await session.settle { $0.contains("1 of 400") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try armedTimers(of: session) == [:])
  }

  /// The main thread itself waits for keys: libdispatch would have ended it.
  @Test func theMainThreadIsThere() async throws {
    let path = try home.write(Fixtures.lines(40), to: "tides.txt")
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
    let path = try home.write(Fixtures.json(post) + "\n", to: "picture.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.hasPicture && !$0.contains("↓ 1") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try armedTimers(of: session) == [:])
  }
}
