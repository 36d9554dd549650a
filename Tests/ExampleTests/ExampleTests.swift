import FoundationEssentials
import TestSupport
import Testing

/// The programs of `Examples/`, in the folder that `.ci/run examples` names once it has built them.
private enum Examples {
  static let folder = ProcessInfo.processInfo.environment["TIDELINE_EXAMPLES"]

  static func path(of name: String) throws -> String { try #require(folder) + "/" + name }
}

extension ScreenSnapshot {
  /// Whether any cell has a colour of a picture's.
  fileprivate var hasPicture: Bool {
    cells.contains { row in
      row.contains { if case .rgb = $0.background { true } else { false } }
    }
  }
}

/// The programs of `Examples/` in a terminal.
@Suite(.ownThreads, .serialized, .enabled(if: Examples.folder != nil)) struct ExampleTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(
    _ name: String, _ arguments: [String] = [], input: String? = nil, columns: Int = 60,
    rows: Int = 20, personality: TerminalPersonality = .xterm
  ) throws -> TerminalSession {
    let path = try Examples.path(of: name)
    let size = TerminalSize(columns: columns, rows: rows)
    guard let input else {
      return try TerminalSession(
        path: path, arguments: arguments,
        environment: ProgramUnderTest.environment(home: home), size: size,
        personality: personality)
    }
    let file = try home.write(input, to: "input")
    return try TerminalSession(
      path: "/bin/bash",
      arguments: ["--norc", "--noprofile", "-c", "exec \"$0\" < \"$1\"", path, file],
      environment: ProgramUnderTest.environment(home: home), size: size)
  }

  /// The keys end it, and the terminal is as it was.
  private func expectEnd(_ session: TerminalSession, keys: String, status: Int32) async throws {
    await session.send(keys)
    #expect(try await session.waitForExit() == .exited(status))
    let screen = await session.snapshot
    #expect(!screen.isAlternate && screen.isCursorVisible)
    #expect(try await session.isCooked())
  }

  @Test func theExamplesOfThePagesPrintWhatThePagesSay() async throws {
    let pages = try LandingPage.all().filter { $0.output != nil }
    #expect(pages.count >= 6)
    for page in pages {
      let run = try await PipedRun.run(
        path: try Examples.path(of: page.module + "Example"),
        environment: ProgramUnderTest.environment(home: home))
      #expect(run.status == .exited(0), "\(page.module): \(run.errorText)")
      #expect(run.text == page.output, "\(page.module)")
    }
  }

  @Test func theKeysExampleShowsKeysAndEnds() async throws {
    let session = try start("TerminalExample")
    try await session.settle { $0.contains("Press a key; q ends.") }
    await session.send("x")
    try await session.settle { $0.line(0).contains("character(\"x\")") }
    try await expectEnd(session, keys: "q", status: 0)
  }

  @Test func thePicturesExampleShowsAPicture() async throws {
    let picture =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mM4EaBBEmIY"
      + "1TCqYfhqAAC/xkAQBZlNgAAAAABJRU5ErkJggg=="
    let session = try start("PicturesExample", [picture])
    try await session.settle { $0.contains("Photo 1") && $0.hasPicture }
    try await expectEnd(session, keys: "q", status: 0)
  }

  @Test(arguments: ["LogViewer", "IsolatedLogViewer"])
  func theLogViewerShowsLinesAndEnds(name: String) async throws {
    let lines = (1...500).map {
      "12:00:\($0) info message \($0) of a log whose lines are wrapped where they are long"
    }
    let session = try start(name, input: lines.joined(separator: "\n") + "\n", columns: 50)
    let first = try await session.settle { $0.contains("item 1 of 500") }
    #expect(first.line(0).contains("message 1 of a log"))
    await session.send("G")
    let end = try await session.settle { $0.contains("item 500 of 500") }
    #expect(end.contains("message 500"))
    await session.send("250G")
    let middle = try await session.settle { $0.contains("item 250 of 500") }
    #expect(middle.line(0).contains("message 250"))
    try await session.resize(columns: 90, rows: 30)
    let wide = try await session.settle { $0.columns == 90 && $0.contains("item 250 of 500") }
    #expect(wide.line(0).contains("message 250"))
    try await expectEnd(session, keys: "q", status: 0)
  }

  @Test func anEmptyLogIsNoReasonToFail() async throws {
    let session = try start("LogViewer", input: "")
    try await session.settle { $0.contains("no items") }
    try await expectEnd(session, keys: TerminalKey.control("c"), status: 0)
  }

  @Test func theChatTakesTextWhileRowsArrive() async throws {
    let session = try start("Chat", ["0.3"], rows: 30)
    let opened = try await session.settle { $0.contains("Write, and press Enter") }
    #expect(opened.isCursorVisible)
    try await session.settle { $0.hasPicture }
    await session.send("q: 潮 is high?")
    try await session.settle { $0.contains("q: 潮 is high?") }
    await session.send(TerminalKey.enter)
    try await session.settle { screen in
      screen.contains("Ship number 2") && screen.contains("q: 潮 is high?")
        && screen.contains("Write, and press")
    }
    // What is read stays while more comes.
    await session.send(TerminalKey.tab + "g")
    let top = try await session.settle { $0.line(1).contains("Hour 1:") }
    #expect(!top.isCursorVisible)
    try await session.watch(for: .milliseconds(900))
    #expect(await session.snapshot.line(1).contains("Hour 1:"))
    // A panel over a part of them, and commands by their names.
    await session.send(TerminalKey.enter)
    let panel = try await session.settle { $0.contains("┌─ gauge ─") }
    #expect(panel.contains("│Hour 1: the water stands at") && panel.line(1).contains("Hour 1:"))
    await session.send("q:end" + TerminalKey.enter)
    try await session.settle { !$0.contains("Hour 1:") && $0.contains("is passing") }
    await session.send(":top" + TerminalKey.enter)
    try await session.settle { $0.line(1).contains("Hour 1:") }
    try await expectEnd(session, keys: TerminalKey.control("c"), status: 0)
  }

  /// A terminal that draws the pictures itself draws what a panel leaves of them.
  @Test func aPanelHidesTheirPartOfPictures() async throws {
    let session = try start("Chat", ["60"], rows: 16, personality: .sixel)
    let shown = try await session.settle { $0.contains("\u{A0}\u{A0}\u{A0}") }
    let before = await session.paintedCells
    await session.send(TerminalKey.tab + TerminalKey.enter)
    let panel = try await session.settle { $0.contains("┌─ pier ─") }
    let covered = await session.paintedCells
    var hidden = 0
    for (y, row) in panel.cells.enumerated() {
      for (x, cell) in row.enumerated() {
        let isPicture = cell.text == "\u{A0}"
        #expect((covered[y][x] != nil) == isPicture, "row \(y), column \(x)")
        if !isPicture, before[y][x] != nil { hidden += 1 }
      }
    }
    #expect(hidden > 0 && panel.contains("\u{A0}"))
    await session.send("q")
    try await session.settle { $0.lines == shown.lines }
    // Pixels come when the screen is at rest.
    try await session.waitUntilIdle(for: .milliseconds(300))
    let after = await session.paintedCells
    #expect(after.map { $0.map { $0 != nil } } == before.map { $0.map { $0 != nil } })
    await session.send(TerminalKey.control("c"))
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func theDashboardHasNoListAndWorks() async throws {
    let session = try start("Dashboard", rows: 18)
    let first = try await session.settle { $0.contains("reading 1") }
    #expect(first.contains("─ Harbour ─") || first.contains("Harbour"))
    #expect(first.contains("21 %"))
    await session.send("r3r")
    try await session.settle { $0.contains("reading 5") }
    await session.send(TerminalKey.tab + "ready" + TerminalKey.left + "!" + TerminalKey.enter)
    let noted = try await session.settle { $0.contains("noted: read!y") }
    #expect(noted.isCursorVisible)
    await session.send(TerminalKey.up)
    try await session.settle { $0.contains("│read!y") }
    await session.send(TerminalKey.tab + "?")
    try await session.settle { $0.contains("read all gauges now") }
    await session.send("q")
    try await session.settle { !$0.contains("read all gauges now") }
    try await expectEnd(session, keys: "q", status: 0)
  }
}
