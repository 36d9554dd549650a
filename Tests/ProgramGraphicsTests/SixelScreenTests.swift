import TestSupport
import Testing

/// Pictures as sixels, on the whole screen of the real program.
@Suite(.ownThreads) struct SixelScreenTests {
  private let home: TemporaryFolder
  private let timeline: PictureTimeline
  private static let size = PictureTimeline.size

  init() throws {
    home = try TemporaryFolder()
    timeline = try PictureTimeline(in: home)
  }

  private func start(
    _ options: [String] = [], personality: TerminalPersonality = .sixel, rows: Int = 24
  ) throws -> TerminalSession {
    try timeline.start(
      options, personality: personality,
      size: TerminalSize(columns: 60, rows: rows, cellWidth: 9, cellHeight: 15))
  }

  /// Terminals differ in how they treat sixels when lines move: some keep them in place, some move
  /// them all. So lines are moved only while no sixel is on the screen.
  @Test(arguments: [false, true]) func noSixelIsMoved(inXTerm: Bool) async throws {
    let session = try start(personality: inXTerm ? .xtermSixel : .sixel)
    try await timeline.open(session)
    let e = TerminalKey.control("e")
    for key in [
      "j", "j", "k", " ", TerminalKey.down, TerminalKey.up, "b", "j", e, e, e, e, "G", "g",
    ] {
      await session.send(key)
      try await session.settle()
    }
    try await timeline.hold(e, times: 40, session)
    try await session.settle(quiet: .milliseconds(300))
    let moves = await session.lineMoves
    #expect(moves.contains { !$0.coversPictures }, "lines are moved while pictures are symbols")
    #expect(moves.allSatisfy { !$0.coversPictures })
    let transcript = String(decoding: await session.transcript, as: UTF8.self)
    // Scrolls, and characters that are inserted or deleted.
    #expect(transcript.matches(of: /\u{1B}\[[0-9;]*[STP@]|\u{1B}[MD]/).isEmpty)
    await timeline.expectCovered(session, "after moving")
    // Neither moves nor sixels overwrite the cursor that the terminal has saved for the shell.
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await session.snapshot.isCursorVisible)
  }

  @Test func aPictureIsPaintedInOnePiece() async throws {
    let session = try start()
    let screen = try await timeline.open(session)
    let pieces = await session.sixels
    let rows = (0..<24).filter { screen.line($0).contains("\u{A0}") }
    var blocks: [ClosedRange<Int>] = []
    for row in rows {
      if let last = blocks.last, last.upperBound == row - 1 {
        blocks[blocks.count - 1] = last.lowerBound...row
      } else {
        blocks.append(row...row)
      }
    }
    #expect(pieces.map(\.row).sorted() == blocks.map(\.lowerBound))
    #expect(pieces.map(\.height).sorted() == blocks.map { $0.count * 15 }.sorted())
    #expect(pieces.allSatisfy { $0.width % 9 == 0 && $0.row < 23 })
    #expect(Set(pieces.map(\.column)).count == 1)
    await timeline.expectCovered(session, "at first")
    let transcript = String(decoding: await session.transcript, as: UTF8.self)
    #expect(transcript.contains("\u{1B}[?2026h"))
    let isSynchronized = screen.modes[2026]
    #expect(isSynchronized == false)
  }

  @Test func nothingIsPaintedWhereNothingChanges() async throws {
    let session = try start(rows: 40)
    try await timeline.open(session)
    let count = await session.sixels.count
    await session.send("7")
    try await session.settle { $0.contains("7") }
    await session.send(TerminalKey.escape)
    try await session.settle()
    await session.send("j")
    try await session.settle { $0.contains("post 2 of 30") }
    #expect(await session.sixels.count == count)
    await timeline.expectCovered(session, "after moving the selection")
  }

  @Test func scrollingALinePaintsMovedRows() async throws {
    let session = try start()
    let first = try await timeline.open(session)
    let before = await session.paintedCells
    let painted = await session.sixels.count
    await session.send(TerminalKey.control("e"))
    let second = try await session.settle { $0.line(0) != first.line(0) }
    await timeline.expectCovered(session, "after scrolling")
    let after = await session.paintedCells
    let list = 0..<21
    for row in list { #expect(after[row] == before[row + 1], "row \(row)") }
    let rows = (0..<24).filter { second.line($0).contains("\u{A0}") }
    let pieces = await session.sixels.dropFirst(painted)
    let covered = pieces.flatMap { $0.row..<($0.row + $0.height / 15) }
    #expect(covered.sorted() == rows)
  }

  /// While a key is held, pictures are drawn as symbols, which the terminal can move; afterwards
  /// they are sharp again, and the program is idle.
  @Test func aHeldKeySendsLittleAndEndsSharp() async throws {
    let session = try start()
    try await timeline.open(session)
    let e = TerminalKey.control("e")
    var (painted, lines, held) = (0, [Int](), await session.snapshot)
    // On a busy machine a pause between two keys can be as long as a rest: then the key is held
    // again.
    for _ in 0..<8 {
      // The first frame is painted sharp, the second has symbols for the first time.
      try await timeline.hold(e, times: 4, session)
      painted = await session.sixels.count
      lines = []
      for _ in 0..<16 {
        let count = await session.byteCount
        try await timeline.hold(e, times: 1, session)
        lines.append(await session.byteCount - count)
      }
      held = await session.snapshot
      if await session.sixels.count == painted { break }
    }
    #expect(await session.sixels.count == painted)
    #expect(!held.contains("\u{A0}\u{A0}") && held.hasPicture)
    // Frames come when they can: one may show several lines.
    #expect(lines.reduce(0, +) < 16 * 2_000 && lines.allSatisfy { $0 < 5_000 }, "\(lines)")
    try await session.settle(quiet: .milliseconds(200)) { $0.contains("\u{A0}\u{A0}\u{A0}") }
    await timeline.expectCovered(session, "at rest")
    try await session.waitUntilIdle(for: .milliseconds(700))
    let shown = await session.drawnScreen
    await session.send(TerminalKey.control("l"))
    try await session.waitUntilIdle(for: .milliseconds(300))
    let difference = ScreenDifference(shown, await session.drawnScreen, rows: 0..<24)
    #expect(difference.isEmpty, "\(difference)")
  }

  /// A terminal may have lost pictures, as xterm does beyond its limit; when it regains the focus,
  /// they are painted again.
  @Test func focusPaintsThePictures() async throws {
    let session = try start()
    let screen = try await timeline.open(session)
    let reportsFocus = screen.modes[1004]
    #expect(reportsFocus == true)
    let (before, painted) = (await session.paintedCells, await session.sixels.count)
    await session.send("\u{1B}[O")
    try await session.settle()
    #expect(await session.sixels.count == painted)
    await session.send("\u{1B}[I")
    try await session.settle()
    #expect(await session.sixels.count == painted * 2)
    #expect(await session.paintedCells == before)
    await session.send("q")
    try await session.waitForExit()
    let reportsStill = await session.snapshot.modes[1004]
    #expect(reportsStill == false)
  }

  /// After any moves, pictures are where they would be after a fresh start.
  @Test func scrollingToAndFroLeavesNothingStale() async throws {
    let session = try start()
    try await timeline.open(session)
    let e = TerminalKey.control("e")
    let y = TerminalKey.control("y")
    for keys in [e + e, e + e + e + e + e, y, " ", "b", "G", "g", e, y + y] {
      await session.send(keys)
      try await session.settle { !$0.contains("↓") }
      await timeline.expectCovered(session, keys.debugDescription)
    }
  }

  @Test func coveringAPictureErasesIt() async throws {
    let session = try start()
    try await timeline.open(session)
    let before = await session.paintedCells
    await session.send("?")
    try await session.settle { $0.contains("closes this page") }
    #expect(await session.paintedCells.allSatisfy { $0.allSatisfy { $0 == nil } })
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 30") }
    #expect(await session.paintedCells == before)
  }

  @Test func resizingPaintsAgain() async throws {
    let session = try start()
    try await timeline.open(session)
    for (columns, rows) in [(80, 30), (41, 9), (30, 4), (60, 24)] {
      try await session.resize(columns: columns, rows: rows)
      try await session.settle(quiet: .milliseconds(600)) {
        $0.columns == columns && !$0.contains("↓")
      }
      await timeline.expectCovered(session, "\(columns)x\(rows)")
      #expect(await session.paintedCells[rows - 1].allSatisfy { $0 == nil })
    }
  }

  /// Until the terminal has reported its smaller cells, painted strips extend beyond them.
  @Test func aSmallerFontLeavesNothingBehind() async throws {
    let session = try start()
    try await timeline.open(session)
    for (width, height) in [(8, 12), (6, 10), (9, 15), (7, 13)] {
      try await session.resize(
        to: TerminalSize(columns: 60, rows: 24, cellWidth: width, cellHeight: height))
      try await session.settle { !$0.contains("↓") }
      try await session.waitUntilIdle(for: .milliseconds(600))
      let shown = await session.drawnScreen
      await session.send(TerminalKey.control("l"))
      try await session.waitUntilIdle(for: .milliseconds(300))
      let difference = ScreenDifference(shown, await session.drawnScreen, rows: 0..<22)
      #expect(difference.isEmpty, "\(width)x\(height): \(difference)")
    }
  }

  /// xterm draws no part of a sixel with more than 1,000 pixels a side.
  @Test func noSequenceIsLargerThanXtermDraws() async throws {
    let session = try start(personality: .xtermSixel)
    try await timeline.open(session)
    try await session.resize(
      to: TerminalSize(columns: 110, rows: 60, cellWidth: 30, cellHeight: 60))
    try await session.settle(quiet: .milliseconds(300)) { !$0.contains("↓") }
    await expectCoveredByPieces(session)
    let large = await session.sixels.filter { $0.width > 1_000 || $0.height > 1_000 }
    #expect(large.isEmpty)
  }

  /// Each no-break space is covered by a sixel, and no other cell is.
  private func expectCoveredByPieces(_ session: TerminalSession) async {
    let (screen, cells) = (await session.snapshot, await session.paintedCells)
    var covered = 0
    for y in 0..<screen.rows {
      for x in 0..<screen.columns {
        #expect(
          (screen.cells[y][x].text == "\u{A0}") == (cells[y][x] != nil), "row \(y), column \(x)")
        if cells[y][x] != nil { covered += 1 }
      }
    }
    #expect(covered > 0)
  }

  @Test func symbolsAreDrawnOnRequest() async throws {
    let session = try start(["--pictures", "symbols"])
    try await session.settle { $0.hasPicture }
    #expect(await session.sixels.isEmpty)
  }

  @Test(arguments: ["TMUX", "STY"]) func insideAMultiplexerSymbolsAreDrawn(name: String)
    async throws
  {
    let path = try home.write(
      TestTimeline.json(["content_text": "x", "image": timeline.picture]) + "\n", to: "one.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: [name: "1", "COLORTERM": "truecolor"], size: Self.size,
      personality: .sixel)
    // GNU screen is not queried for 24-bit colours.
    try await session.settle { screen in
      let lines = screen.cells.filter { line in
        line.count { if case .indexed = $0.background { true } else { false } } >= 10
      }
      return name == "STY" ? lines.count >= 3 : screen.hasPicture
    }
    #expect(await session.sixels.isEmpty)
  }

  /// The terminal does not report sixels, but the user's option counts.
  @Test func optionsForceSixel() async throws {
    let session = try start(["--pictures", "sixel"], personality: .xterm)
    try await timeline.open(session)
    let transcript = String(decoding: await session.transcript, as: UTF8.self)
    #expect(transcript.contains("\u{1B}P7;1;0q\"1;1;"))
  }

  @Test func fewColoursShowNoPictures() async throws {
    let session = try start(["--pictures", "sixel", "--color", "16"])
    try await session.settle { $0.contains("post 1 of 30") }
    #expect(await session.sixels.isEmpty)
  }

  @Test func palettesOf256KeepStripsApart() async throws {
    let session = try start(["--color", "256"])
    try await timeline.open(session)
    let e = TerminalKey.control("e")
    for keys in [e, e + e, " ", "b"] {
      await session.send(keys)
      try await session.settle { !$0.contains("↓") }
      await timeline.expectCovered(session, keys.debugDescription)
    }
  }
}
