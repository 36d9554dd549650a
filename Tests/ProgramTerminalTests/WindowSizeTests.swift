import Glibc
import TestSupport
import Testing

/// With any size that the terminal reports, at the start and later, the program draws and can be
/// quit.
@Suite(.ownThreads) struct WindowSizeTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  private func start(
    window: TerminalSize, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try ProgramUnderTest.start(
      [path], home: home, environment: environment, size: TerminalSize(columns: 80, rows: 24),
      window: window)
  }

  private func leave(_ session: TerminalSession) async throws {
    await session.send("jGq")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await !session.snapshot.isAlternate)
    #expect(try await session.isCooked())
  }

  private static func cells(_ columns: Int, _ rows: Int) -> TerminalSize {
    TerminalSize(columns: columns, rows: rows, cellWidth: 0, cellHeight: 0)
  }

  /// ncurses uses signed 16-bit numbers.
  @Test(arguments: [
    (80, 32767), (80, 32768), (80, 65535), (32768, 24), (65535, 24), (65535, 65535), (1, 1),
    (80, 1), (1, 24), (2, 2), (0, 0), (80, 0), (0, 24),
  ])
  func atTheStart(columns: Int, rows: Int) async throws {
    let session = try start(window: Self.cells(columns, rows))
    try await session.waitFor(written: columns > 2 && rows != 1 ? "post 1 of 40" : "\u{1B}[?25l")
    try await leave(session)
  }

  @Test(arguments: [
    ["LINES": "40000", "COLUMNS": "70000"], ["LINES": "-1", "COLUMNS": "99999999999999999999"],
    ["LINES": "0", "COLUMNS": "wide"], ["LINES": "30", "COLUMNS": "70"],
  ])
  func fromTheEnvironmentWithoutAReport(environment: [String: String]) async throws {
    let session = try start(window: Self.cells(0, 0), environment: environment)
    try await session.waitFor(written: "post 1 of 40")
    try await leave(session)
  }

  @Test func later() async throws {
    let session = try start(window: Self.cells(80, 24))
    try await session.waitFor(text: "post 1 of 40")
    for (columns, rows) in [
      (80, 40000), (65535, 24), (65535, 65535), (1, 1), (0, 0), (32768, 2), (80, 24),
    ] {
      let count = await session.transcript.count
      try await session.report(window: Self.cells(columns, rows))
      // Nothing is drawn for an empty size.
      guard columns > 1 else { continue }
      try await session.waitFor(written: "\u{1B}[", after: count)
    }
    try await session.settle { $0.contains("post 1 of 40") }
    try await leave(session)
  }

  /// The number of pixels in a cell is limited.
  @Test(arguments: ["kitty", "sixel"])
  func pixels(method: String) async throws {
    var window = TerminalSize(columns: 2, rows: 2)
    (window.cellWidth, window.cellHeight) = (32767, 32767)
    let session = try ProgramUnderTest.start(
      ["--pictures", method, path], home: home, size: TerminalSize(columns: 80, rows: 24),
      window: window, personality: .mute)
    try await session.waitFor(written: "\u{1B}[?25l")
    try await leave(session)
  }

  /// Tiling window managers resize a window after its program has started. The scroll region must
  /// get the new size, although ncurses keeps the initial one.
  @Test(arguments: [true, false])
  func aSizeThatChangesAroundTheStart(growsWhileAsked: Bool) async throws {
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: ["TIDELINE_PROBE_MILLISECONDS": "60000"],
      size: TerminalSize(columns: 80, rows: 24), personality: .mute)
    try await session.waitFor(written: "\u{1B}[c")
    if growsWhileAsked { try await session.resize(columns: 80, rows: 50) }
    await session.send("\u{1B}[?62;22c")
    if !growsWhileAsked {
      try await session.waitFor(written: "\u{1B}[?2004h")
      try await session.resize(columns: 80, rows: 50)
    }
    try await session.settle { $0.rows == 50 && $0.line(49).contains("q quit") }
    let text = String(decoding: await session.transcript, as: UTF8.self)
    let region = try #require(text.matches(of: /\u{1B}\[([0-9;]*)r/).last?.output.1)
    #expect(region == "" || region == "1;50")
    await session.send("jjj")
    let scrolled = try await session.settle { $0.contains("post 4 of 40") }
    // Ctrl-L repairs a region that another program has set.
    let count = await session.transcript.count
    await session.send(TerminalKey.control("l"))
    try await session.waitFor(written: "\u{1B}[r", after: count)
    let drawn = try await session.settle { $0.line(49).contains("q quit") }
    let isUnchanged = drawn.withoutLastColumn.cells == scrolled.withoutLastColumn.cells
    #expect(isUnchanged, "\(drawn.text)")
    try await leave(session)
  }
}
