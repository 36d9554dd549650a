import TestSupport
import Testing

/// The real program in a pseudo-terminal, with its screen as a user sees it.
@Suite(.ownThreads) struct ScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func open(_ text: String, columns: Int = 60, rows: Int = 20) throws -> TerminalSession {
    let path = try home.write(text, to: "tides.jsonl")
    return try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: columns, rows: rows))
  }

  @discardableResult private func atRest(_ session: TerminalSession, showing text: String)
    async throws
    -> ScreenSnapshot
  {
    try await session.settle("\"\(text)\" on the screen") { $0.contains(text) }
  }

  @Test func opensAtTheTop() async throws {
    let session = try open(TestTimeline.lines(40))
    try await atRest(session, showing: "post 1 of 40")
    // The bar is exact once idle time has measured all rows.
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "opening")
  }

  @Test func oneLineDownAndUpAgainRestoresTheScreen() async throws {
    let session = try open(TestTimeline.lines(40))
    let before = try await atRest(session, showing: "post 1 of 40")
    for count in [1, 7, 23] {
      let down = String(repeating: TerminalKey.control("e"), count: count)
      let up = String(repeating: TerminalKey.control("y"), count: count)
      await session.send(down)
      let below = try await session.settle { $0.list(rows: 5) != before.list(rows: 5) }
      #expect(below.list(rows: 18) != before.list(rows: 18))
      await session.send(up)
      let after = try await session.settle { $0.list(rows: 5) == before.list(rows: 5) }
      #expect(after.list(rows: 18) == before.list(rows: 18), "after \(count) lines")
    }
  }

  @Test func scrollingMovesByExactlyTheCount() async throws {
    let session = try open(TestTimeline.lines(40))
    var last = try await atRest(session, showing: "post 1 of 40")
    let listRows = 18
    // Without the mark, which moves to the nearest post when the selected one leaves the screen.
    @Sendable func lines(_ screen: ScreenSnapshot) -> [Substring] {
      screen.list(rows: listRows).map { $0.dropFirst() }
    }
    for count in [1, 3, 5] {
      await session.send("\(count)" + TerminalKey.control("e"))
      let before = lines(last)
      let next = try await session.settle { lines($0)[0] == before[count] }
      #expect(lines(next).dropLast(count) == before[count...])
      last = next
    }
  }

  @Test func theEndAndTheTopAreReached() async throws {
    let session = try open(TestTimeline.lines(40))
    let top = try await atRest(session, showing: "post 1 of 40")
    await session.send("G")
    let end = try await atRest(session, showing: "post 40 of 40")
    #expect(end.contains("#39 harbour"))
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "end")
    await session.send("g")
    let again = try await atRest(session, showing: "post 1 of 40")
    #expect(again.list(rows: 18) == top.list(rows: 18))
  }

  @Test func countsGoToRowsAndFractions() async throws {
    let session = try open(TestTimeline.lines(40))
    try await atRest(session, showing: "post 1 of 40")
    await session.send("12G")
    let twelfth = try await atRest(session, showing: "post 12 of 40")
    #expect(twelfth.line(0).contains("#11 harbour"))
    await session.send("5j")
    try await atRest(session, showing: "post 17 of 40")
    await session.send("2k")
    try await atRest(session, showing: "post 15 of 40")
  }

  @Test func everyKeyOfABurstCounts() async throws {
    let session = try open(TestTimeline.lines(400))
    try await atRest(session, showing: "post 1 of 400")
    await session.send("399j")
    try await atRest(session, showing: "post 400 of 400")
    await session.send("g")
    let top = try await atRest(session, showing: "post 1 of 400")
    await session.send(String(repeating: TerminalKey.control("e"), count: 300))
    let burst = try await session.settle { $0.list(rows: 18) != top.list(rows: 18) }
    await session.send("g")
    try await atRest(session, showing: "post 1 of 400")
    await session.send("300" + TerminalKey.control("e"))
    let counted = try await session.settle { $0.list(rows: 18) != top.list(rows: 18) }
    #expect(burst.list(rows: 18) == counted.list(rows: 18))
  }

  @Test func resizingKeepsTheFirstCharacterInView() async throws {
    let session = try open(TestTimeline.lines(40))
    try await atRest(session, showing: "post 1 of 40")
    await session.send("7G" + "2" + TerminalKey.control("e"))
    let wide = try await session.settle { $0.line(0).contains("Sentence") }
    let place = try #require(wide.line(0).split(separator: " ").first)
    for columns in [40, 90, 25, 60] {
      try await session.resize(columns: columns, rows: 20)
      let screen = try await session.settle { $0.columns == columns && $0.isDrawnToTheEdge }
      let words = screen.lines[0..<2].joined(separator: " ")
      #expect(words.contains(place), "at \(columns) columns")
    }
    let back = await session.snapshot
    #expect(back.list(rows: 18) == wide.list(rows: 18))
  }

  @Test func wideCharactersStayInTheirColumns() async throws {
    let session = try open(TestTimeline.wideLines, columns: 48, rows: 24)
    try await atRest(session, showing: "post 1 of 8")
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "wide-characters")
    // After a scroll no character may be torn: a redraw must give the same rows.
    await session.send("3" + TerminalKey.control("e"))
    let scrolled = try await session.settle { !$0.contains("plain") }
    await session.send(TerminalKey.control("l"))
    let drawnAnew = try await session.settle()
    let isSame = scrolled.withoutLastColumn.cells == drawnAnew.withoutLastColumn.cells
    #expect(isSame, "redrawn:\n\(drawnAnew.text)\nbefore:\n\(scrolled.text)")
  }

  @Test(arguments: [(20, 8), (40, 12), (9, 3), (5, 2), (1, 1), (200, 50)])
  func everySizeIsSurvived(columns: Int, rows: Int) async throws {
    let session = try open(TestTimeline.lines(40))
    let before = try await atRest(session, showing: "post 1 of 40")
    try await session.resize(columns: columns, rows: rows)
    await session.send("jjj")
    try await session.settle { $0.columns == columns }
    await session.send("g")
    try await session.resize(columns: 60, rows: 20)
    let after = try await session.settle {
      $0.isDrawnToTheEdge && $0.line(18).contains("post 1 of 40")
    }
    #expect(after.list(rows: 18) == before.list(rows: 18))
  }

  @Test func helpOpensAndCloses() async throws {
    let session = try open(TestTimeline.lines(40))
    let before = try await atRest(session, showing: "post 1 of 40")
    await session.send("?")
    let help = try await session.settle { $0.contains("First keys") }
    #expect(help.contains("find words"))
    await session.send("q")
    let after = try await atRest(session, showing: "post 1 of 40")
    #expect(after.list(rows: 18) == before.list(rows: 18))
  }
}
