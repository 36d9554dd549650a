import Glibc
import TestSupport
import Testing

/// Inline pictures by iTerm2's protocol, on the whole screen of the real program. The terminals draw
/// sixels as well.
@Suite(.ownThreads) struct InlineScreenTests {
  private let timeline: PictureTimeline
  private static let size = PictureTimeline.size
  private static let e = TerminalKey.control("e")

  init() throws { timeline = try PictureTimeline(in: TemporaryFolder()) }

  private func start(
    _ options: [String] = [], personality: TerminalPersonality = .iterm2,
    environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try timeline.start(options, personality: personality, environment: environment)
  }

  /// The pictures are where they belong, the protocol is followed, and no sixels are sent.
  private func expectCovered(_ session: TerminalSession, _ when: String) async {
    #expect(await session.inlinePictures.flatMap(\.violations) == [], "\(when)")
    #expect(await session.sixels.isEmpty, "\(when)")
    await timeline.expectCovered(session, when)
  }

  /// The screen and its pictures are the same after a redraw.
  private func expectAsRedrawn(_ session: TerminalSession, _ when: String) async throws {
    try await session.waitUntilIdle(for: .milliseconds(300))
    let shown = await session.drawnScreen
    await session.send(TerminalKey.control("l"))
    try await session.waitUntilIdle(for: .milliseconds(300))
    let difference = ScreenDifference(
      shown, await session.drawnScreen, rows: 0..<shown.snapshot.rows - 2)
    #expect(difference.isEmpty, "\(when): \(difference)")
  }

  /// A picture is one sequence, wherever the terminal leaves the cursor.
  @Test(arguments: [false, true]) func aPictureIsPaintedInOnePiece(inWezTerm: Bool) async throws {
    let session = try start(personality: inWezTerm ? .wezterm : .iterm2)
    let screen = try await timeline.open(session)
    let rows = (0..<24).filter { screen.line($0).contains("\u{A0}") }
    let tops = rows.filter { !rows.contains($0 - 1) }
    let pictures = await session.inlinePictures
    #expect(pictures.map(\.row).sorted() == tops)
    #expect(pictures.reduce(0) { $0 + $1.rows } == rows.count)
    #expect(pictures.allSatisfy { $0.row + $0.rows < 24 })
    await expectCovered(session, "at first")
    #expect(screen.line(screen.cursorRow).hasPrefix("▌"), "the cursor is on the selected post")
    let isSynchronized = screen.modes[2026]
    #expect(isSynchronized == false)
  }

  @Test func nothingIsPaintedWhereNothingChanges() async throws {
    let session = try start()
    try await timeline.open(session)
    let count = await session.inlinePictures.count
    await session.send("7")
    try await session.settle { $0.contains("7") }
    await session.send(TerminalKey.escape)
    try await session.settle()
    #expect(await session.inlinePictures.count == count)
    await expectCovered(session, "after typing a number")
  }

  @Test func scrollingALinePaintsMovedRows() async throws {
    let session = try start()
    let first = try await timeline.open(session)
    let before = await session.drawnScreen.pictures
    let painted = await session.inlinePictures.count
    await session.send(Self.e)
    let second = try await session.settle { $0.line(0) != first.line(0) }
    await expectCovered(session, "after scrolling")
    let after = await session.drawnScreen.pictures
    for row in 0..<21 { #expect(after[row] == before[row + 1], "row \(row)") }
    let rows = (0..<24).filter { second.line($0).contains("\u{A0}") }
    let covered = await session.inlinePictures.dropFirst(painted)
      .flatMap { $0.row..<$0.row + $0.rows }
    #expect(covered.sorted() == rows)
  }

  /// Lines are moved only while pictures are drawn as symbols, and pictures are painted again after
  /// that.
  @Test(arguments: [false, true]) func noPictureIsMoved(inWezTerm: Bool) async throws {
    let session = try start(personality: inWezTerm ? .wezterm : .iterm2)
    try await timeline.open(session)
    for key in ["j", "j", "k", " ", TerminalKey.down, "b", Self.e, Self.e, "G", "g"] {
      await session.send(key)
      try await session.settle { !$0.contains("↓") }
      await expectCovered(session, key.debugDescription)
    }
    try await timeline.hold(Self.e, times: 40, session)
    try await session.settle(quiet: .milliseconds(300))
    let moves = await session.lineMoves
    #expect(moves.contains { !$0.coversPictures } && moves.allSatisfy { !$0.coversPictures })
    await expectCovered(session, "after a held key")
    try await expectAsRedrawn(session, "after a held key")
  }

  @Test func aHeldKeyShowsSymbols() async throws {
    let session = try start()
    try await timeline.open(session)
    var (painted, held) = (0, await session.snapshot)
    // On a busy machine a pause between two keys can be as long as a rest.
    for _ in 0..<8 {
      try await timeline.hold(Self.e, times: 4, session)
      painted = await session.inlinePictures.count
      try await timeline.hold(Self.e, times: 16, session)
      held = await session.snapshot
      if await session.inlinePictures.count == painted { break }
    }
    #expect(await session.inlinePictures.count == painted)
    #expect(!held.contains("\u{A0}\u{A0}") && held.hasPicture)
    try await session.settle(quiet: .milliseconds(200)) { $0.contains("\u{A0}\u{A0}\u{A0}") }
    await expectCovered(session, "at rest")
    try await session.waitUntilIdle(for: .milliseconds(700))
  }

  @Test func coveringAPictureErasesIt() async throws {
    let session = try start()
    try await timeline.open(session)
    let before = await session.drawnScreen.pictures
    await session.send("?")
    try await session.settle { $0.contains("closes this page") }
    #expect(await session.paintedCells.allSatisfy { $0.allSatisfy { $0 == nil } })
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 30") }
    #expect(await session.drawnScreen.pictures == before)
  }

  @Test func resizingPaintsAgain() async throws {
    let session = try start()
    try await timeline.open(session)
    for (columns, rows) in [(80, 30), (41, 9), (30, 4), (60, 24)] {
      try await session.resize(columns: columns, rows: rows)
      try await session.settle(quiet: .milliseconds(600)) {
        $0.columns == columns && !$0.contains("↓")
      }
      await expectCovered(session, "\(columns)x\(rows)")
      #expect(await session.paintedCells[rows - 1].allSatisfy { $0 == nil })
    }
  }

  @Test func anotherFontPaintsAgain() async throws {
    let session = try start()
    try await timeline.open(session)
    for (width, height) in [(8, 12), (12, 24), (7, 13)] {
      let painted = await session.inlinePictures.count
      try await session.resize(
        to: TerminalSize(columns: 60, rows: 24, cellWidth: width, cellHeight: height))
      try await session.settle { !$0.contains("↓") }
      try await session.waitUntilIdle(for: .milliseconds(600))
      #expect(await session.inlinePictures.count > painted)
      try await expectAsRedrawn(session, "\(width)x\(height)")
    }
  }

  /// iTerm2 drops sequences of more than 1 MiB, and numbers 255 rows and columns.
  @Test func largePicturesAreSentInPieces() async throws {
    timeline.serve(TestPicture.numbered(columns: 96, rows: 64))
    let session = try start()
    try await timeline.open(session)
    let count = await session.inlinePictures.count
    try await session.resize(
      to: TerminalSize(columns: 110, rows: 60, cellWidth: 30, cellHeight: 60))
    try await session.settle(quiet: .milliseconds(600)) {
      $0.columns == 110 && !$0.contains("↓") && $0.contains("\u{A0}\u{A0}\u{A0}")
    }
    let (screen, cells) = (await session.snapshot, await session.paintedCells)
    for y in 0..<screen.rows {
      for x in 0..<screen.columns {
        #expect(
          (screen.cells[y][x].text == "\u{A0}") == (cells[y][x] != nil), "row \(y), column \(x)")
      }
    }
    let pictures = await session.inlinePictures.dropFirst(count)
    #expect(pictures.flatMap(\.violations) == [])
    let (tops, ends) = (Set(pictures.map(\.row)), Set(pictures.map { $0.row + $0.rows }))
    #expect(!tops.isDisjoint(with: ends), "one piece below another")
  }

  /// Terminals keep these pictures, so that the focus changes nothing.
  @Test func focusIsNotReported() async throws {
    let session = try start()
    let screen = try await timeline.open(session)
    #expect(screen.modes[1004] != true)
  }

  // MARK: The end

  @Test(arguments: [nil, SIGTERM, SIGSEGV]) func nothingIsLeftAtTheEnd(signal: Int32?) async throws
  {
    let session = try start()
    try await timeline.open(session)
    if let signal { await session.send(signal: signal) } else { await session.send("q") }
    try await session.waitForExit()
    let screen = await session.snapshot
    #expect(!screen.isAlternate && !screen.contains("\u{A0}"))
    #expect(await session.paintedCells.allSatisfy { $0.allSatisfy { $0 == nil } })
    let text = String(decoding: await session.transcript, as: UTF8.self)
    let leaving = try #require(text.matches(of: /\u{1B}\[\?1049l/).last)
    #expect(text[leaving.range.lowerBound...].firstRange(of: "1337") == nil)
  }

  @Test func afterAStopPicturesArePaintedAgain() async throws {
    let session = try start()
    try await timeline.open(session)
    let before = await session.drawnScreen.pictures
    let count = await session.transcript.count
    await session.send(signal: SIGSTOP)
    await session.send(signal: SIGCONT)
    try await session.waitFor(written: "\u{1B}]1337;File=", after: count)
    try await session.waitUntilIdle()
    #expect(await session.drawnScreen.pictures == before)
  }

  // MARK: The choice

  @Test(arguments: ["TMUX", "STY"]) func insideAMultiplexerSymbolsAreDrawn(name: String)
    async throws
  {
    let session = try start(
      ["--color", "truecolor"],
      environment: [name: "1", "TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"])
    try await session.settle { $0.hasPicture }
    #expect(await session.inlinePictures.isEmpty)
    #expect(await session.sixels.isEmpty)
  }

  /// A terminal that reports another name is not the one whose variables it has inherited.
  @Test func variablesOfAnotherTerminalDoNotCount() async throws {
    let session = try start(personality: .sixel, environment: ["TERM_PROGRAM": "WezTerm"])
    try await timeline.open(session)
    #expect(await session.inlinePictures.isEmpty)
    #expect(await !session.sixels.isEmpty)
  }

  @Test func optionsForceInlinePictures() async throws {
    var personality = TerminalPersonality.xterm
    personality.version = "Konsole 23.08.5"
    personality.inlinePictures = .keepsCursor
    let session = try start(["--pictures", "iterm2"], personality: personality)
    try await timeline.open(session)
    #expect(await !session.inlinePictures.isEmpty)
    await expectCovered(session, "at first")
  }

  @Test(arguments: ["symbols", "sixel"]) func optionsForceOthers(mode: String) async throws {
    let session = try start(["--pictures", mode])
    try await session.settle { $0.hasPicture || $0.contains("\u{A0}\u{A0}\u{A0}") }
    #expect(await session.inlinePictures.isEmpty)
    #expect(await session.sixels.isEmpty == (mode == "symbols"))
  }

  @Test func fewColoursShowNoPictures() async throws {
    let session = try start(["--pictures", "iterm2", "--color", "16"])
    try await session.settle { $0.contains("post 1 of 30") }
    #expect(await session.inlinePictures.isEmpty)
  }
}
