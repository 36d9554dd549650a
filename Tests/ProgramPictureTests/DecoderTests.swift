import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The program and the processes that decode its pictures.
@Suite(.ownThreads) struct DecoderTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    server.route("/picture.png", MisbehavingServer.Step.response(body: TestPicture.png))
    server.route("/other.png", MisbehavingServer.Step.response(body: TestPicture.png))
  }

  private func start() throws -> TerminalSession {
    let posts = ["/picture.png", "/other.png"].enumerated().map { number, path in
      TestTimeline.json([
        "title": "#\(number) harbour", "content_text": "Text.", "image": server.url(path),
      ])
    }
    let file = try home.write(posts.joined(separator: "\n") + "\n", to: "pictures.jsonl")
    return try ProgramUnderTest.start([file], home: home)
  }

  /// The decoder processes of a program.
  private func decoders(of process: Int32) -> [Int32] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { thread -> [Int32] in
      let children =
        (try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? ""
      return children.split(separator: " ").compactMap { Int32($0) }
    }
  }

  private func exists(_ process: Int32) -> Bool {
    FileManager.default.fileExists(atPath: "/proc/\(process)")
  }

  private func switches(of process: Int32) throws -> String {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return status.split(separator: "\n").filter { $0.contains("ctxt") }.joined()
  }

  @Test func decodersSleepAndEndWithTheProgram() async throws {
    let session = try start()
    try await session.settle { $0.hasPicture && !$0.contains("↓") }
    try await session.waitUntilIdle()
    let found = decoders(of: session.processID)
    #expect((1...2).contains(found.count))
    let before = try found.map(switches)
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try found.map(switches) == before)
    await session.send(signal: SIGKILL)
    for process in found {
      await eventually { !exists(process) }
    }
  }

  /// A killed decoder leaves no zombie, and the program continues.
  @Test func aKilledDecoderIsHarmless() async throws {
    let session = try start()
    try await session.settle { $0.hasPicture && !$0.contains("↓") }
    let found = decoders(of: session.processID)
    #expect(!found.isEmpty)
    for process in found {
      #expect(kill(process, SIGKILL) == 0)
      await eventually { !exists(process) }
    }
    #expect(decoders(of: session.processID) == [])
    await session.send("G")
    try await session.settle { $0.contains("2 of 2") }
  }
}
