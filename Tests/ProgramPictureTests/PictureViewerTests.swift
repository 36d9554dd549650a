import TestSupport
import Testing

/// Pictures in full size, in the real program.
@Suite(.ownThreads) struct PictureViewerTests {
  private static let large = TestPicture.numbered(columns: 200, rows: 100)

  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    server.route("/large.png", MisbehavingServer.Step.response(body: Self.large))
    server.route("/small.png", MisbehavingServer.Step.response(body: TestPicture.png))
    server.route("/missing.png", MisbehavingServer.Step.response(status: 404))
  }

  /// A post with three pictures, and posts without any.
  private func timeline() throws -> String {
    func picture(_ path: String, _ words: String) -> String {
      "<img src=\"\(server.url(path))\" alt=\"\(words)\">"
    }
    let content = [
      "<p>Before.</p>\(picture("/large.png", "Numbered fields of the harbour"))<p>Between.</p>"
        + "\(picture("/small.png", "Sky over sand"))\(picture("/missing.png", "Nothing"))",
      "<p>Nothing to see.</p>",
    ]
    let lines = content.enumerated().map { index, html in
      TestTimeline.json([
        "id": "\(index)", "title": "#\(index) harbour", "content_html": html,
        "url": "https://sea.example/\(index)",
      ])
    }
    let more = (2..<20).map { TestTimeline.json(["id": "\($0)", "title": "#\($0) harbour"]) }
    return try home.write((lines + more).joined(separator: "\n") + "\n", to: "pictures.jsonl")
  }

  private func open(
    _ personality: TerminalPersonality = .xterm, options: [String] = [],
    environment: [String: String] = [:]
  ) async throws -> TerminalSession {
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state"] + options + [timeline()], home: home,
      environment: environment, size: TerminalSize(columns: 80, rows: 24),
      personality: personality)
    try await session.settle { $0.contains("#0 harbour") && !$0.contains("↓") }
    return session
  }

  /// The column and row of the picture that the screen's upper left cell shows.
  private func corner(_ screen: ScreenSnapshot) -> [UInt8]? {
    let cell = screen.cells[0][0]
    for color in [cell.background, cell.foreground] {
      if case .rgb(let column, let row, 128) = color { return [column - 1, row - 1] }
    }
    return nil
  }

  private func see(
    _ session: TerminalSession, after keys: String, _ column: UInt8, _ row: UInt8
  ) async throws {
    await session.send(keys)
    try await session.settle("the picture at \(column), \(row)") { corner($0) == [column, row] }
  }

  @Test func pagesThroughPicturesAndReturns() async throws {
    let session = try await open()
    await session.send("\u{5}")
    let before = try await session.settle { !$0.contains("↓") }
    await session.send("m")
    let whole = try await session.settle {
      $0.contains("picture 1 of 3 · 1600x1600") && $0.hasPicture
    }
    #expect(whole.contains("Numbered fields of the harbour"))
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "viewer-whole")
    await session.send("n")
    let second = try await session.settle {
      $0.contains("picture 2 of 3 · 320x240") && $0.hasPicture
    }
    #expect(second.contains("Sky over sand") && !second.contains("Numbered"))
    await session.send("j")
    try await session.settle { $0.contains("picture 3 of 3") && $0.contains("✕") }
    await session.send("n")
    try await session.settle { $0.contains("the last picture") }
    await session.send("g")
    try await session.settle { $0.contains("picture 1 of 3") && $0.hasPicture }
    await session.send("p")
    try await session.settle { $0.contains("the first picture") }
    await session.send("?")
    try await session.settle { $0.contains("pixel for pixel; the whole picture again") }
    await session.send("qq")
    let after = try await session.settle { $0.contains("post 1 of 20") }
    #expect(after.list(rows: 22) == before.list(rows: 22))
    await session.send("2m")
    try await session.settle { $0.contains("picture 2 of 3") }
    await session.send("\u{1B}")
    try await session.settle { $0.contains("post 1 of 20") }
    await session.send("2Gm")
    try await session.settle { $0.contains("no picture in this post") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// At its actual size, each cell shows one field of 8 x 16 pixels.
  @Test func listKeysMoveAZoomedPicture() async throws {
    let session = try await open()
    await session.send("m")
    try await session.settle { $0.contains("picture 1 of 3 · 1600x1600") && $0.hasPicture }
    // The middle stays in place; there are 21 rows for the picture and one for its description.
    try await see(session, after: "z", 60, 39)
    #expect(await session.snapshot.contains("pixel for pixel"))
    try await see(session, after: "l", 64, 39)
    try await see(session, after: "2h", 56, 39)
    try await see(session, after: "j", 56, 41)
    try await see(session, after: TerminalKey.up + TerminalKey.control("y"), 56, 38)
    try await see(session, after: TerminalKey.control("d"), 56, 48)
    try await see(session, after: " ", 56, 69)
    try await see(session, after: "G", 120, 79)
    try await see(session, after: "5j9l", 120, 79)
    try await see(session, after: "g", 0, 0)
    try await see(session, after: TerminalKey.wheelDown(column: 5, row: 5), 0, 3)
    let screen = await session.snapshot
    for (row, column) in [(3, 7), (20, 79)] {
      let cell = screen.cells[row][column]
      let colors = [cell.background, cell.foreground]
      #expect(colors.contains(.rgb(UInt8(column + 1), UInt8(row + 4), 128)), "\(row), \(column)")
    }
    try await session.resize(columns: 100, rows: 30)
    try await session.settle { $0.columns == 100 && corner($0) == [0, 3] && $0.hasPicture }
    await session.send("z")
    try await session.settle { !$0.contains("of 3 · 1600x1600 · pixel") && $0.hasPicture }
    await session.send("zn")
    try await session.settle { $0.contains("picture 2 of 3 · 320x240") && $0.hasPicture }
    try await session.waitUntilIdle()
  }

  @Test(arguments: [false, true]) func paintedPicturesAreUsed(areInline: Bool) async throws {
    let session = try await open(areInline ? .iterm2 : .sixel)
    let before = await session.snapshot.list(rows: 22)
    await session.send("m")
    try await session.settle { $0.contains("picture 1 of 3 · 1600x1600") }
    // It is decoded by another process.
    for _ in 0..<50 where await session.paintedCells[10][40] == nil {
      try await session.waitUntilIdle(for: .milliseconds(100))
    }
    #expect(await session.paintedCells[10][40] != nil)
    await session.send("z")
    try await session.settle { $0.contains("· pixel for pixel") }
    try await session.waitUntilIdle()
    #expect(await session.paintedCells[0][0] != nil)
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 20") }
    try await session.waitUntilIdle()
    let after = await session.snapshot.list(rows: 22)
    #expect(after == before)
    #expect(await session.paintedCells[8][20] != nil)
  }

  @Test func placeholdersAreUsed() async throws {
    let kitty = try await open(.kitty)
    await kitty.send("m")
    try await kitty.settle {
      $0.contains("picture 1 of 3 · 1600x1600")
        && $0.cells[10][40].text.unicodeScalars.first == "\u{10EEEE}"
    }
    await kitty.send("qq")
    #expect(try await kitty.waitForExit() == .exited(0))
  }

  @Test func withoutPicturesTextIsShown() async throws {
    let session = try await open(options: ["--pictures", "off"])
    await session.send("m")
    try await session.settle {
      $0.contains("picture 1 of 3") && $0.contains("no pictures on this terminal")
        && $0.contains("Numbered fields of the harbour")
    }
    await session.send("z")
    try await session.settle { $0.contains("the picture is not there") }
  }

  /// A key that comes before the picture is answered until the picture arrives.
  @Test func aPictureIsLoadingUntilItArrives() async throws {
    let gate = ServerGate()
    server.route("/large.png", [.wait(gate)] + MisbehavingServer.Step.response(body: Self.large))
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state", timeline()], home: home,
      size: TerminalSize(columns: 80, rows: 24))
    try await session.settle { $0.contains("#0 harbour") }
    await session.send("mz")
    try await session.settle { $0.contains("the picture is still loading") }
    gate.open()
    let shown = try await session.settle {
      $0.contains("picture 1 of 3 · 1600x1600") && $0.hasPicture
    }
    #expect(!shown.contains("still loading") && !shown.contains("is not there"))
    try await see(session, after: "z", 60, 39)
  }

  @Test func hiddenPicturesAreNotShown() async throws {
    let post =
      TestTimeline.json([
        "id": "1", "spoiler_text": "storm damage", "content": "<p>Under it.</p>",
        "created_at": "2024-03-12T14:05:00Z", "uri": "https://sea.example/1",
      ]).dropLast()
      + ",\"account\":{\"acct\":\"gauge\",\"display_name\":\"Gauge\"},\"media_attachments\":"
      + "[{\"type\":\"image\",\"url\":\"\(server.url("/small.png"))\",\"description\":\"Sky\"}]}"
    let path = try home.write("[\(post)]", to: "warned.json")
    let session = try ProgramUnderTest.start(
      ["--no-state", path], home: home, size: TerminalSize(columns: 80, rows: 24))
    try await session.settle { $0.contains("storm damage") }
    await session.send("m")
    try await session.settle { $0.contains("its pictures are hidden; x shows them") }
    await session.send("xm")
    try await session.settle { $0.contains("picture 1 of 1 · 320x240") && $0.hasPicture }
  }

  @Test func opensItsPage() async throws {
    let session = try await open(environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 2"])
    await session.send("mo")
    try await session.settle { $0.contains("link offered by OSC 52: https://sea.example/0") }
    await session.send("y")
    try await session.settle { $0.contains("· link offered to the term") }
  }
}
