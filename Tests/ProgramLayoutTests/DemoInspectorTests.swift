import TestSupport
import Testing

/// The inspector shows the effect of each demo after its start, within five keys and without
/// resizing.
@Suite(.ownThreads) struct DemoInspectorTests {
  private static let f12 = "\u{1b}[24~"
  static let sizes = [
    TerminalSize(columns: 120, rows: 40), TerminalSize(columns: 80, rows: 24),
  ]

  /// One of the sizes; all of them if many rounds are run.
  private static func some(of number: Int) -> [TerminalSize] {
    Rounds.some(of: sizes, number: number, step: 2)
  }

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// A demo with the inspector open.
  private func open(
    _ demo: String, _ size: TerminalSize = sizes[0], _ arguments: [String] = []
  ) async throws -> TerminalSession {
    let session = try ProgramUnderTest.start(
      ["demo", demo, "--no-animation"] + arguments, home: home, size: size)
    try await session.settle { $0.contains(" of ") && $0.contains("F12 why") }
    await session.send(Self.f12)
    try await session.settle { $0.contains("drift 0") }
    return session
  }

  @Test(arguments: sizes) func autolayoutSwitches(size: TerminalSize) async throws {
    let session = try await open("autolayout", size, ["--pictures", "off"])
    let fresh = try await session.settle { $0.panel.contains("takes over below 76 columns") }
    #expect(fresh.contains("row 2 of 15"))
    #expect(fresh.panel.contains("bottom held by bottom-to-label"))
    // Wherever the list begins, the first key makes the row at least two lines lower.
    await session.send(">")
    let wide = try await session.settle {
      $0.panel.contains("bottom-to-label went, bottom-to-icon came: row 2 shrank from")
        && $0.panel.contains("now 76")
    }
    let change = try #require(wide.panel.split(separator: "shrank from ").last)
    let heights = change.split { !$0.isWholeNumber }.compactMap { Int($0) }
    #expect(try heights.at(0) >= heights.at(1) + 2, "\(heights)")
    await session.send("<")
    let narrow = try await session.settle {
      $0.panel.contains("bottom-to-icon went, bottom-to-label came: row 2")
    }
    #expect(narrow.panel.contains("now 75"))
    #expect(narrow.panel.contains("bottom held by bottom-to-label"))
    await session.send(">")
    try await session.settle {
      $0.panel.contains("75 → 76 columns: bottom-to-label went, bottom-to-icon came")
    }
  }

  @Test(arguments: some(of: 0)) func slackShowsTheRoomOfItsInequalities(size: TerminalSize)
    async throws
  {
    let session = try await open("slack", size, ["--pictures", "off"])
    let first = try await session.settle { $0.panel.contains("nothing is switched") }.panel
    #expect(first.contains("▸ icon-to-bottom-least 0 rows of slack: holds"))
    #expect(first.contains("● comment-to-bottom-most ▬"))
    #expect(first.contains("● comment-to-bottom-least"))
    await session.send("jjj")
    let fourth = try await session.settle { $0.contains("message 4 of") }.panel
    #expect(fourth.contains("▸ comment-to-bottom-least 0 rows of slack: holds"))
    #expect(fourth.contains("● comment-to-bottom-most ▬▬ 2 rows of slack"))
    #expect(fourth.contains("● icon-to-bottom-least ▬"))
  }

  @Test(arguments: some(of: 1)) func momentsGrowAsTheirPicturesArrive(size: TerminalSize)
    async throws
  {
    let session = try await open("moments", size, ["--hold"])
    let fresh = try await session.settle { $0.contains(" held") && !$0.contains(" 0 held") }
    #expect(fresh.panel.contains("the picture's height is 0 until its size is known"))
    #expect(!fresh.panel.contains("Encapsulated"))
    await session.send("p")
    let grown = try await session.settle { $0.panel.contains("picture-height: constant 0 → ") }
    #expect(grown.panel.contains(" grew from "))
    #expect(grown.panel.contains("drift 0"))
  }

  @Test func aProvokedConflictIsShown() async throws {
    let session = try await open("moments", Self.sizes[0], ["--provoke-conflict"])
    let told = try await session.settle {
      $0.panel.contains("provoked: picture-height is given up")
    }
    #expect(told.panel.contains("✕ picture-height"))
    #expect(told.panel.contains("Encapsulated-Layout-Height"))
  }

  @Test(arguments: some(of: 1)) func tweetsShowMeasuredRows(size: TerminalSize) async throws {
    let session = try await open("tweets", size, ["--pictures", "off"])
    let fresh = try await session.settle { $0.panel.contains("measured by sizeThatFits: ") }.panel
    #expect(fresh.contains("200 rows of "))
    #expect(!fresh.contains("onstraint") && !fresh.contains("solve") && !fresh.contains("Why"))
    await session.send("9<")
    let narrow = try await session.settle { $0.panel.contains(" columns: row ") }.panel
    #expect(narrow.contains("200 rows of ") && narrow.contains("all measured"))
  }

  @Test(arguments: some(of: 0)) func placeholdersGrowAboveAndNothingMoves(
    size: TerminalSize
  ) async throws {
    let session = try await open("placeholders", size, ["--hold"])
    await session.send("  ")
    let before = try await session.settle { !$0.contains(" 0 held") && $0.contains("held") }
    #expect(before.panel.contains("reserved-height == 15"))
    await session.send("p")
    let after = try await session.settle {
      $0.panel.contains("rows above ") && $0.panel.contains("what you read moved by 0 lines")
        && !$0.contains("↓")
    }
    #expect(after.panel.contains("drift 0"))
  }

  @Test func heldPicturesAreLetInOneByOne() async throws {
    let session = try ProgramUnderTest.start(
      ["demo", "placeholders", "--hold"], home: home, size: Self.sizes[0])
    try await session.settle { $0.contains("i lets a picture in") && !$0.contains("(0 wait)") }
    let before = await session.snapshot
    // Some pictures belong to rows below the screen.
    for _ in 0..<12 where await session.snapshot.list(rows: 38) == before.list(rows: 38) {
      await session.send("i")
      try await session.settle { $0.contains("wait)") }
    }
    #expect(await session.snapshot.list(rows: 38) != before.list(rows: 38))
    // Opening and closing the inspector admits no picture.
    await session.send(Self.f12)
    try await session.settle { $0.contains("drift 0") && $0.contains("held") }
    await session.send(Self.f12)
    try await session.settle { $0.contains("i lets a picture in") }
  }

  @Test func theTraceListsSwitches() async throws {
    let trace = home.path + "/trace"
    let session = try await open("autolayout", Self.sizes[0], ["--trace", trace])
    await session.send(">")
    try await session.settle { $0.panel.contains("bottom-to-icon came") }
    await session.send("<")
    try await session.settle { $0.panel.contains("bottom-to-label came") }
    await session.send("qq")
    try await session.waitForExit()
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    let events = text.split(separator: "\n").filter { $0.contains("\"event\":\"constraint\"") }
    for (label, isActive) in [("bottom-to-icon", false), ("bottom-to-label", true)] {
      let fields = "\"row\":1,\"label\":\"\(label)\",\"active\":\(isActive),\"constant\":1}"
      #expect(events.contains { $0.hasSuffix(fields) }, "\(fields)")
    }
  }

  @Test(arguments: DemoScreenTests.demos) func theNotesNameTheKeys(demo: String) async throws {
    let session = try ProgramUnderTest.start(["demo", demo], home: home, size: Self.sizes[0])
    try await session.settle { $0.contains("F12 why") }
    await session.send("?")
    let page = try await session.settle { $0.contains("closes this page") }
    #expect(page.contains("See it happen: F12"))
  }

  @Test(arguments: [(20, 6), (200, 6)])
  func thePanelPagesAtEverySize(columns: Int, rows: Int) async throws {
    let size = TerminalSize(columns: columns, rows: rows)
    let session = try ProgramUnderTest.start(
      ["demo", "slack", "--pictures", "off"], home: home, size: size)
    try await session.settle { !$0.text.isEmpty }
    await session.send(Self.f12)
    try await session.settle { $0.panel.contains("bottom") }
    var seen = ""
    for _ in 0..<200 where !seen.contains("Frames") {
      let before = await session.snapshot
      seen += before.panel
      await session.send("]")
      if seen.contains("Frames") { break }
      try await session.settle(quiet: .milliseconds(40)) { $0 != before }
    }
    #expect(seen.contains("Constraints") && seen.contains("List"))
  }

  /// While pictures arrive and the position and the list's width change.
  @Test(arguments: DemoScreenTests.demos) func nothingDriftsUnderRandomKeys(demo: String)
    async throws
  {
    var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("\(demo): seed \(random.seed)")
    let session = try await open(demo, Self.sizes[0], ["--seed", "\(random.seed % 1000)"])
    let keys = [
      "j", "k", " ", "b", "\u{5}", "\u{19}", "<", ">", "3<", "3>", "v", "e", "zt", "p", "i",
    ]
    for _ in 0..<Rounds.times(8) {
      await session.send(keys[Int.random(in: 0..<keys.count, using: &random)])
      let screen = try await session.settle(quiet: .milliseconds(40)) { $0.contains("drift") }
      // The screen as text: its cells would fill pages.
      let (text, panel) = (screen.text, screen.panel)
      #expect(text.contains("drift 0"), "seed \(random.seed)")
      #expect(!panel.contains("✕"), "seed \(random.seed)")
    }
    // The number of sections before the list's depends on the keys pressed.
    var end = ""
    for _ in 0..<12 where !end.contains("since the start") {
      await session.send("\t")
      end = try await session.settle { $0.contains("drift") }.panel
    }
    #expect(end.contains("at most 0 since the start"), "seed \(random.seed)")
  }
}

extension ScreenSnapshot {
  /// The text of the inspector's panel, right of the list or below it, in one line, without the
  /// caption and the status.
  fileprivate var panel: String {
    let title = (0..<rows).first { line($0).contains("drift") } ?? 0
    let left = title == 0 ? column(of: "│", inRow: 0).map { $0 + 1 } ?? 0 : 0
    let end = rows < 12 ? rows : rows - 3
    let lines = cells[title..<max(title, end)].map { $0[left...].map(\.text).joined() }
    return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }
}
