import TestSupport
import Testing

/// The layout inspector in the real program.
@Suite(.ownThreads) struct InspectorTests {
  private static let f12 = "\u{1b}[24~"
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  private func openTimeline(
    _ text: String, columns: Int = 100, rows: Int = 24
  ) throws -> TerminalSession {
    let path = try home.write(text, to: "tides.jsonl")
    return try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: columns, rows: rows))
  }

  /// Posts, the first of which has a picture that the server holds back.
  private func openPictures(_ gate: ServerGate) throws -> TerminalSession {
    server.route("/late.png", MisbehavingServer.Step.held(TestPicture.png, after: 0, by: gate))
    let lines = (0..<30).map { row in
      let fields = [
        "title": "#\(row) harbour",
        "content_text":
          "Sentence one of post \(row). Sentence two of post \(row), which is longer.",
      ]
      let picture = row == 0 ? ["image": server.url("/late.png")] : [:]
      return TestTimeline.json(fields.merging(picture) { $1 })
    }
    return try openTimeline(lines.joined(separator: "\n") + "\n", rows: 40)
  }

  // MARK: Screens

  @Test func showsACellOfATimeline() async throws {
    let session = try openTimeline(TestTimeline.lines(6), rows: 22)
    try await session.settle { $0.contains("post 1 of 6") }
    await session.send(Self.f12 + "jvvv")
    try await session.settle { $0.contains("▸ name") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "inspector-timeline")
  }

  @Test func closingRestoresTheScreen() async throws {
    let session = try openTimeline(TestTimeline.lines(40))
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("9" + TerminalKey.control("e"))
    let before = try await session.settle {
      !$0.contains("#0 harbour")
    }
    await session.send(Self.f12)
    try await session.settle { $0.contains("Inspector") }
    await session.send("7<vvccx")
    try await session.settle { $0.contains("▸○") }
    await session.send(Self.f12)
    let after = try await session.settle { !$0.contains("Inspector") }
    #expect(after.list(rows: 22) == before.list(rows: 22))
  }

  /// Opens the demo at its first row.
  private func openAutolayout(rows: Int) async throws -> TerminalSession {
    let session = try ProgramUnderTest.start(
      ["demo", "autolayout", "--seed", "1", "--pictures", "off", "--no-animation"], home: home,
      size: TerminalSize(columns: 120, rows: rows))
    try await session.settle { $0.contains("row 2 of 15") }
    try await session.waitUntilIdle()
    await session.send("g")
    return session
  }

  /// The label's bottom holds the cell's on a narrow list, the icon's on a wide one.
  @Test func theBottomConstraintSwitchesWithTheWidth() async throws {
    let session = try await openAutolayout(rows: 15)
    try await session.settle { $0.contains("row 1 of 15") }
    try await session.waitUntilIdle()
    await session.send(Self.f12)
    // The thumb's position depends on the rows measured before, so the list is at rest before each
    // key.
    try await session.settle { $0.contains("Inspector") }
    try await session.waitUntilIdle()
    await session.send("j")
    try await session.settle { $0.contains("row 2 of 15") }
    try await session.waitUntilIdle()
    await session.send("zt")
    let narrow = try await session.settle { screen in
      screen.contains("bottom held by bottom-to-label") && !screen.contains("↓")
    }
    #expect(narrow.contains("○ bottom-to-icon"))
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "inspector-autolayout-narrow")
    await session.send("22>")
    let wide = try await session.settle {
      $0.contains("○ bottom-to-label") && !$0.contains("↓")
    }
    #expect(wide.contains("drift 0"))
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "inspector-autolayout-wide")
  }

  @Test func aConstraintCanBeSwitchedOffAndOn() async throws {
    let session = try await openAutolayout(rows: 36)
    try await session.settle { $0.contains("row 1 of 15") }
    await session.send(Self.f12 + "jcc")
    let before = try await session.settle {
      $0.contains("▸● 'bottom-to-label'") && !$0.contains("↓")
    }
    #expect(before.contains("bottom held by bottom-to-label"))
    #expect(before.contains("(AutolayoutCell.swift:"))
    let next = try #require(before.row(containing: "Ahoy!"))
    await session.send("x")
    let off = try await session.settle { $0.contains("▸○ 'bottom-to-label'") }
    #expect(off.contains("bottom held by nothing"))
    #expect(off.contains("switched by"))
    #expect(off.contains("○ bottom-to-label asks for 13 rows more"))
    // No constraint holds the row's bottom any more.
    #expect(try #require(off.row(containing: "Ahoy!")) < next)
    await session.send("x")
    let on = try await session.settle { $0.contains("▸● 'bottom-to-label'") }
    #expect(on.contains("bottom held by bottom-to-label"))
    #expect(on.row(containing: "Ahoy!") == next)
  }

  /// The cell chooses between its two constraints whenever it is measured.
  @Test func switchingBackIsReported() async throws {
    let session = try await openAutolayout(rows: 36)
    try await session.settle { $0.contains("row 1 of 15") }
    await session.send(Self.f12 + "cx")
    let screen = try await session.settle { $0.contains("switched back") }
    #expect(screen.contains("▸● 'bottom-to-icon'"))
    #expect(screen.contains("bottom held by bottom-to-icon"))
  }

  @Test func narrowScreensHaveThePanelBelow() async throws {
    let session = try openTimeline(TestTimeline.lines(40), columns: 60, rows: 30)
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send(Self.f12)
    let below = try await session.settle { $0.contains("─Inspector") }
    #expect(below.line(0).contains("#0 harbour"))
    try await session.resize(columns: 60, rows: 14)
    let low = try await session.settle { $0.columns == 60 && $0.rows == 14 && $0.contains("─Ins") }
    #expect(low.line(0).contains("#0 harbour"))
    #expect(low.contains("bottom held by"))
    try await session.resize(columns: 110, rows: 30)
    let beside = try await session.settle { $0.contains("│ Inspector") }
    #expect(beside.contains("drift 0"))
  }

  // MARK: Pictures

  @Test func aPictureThatArrivesAboveIsNoDrift() async throws {
    let gate = ServerGate()
    let session = try openPictures(gate)
    try await session.settle { $0.contains("post 1 of 30") }
    await session.send("4" + TerminalKey.control("e") + Self.f12)
    let before = try await session.settle { $0.contains("drift 0") && $0.contains("↓ 1 picture") }
    let top = before.line(0).prefix(40)
    gate.open()
    await session.send("\t\t\t")
    let after = try await session.settle { $0.contains("1 fetched") && !$0.contains("↓") }
    #expect(after.line(0).prefix(40) == top)
    #expect(after.contains("drift 0, at most 0 since the start"))
    for columns in [90, 130, 100] {
      try await session.resize(columns: columns, rows: 40)
      // A screen drawn for this size: one drawn for the previous size may be cut off.
      let resized = try await session.settle {
        $0.columns == columns && $0.contains("1 fetched") && $0.contains("since the start")
      }
      #expect(resized.contains("drift 0, at most 0 since the start"), "\(columns) columns")
    }
  }

  @Test func pausingHoldsAPictureUntilItIsLetIn() async throws {
    let gate = ServerGate()
    let session = try openPictures(gate)
    try await session.settle { $0.contains("↓ 1 picture") }
    await session.send(Self.f12 + "p\t\t\t\t")
    let before = try await session.settle { $0.contains("arrivals paused") }
    let next = try #require(before.row(containing: "#1 harbour"))
    gate.open()
    // The size and the pixels.
    let held = try await session.settle { $0.contains("2 held back") }
    #expect(held.row(containing: "#1 harbour") == next)
    #expect(held.contains("held visible"))
    await session.send("i")
    let sized = try await session.settle { $0.contains("1 held back") }
    let moved = try #require(sized.row(containing: "#1 harbour"))
    #expect(moved > next)
    #expect(!sized.hasPicture)
    await session.send("i")
    let shown = try await session.settle { $0.contains("0 held back") && $0.hasPicture }
    #expect(shown.row(containing: "#1 harbour") == moved)
    #expect(shown.contains("1 fetched"))
    await session.send("i")
    try await session.settle { $0.contains("no picture is held back") }
  }
}
