import TestSupport
import Testing

/// Pictures that arrive late, from a server that waits for the test.
@Suite(.ownThreads) struct PictureTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  /// Posts, of which the one at `index` has a picture of undeclared size.
  private func timeline(picture: String, at index: Int) throws -> String {
    let lines = (0..<30).map { row in
      let text = "Sentence one of post \(row). Sentence two of post \(row), which is longer."
      let fields = ["title": "#\(row) harbour", "content_text": text]
      let with = row == index ? ["image": server.url(picture)] : [:]
      return TestTimeline.json(fields.merging(with) { $1 })
    }
    return try home.write(lines.joined(separator: "\n") + "\n", to: "pictures.jsonl")
  }

  private func open(_ path: String) throws -> TerminalSession {
    try ProgramUnderTest.start([path], home: home, size: TerminalSize(columns: 60, rows: 24))
  }

  @Test func aRowThatGrowsAboveTheViewportMovesNothing() async throws {
    let gate = ServerGate()
    server.route(
      "/late.png", MisbehavingServer.Step.held(TestPicture.png, after: 0, by: gate))
    let session = try open(timeline(picture: "/late.png", at: 0))
    try await session.settle { $0.contains("post 1 of 30") }
    await session.send("2G")
    let before = try await session.settle { $0.line(0).contains("#1") && $0.contains("↓ 1") }
    gate.open()
    let after = try await session.settle { !$0.contains("↓ 1") }
    #expect(after.list(rows: 22) == before.list(rows: 22))
    await session.send("g")
    let top = try await session.settle { $0.hasPicture }
    #expect(top.contains("#0 harbour"))
  }

  @Test func aRowGrowsDownwardsOnTheScreen() async throws {
    let gate = ServerGate()
    server.route(
      "/late.png", MisbehavingServer.Step.held(TestPicture.png, after: 0, by: gate))
    let session = try open(timeline(picture: "/late.png", at: 1))
    let before = try await session.settle { $0.contains("↓ 1 picture") }
    let row = try #require(before.row(containing: "#1 harbour"))
    let next = try #require(before.row(containing: "#2 harbour"))
    gate.open()
    let after = try await session.settle { !$0.contains("↓ 1 picture") && $0.hasPicture }
    #expect(after.list(rows: row + 1) == before.list(rows: row + 1))
    #expect(after.row(containing: "#2 harbour") != next)
  }

  @Test(arguments: [
    ("/missing.png", "404"), ("/text.png", "not a known picture format"),
  ])
  func failedPicturesAreMarkedOnTheirRow(path: String, reason: String) async throws {
    server.route("/missing.png", MisbehavingServer.Step.response(status: 404))
    server.route("/text.png", MisbehavingServer.Step.response(body: Array("not a picture".utf8)))
    let session = try open(timeline(picture: path, at: 0))
    let screen = try await session.settle { $0.contains("✕") }
    #expect(screen.contains(reason))
    #expect(screen.contains("#1 harbour"))
  }

  /// `R` requests a failed picture again; until then there is a dim line.
  @Test func aFailedPictureIsTriedAgain() async throws {
    let session = try open(timeline(picture: "/later.png", at: 0))
    try await session.settle { $0.contains("404") }
    server.route("/later.png", MisbehavingServer.Step.response(body: TestPicture.png))
    await session.send("R")
    let shown = try await session.settle { $0.hasPicture }
    #expect(!shown.contains("404"))
    await session.send("R")
    try await session.settle { $0.contains("no picture of this post has failed") }
  }
}
