import TestSupport
import Testing

/// Keys that arrive faster than frames are drawn.
@Suite(.ownThreads) struct BurstTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func write(_ text: String) throws -> String { try home.write(text, to: "tides.jsonl") }

  private func open(_ path: String, columns: Int = 90) async throws -> TerminalSession {
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: columns, rows: 20))
    try await session.settle("the first post") { $0.contains("post 1 of") }
    return session
  }

  /// Posts of all heights, every thirtieth one taller than the screen.
  private func posts(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { index in
      let sentences = index % 30 == 17 ? 90 : Int.random(in: 0...8, using: &random)
      let text = (0...sentences).map { "Sentence \($0) of post \(index) at the tide gauge." }
      return TestTimeline.json([
        "id": "\(index)", "title": "#\(index) harbour",
        "content_text": text.joined(separator: index % 5 == 0 ? "\n\n" : " "),
      ])
    }.joined(separator: "\n") + "\n"
  }

  @Test(arguments: [(1, 90), (2, 140), (3, 50)])
  func aBurstEndsWhereSinglePressesDo(seed: UInt64, columns: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let path = try write(posts(300, &random))
    let moves = ["j", "j", "j", "k", "5j", " ", "b", TerminalKey.control("e")]
    let keys = (0..<Rounds.times(24)).map { _ in moves.randomElement(using: &random) ?? "j" }
    let burst = try await open(path, columns: columns)
    let single = try await open(path, columns: columns)
    await burst.send(keys.joined())
    for key in keys {
      await single.send(key)
      try await single.settle(quiet: .milliseconds(30))
    }
    // A short pause may only mean that the machine is busy.
    try await burst.waitUntilIdle()
    try await single.waitUntilIdle()
    let (a, b) = (await burst.snapshot, await single.snapshot)
    #expect(a.list(rows: 18) == b.list(rows: 18), "seed \(seed)")
    #expect(a.line(18) == b.line(18), "seed \(seed)")
  }

  private static let manyLines = TestTimeline.lines(30_000)

  @Test func longBurstsEndAtTheRightPost() async throws {
    let session = try await open(write(Self.manyLines))
    await session.send(String(repeating: "j", count: 3_000))
    try await session.settle { $0.contains("post 3001 of 30000") }
    await session.send(String(repeating: "k", count: 2_990))
    try await session.settle { $0.contains("post 11 of 30000") }
  }

  /// Input that is still queued is dropped.
  @Test(arguments: ["j", "\u{5}", "jk", " b", "9999999j"])
  func controlCDoesNotWait(keys: String) async throws {
    let session = try await open(write(Self.manyLines))
    await session.send(String(repeating: keys, count: 10_000) + TerminalKey.control("c"))
    #expect(try await session.waitForExit() == .exited(130))
    #expect(await session.snapshot.contains("post 30000 of 30000") == false)
  }
}
