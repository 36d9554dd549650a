import TestSupport
import Testing

/// A timeline that a server sends page by page, on the screen of the real program.
@Suite(.ownThreads) struct PagedScreenTests {
  typealias Step = MisbehavingServer.Step

  private let home: TemporaryFolder
  private let server: MisbehavingServer
  private let size = TerminalSize(columns: 100, rows: 20)

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  private func open(_ served: ServedTimeline) throws -> TerminalSession {
    try ProgramUnderTest.start([server.url(served.path)], home: home, size: size)
  }

  /// The first row of the scroll bar's thumb.
  private func thumbStart(_ screen: ScreenSnapshot) -> Int? {
    (0..<18).first { row in screen.cells[row].last.map { "█▁▂▃▄▅▆▇▐".contains($0.text) } ?? false }
  }

  @Test func scrollingReadsOnAndTheThumbNeverGoesBack() async throws {
    let served = ServedTimeline(8_000, pageSize: 20, of: server)
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    #expect(server.seen.paths == [served.path])
    var last = 0
    for page in 1...60 {
      await session.send(" ")
      let screen = try await session.settle("page \(page)", quiet: .milliseconds(60)) {
        !$0.contains("post 1 of") && !$0.contains("loading")
      }
      let start = thumbStart(screen)
      #expect((start ?? 0) >= last, "\(screen.text)")
      last = max(last, start ?? 0)
    }
    let screen = try await session.settle { $0.contains("of ~") }
    #expect(screen.contains("Served"))
    let seen = server.seen
    // Only the pages passed and two more screens, of four hundred, one at a time.
    #expect((4...30).contains(seen.paths.count))
    #expect(seen.mostOpen == 1)
    #expect(Set(seen.paths).count == seen.paths.count)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  @Test func seekingTheEndShowsProgressAndAnyKeyStopsIt() async throws {
    let served = ServedTimeline(8_000, pageSize: 20, form: .linkHeader, of: server)
    let gate = ServerGate()
    served.answer(page: 7, once: [.wait(gate)] + Step.response(status: 503))
    let session = try open(served)
    let top = try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("G")
    try await session.waitFor(text: "seeking, any key stops: 120 posts, page 7")
    // The request is under way before the page is named, but may not have arrived.
    await server.until { $0.paths.count == 7 }
    await session.send("j")
    let stopped = try await session.settle { !$0.contains("any key stops") }
    #expect(stopped.contains("post 1 of ~120"))
    #expect(stopped.list(rows: 18) == top.list(rows: 18))
    gate.open()
    // The key had no other effect, and nothing more is requested.
    await session.send("j")
    try await session.settle { $0.contains("post 2 of ~120") }
    #expect(server.seen.paths.count == 7)
    server.stop()
  }

  @Test func theEndOfTwentyPagesIsTheLastPost() async throws {
    let served = ServedTimeline(400, pageSize: 20, form: .linkHeader, of: server)
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("G")
    let end = try await session.settle { $0.contains("post 400 of 400") }
    #expect(end.contains("Post 1") && !end.contains("Post 30"))
    #expect(server.seen.paths.count == 20)
    await session.send("250G")
    try await session.settle { $0.contains("post 250 of 400") && $0.contains("Post 151") }
    server.stop()
  }

  @Test func aRowOnALaterPageIsLoaded() async throws {
    let served = ServedTimeline(400, pageSize: 20, of: server)
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("150G")
    let screen = try await session.settle { $0.contains("post 150 of ~") }
    #expect(screen.line(1).contains("Post 251"))
    #expect((8...9).contains(server.seen.paths.count))
    server.stop()
  }

  @Test func aFailureIsShownAndAKeyRetries() async throws {
    let served = ServedTimeline(400, pageSize: 20, of: server)
    served.answer(page: 3, once: Step.response(status: 503))
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("G")
    let failed = try await session.settle { $0.contains("page 3: HTTP status 503") }
    #expect(failed.contains("post 1 of ~40"))
    // There is no automatic retry.
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(server.seen.paths.count == 3)
    await session.send("G")
    try await session.settle { $0.contains("post 400 of 400") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  @Test func reloadedPostsGoOnTopAndNothingMoves() async throws {
    let served = ServedTimeline(400, pageSize: 20, form: .linkHeader, of: server)
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("45G")
    let before = try await session.settle { $0.contains("post 45 of ~") }
    served.add(30)
    await session.send("r")
    let after = try await session.settle { $0.line(0).contains("30 new") }
    // The pill stands at the end of the first line.
    #expect(after.list(rows: 18).dropFirst() == before.list(rows: 18).dropFirst())
    #expect(after.contains("post 75 of ~"))
    await session.send(".")
    let top = try await session.settle { $0.contains("post 1 of ~") }
    #expect(top.line(1).contains("Post 430"))
    server.stop()
  }

  @Test func aSilentServerDoesNotPreventQuitting() async throws {
    let served = ServedTimeline(400, pageSize: 20, of: server)
    served.answer(page: 2, once: [.hang])
    let session = try open(served)
    try await session.settle { $0.contains("post 1 of ~20") }
    await session.send("G")
    try await session.waitFor(text: "any key stops: 20 posts, page 2")
    await server.until { $0.paths.count == 2 }
    await session.send("x")
    try await session.settle { !$0.contains("any key stops") }
    await session.send("jj")
    try await session.settle { $0.contains("post 3 of ~20") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(server.seen.paths.count == 2)
    server.stop()
  }

  @Test func printingTakesTheFirstPage() async throws {
    let served = ServedTimeline(400, pageSize: 20, of: server)
    let url = server.url(served.path)
    let printed = try await ProgramUnderTest.run([url, "--json"], home: home)
    #expect(printed.status == .exited(0))
    #expect(printed.output.split(separator: 0x0A).count == 20)
    #expect(server.seen.paths == [served.path])
    server.stop()
  }
}
