import TestSupport
import Testing

/// If a resource is insufficient, there is an error line, and the terminal is restored.
@Suite(.ownThreads) struct LimitTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  private func start(_ limit: String, _ arguments: [String]? = nil) throws -> TerminalSession {
    try ProgramUnderTest.start(
      by: #"\#(limit); exec "$0" "$@""#, arguments ?? [path], home: home,
      size: TerminalSize(columns: 100, rows: 20))
  }

  /// The loader cannot open the libraries with fewer descriptors.
  @Test(arguments: [4, 8, 12, 16, 17, 18, 20, 24])
  func fewFiles(count: Int) async throws {
    for arguments in [[path], ["demo", "moments"]] {
      let session = try start("ulimit -n \(count)", arguments)
      try await session.waitFor("a screen or an error") {
        $0.contains("post 1 of 40") || $0.contains("q quit") || $0.contains("tideline: ")
      }
      await session.send("jGq")
      let status = try await session.waitForExit()
      if count < 17 {
        #expect(status == .exited(71))
        #expect(await session.snapshot.line(0).contains("files may be open"))
      } else {
        #expect(status == .exited(0))
      }
      #expect(await !session.snapshot.isAlternate)
      #expect(try await session.isCooked())
    }
  }

  @Test(arguments: ["-v 100000", "-v 120000", "-d 12000", "-d 14000", "-d 20000", "-d 40000"])
  func littleMemory(limit: String) async throws {
    let session = try start("ulimit \(limit)")
    try await session.waitFor("a screen or an error") {
      $0.contains("post 1 of 40") || $0.contains("tideline: ")
    }
    await session.send("jGq")
    let status = try await session.waitForExit()
    let screen = await session.snapshot
    if status != .exited(0) {
      #expect(status == .exited(71))
      #expect(screen.line(0).hasPrefix("tideline: not enough memory"))
    }
    #expect(!screen.isAlternate)
    #expect(try await session.isCooked())
  }

  @Test func aSmallStackIsNamed() async throws {
    for limit in ["ulimit -s 64", "ulimit -s 256"] {
      let session = try start(limit)
      #expect(try await session.waitForExit() == .exited(71))
      #expect(await session.snapshot.line(0).hasPrefix("tideline: the stack is too small"))
      #expect(try await session.isCooked())
    }
  }

  /// Soft limits that a parent process has lowered are raised to the hard limits.
  @Test(arguments: ["ulimit -S -s 64", "ulimit -S -n 8"])
  func softLimitsAreRaised(limit: String) async throws {
    let session = try start(limit)
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
