import FoundationEssentials
import TestSupport
import Testing

/// Programs that run at the same time and share one folder of pictures.
@Suite(.ownThreads) struct SharedCacheTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer
  private let count = 24
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    server.answer { path in
      guard let number = path.dropFirst().split(separator: ".").first.flatMap({ Int($0) }) else {
        return nil
      }
      let body = TestPicture.flat(width: 16, height: 16, [UInt8(number * 9 + 1), 90, 200])
      return [
        .head(length: body.count, fields: [("Cache-Control", "max-age=9999")]), .send(body),
      ]
    }
    let posts = (0..<count).map { [server] in
      TestTimeline.json(["title": "#\($0)", "image": server.url("/\($0).png")])
    }
    // Once: a program that runs may be reading it.
    path = try home.write(posts.joined(separator: "\n") + "\n", to: "pictures.jsonl")
  }

  private func start() throws -> TerminalSession {
    try ProgramUnderTest.start(
      ["--no-state", path], home: home, size: TerminalSize(columns: 60, rows: 24))
  }

  /// Goes to the end in steps; returns when all pictures are loaded.
  private func readAll(_ session: TerminalSession) async throws {
    for number in stride(from: 1, through: count, by: 3) {
      await session.send("\(number)G")
      try await session.settle {
        $0.contains("post \(number) of \(count)") && $0.hasPicture && !$0.contains("↓")
      }
    }
  }

  @Test func twoProgramsShareTheirCache() async throws {
    defer { server.stop() }
    let (first, second) = (try start(), try start())
    async let one: Void = readAll(first)
    async let other: Void = readAll(second)
    _ = try await (one, other)
    for session in [first, second] {
      await session.send("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
    // Each picture arrives, and a program requests one again only if it had cancelled it on the
    // way.
    let asked = Dictionary(grouping: server.seen.paths, by: \.self).mapValues(\.count)
    #expect(asked.count == count && server.seen.paths.count <= 2 * count, "\(asked)")

    let before = server.seen.paths.count
    let third = try start()
    try await readAll(third)
    await third.send("q")
    #expect(try await third.waitForExit() == .exited(0))
    #expect(server.seen.paths.count == before)
    // Only complete files.
    let names = try home.names(in: "cache/tideline/pictures")
    #expect(names.count == count && !names.contains { $0.hasSuffix(".new") }, "\(names)")
  }
}
