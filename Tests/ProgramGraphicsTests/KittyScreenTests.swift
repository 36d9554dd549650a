import Glibc
import TestSupport
import Testing

/// Pictures shown by kitty's placeholders, on the screen of the real program.
@Suite(.ownThreads) struct KittyScreenTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer
  private static let marks = ["\u{305}", "\u{30D}", "\u{30E}", "\u{310}", "\u{312}", "\u{33D}"]

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    server.route("/p.png", MisbehavingServer.Step.response(body: TestPicture.png))
  }

  private func start(
    _ options: [String] = [], personality: TerminalPersonality = .kitty, text: String = "Text."
  ) throws -> TerminalSession {
    let lines = (0..<30).map { row in
      var fields = ["title": "#\(row) harbour", "content_text": text]
      if row == 1 { fields["image"] = server.url("/p.png") }
      return TestTimeline.json(fields)
    }
    let path = try home.write(lines.joined(separator: "\n") + "\n", to: "pictures.jsonl")
    return try ProgramUnderTest.start(
      options + [path], home: home, size: TerminalSize(columns: 60, rows: 40),
      personality: personality)
  }

  private func open(_ session: TerminalSession) async throws -> ScreenSnapshot {
    try await session.settle { $0.contains("post 1 of 30") && !$0.placeholderRows.isEmpty }
  }

  /// Placeholders count rows and columns from the picture's upper left corner.
  private func expectPlaced(_ screen: ScreenSnapshot, number: Int, top: Int) {
    let high = Self.marks[number >> 24]
    for (y, mark) in Self.marks.enumerated() {
      let cells = screen.cells[top + y]
      guard let left = cells.firstIndex(where: \.isPlaceholder) else {
        Issue.record("no picture in row \(top + y)")
        return
      }
      for (x, column) in Self.marks.enumerated() {
        let cell = cells[left + x]
        let scalars = Array(cell.text.unicodeScalars)
        let expected = Array("\u{10EEEE}\(mark)\(column)\(high)".unicodeScalars)
        #expect(scalars == expected, "row \(y), column \(x)")
        #expect(cell.foreground == .indexed(UInt8(number & 0xFF)))
      }
    }
  }

  @Test func aPictureIsSentOnceAndPlaced() async throws {
    let session = try start()
    let screen = try await open(session)
    let commands = await session.kittyCommands
    let head = try #require(commands.first)
    #expect(head.keys["a"] == "T")
    #expect(head.keys["U"] == "1")
    #expect(head.keys["f"] == "100")
    #expect(commands.filter { $0.keys["a"] != nil }.count == 1)
    #expect(commands.last?.keys["m"] == "0")
    let number = try #require(head.keys["i"].flatMap { Int($0) })
    let top = try #require(screen.placeholderRows.first)
    expectPlaced(screen, number: number, top: top)
    #expect(head.keys["r"] == "\(screen.placeholderRows.count)")
    let columns = screen.cells[top].count(where: \.isPlaceholder)
    #expect(head.keys["c"] == "\(columns)")
  }

  /// The inspector's colours leave the cells that name a picture unchanged, also if it is selected.
  @Test func theInspectorKeepsPictures() async throws {
    let session = try start()
    _ = try await open(session)
    try await session.resize(columns: 130, rows: 40)
    await session.send("j\u{1b}[24~")
    try await session.settle { $0.contains("Inspector · row 2") && !$0.placeholderRows.isEmpty }
    for _ in 0..<16 {
      await session.send("v")
      try await session.settle()
      let screen = await session.snapshot
      let number = try #require(
        await session.kittyCommands.last { $0.keys["a"] == "T" }?.keys["i"].flatMap { Int($0) })
      expectPlaced(screen, number: number, top: try #require(screen.placeholderRows.first))
      if screen.contains("▸ picture") { return }
    }
    Issue.record("the picture was not selected")
  }

  /// On a screen without status lines, the prompt covers the last row, including its part of a
  /// picture.
  @Test func aPromptHidesItsPartOfAPicture() async throws {
    let session = try start()
    _ = try await open(session)
    try await session.resize(columns: 60, rows: 3)
    var lines = try await session.settle { $0.rows == 3 && $0.contains("#0 harbour") }.lines
    for _ in 0..<9 {
      guard await !session.snapshot.placeholderRows.contains(2) else { break }
      let before = lines
      await session.send(TerminalKey.control("e"))
      lines = try await session.settle { $0.lines != before }.lines
    }
    let screen = await session.snapshot
    #expect(screen.placeholderRows.contains(2))
    await session.send(":")
    let covered = try await session.settle { $0.line(2) == " :" }
    #expect(Array(covered.cells.prefix(2)) == Array(screen.cells.prefix(2)))
    await session.send(TerminalKey.escape)
    try await session.settle { $0.cells == screen.cells }
  }

  @Test func scrollingSendsOnlyCells() async throws {
    let session = try start()
    let first = try await open(session)
    let top = try #require(first.placeholderRows.first)
    let commands = await session.kittyCommands
    let number = try #require(commands.first?.keys["i"].flatMap { Int($0) })
    let bytes = await session.transcript.count
    await session.send(TerminalKey.control("e"))
    let second = try await session.settle { $0.line(0) != first.line(0) }
    expectPlaced(second, number: number, top: top - 1)
    #expect(await session.kittyCommands.count == commands.count)
    #expect(await session.transcript.count - bytes < 700)
    await session.send("j7")
    try await session.settle { $0.contains("7") }
    await session.send(TerminalKey.escape)
    try await session.settle()
    await session.send("G")
    try await session.settle { $0.contains("post 30 of 30") }
    await session.send("g")
    try await session.settle { !$0.placeholderRows.isEmpty }
    #expect(await session.kittyCommands.count == commands.count)
  }

  @Test(arguments: [nil, SIGTERM, SIGSEGV]) func picturesAreDeletedAtTheEnd(signal: Int32?)
    async throws
  {
    let session = try start()
    _ = try await open(session)
    let number = try #require(await session.kittyCommands.first?.keys["i"])
    if let signal { await session.send(signal: signal) } else { await session.send("q") }
    try await session.waitForExit()
    let last = try #require(await session.kittyCommands.last)
    #expect(last.keys == ["a": "d", "d": "I", "i": number, "q": "2"])
    // The images are deleted on the alternate screen, which has them.
    let transcript = String(decoding: await session.transcript, as: UTF8.self)
    let deletion = try #require(transcript.lastRange(of: "a=d,d=I"))
    let leaving = try #require(transcript.lastRange(of: "\u{1B}[?1049l"))
    let entering = try #require(transcript.lastRange(of: "\u{1B}[?1049h"))
    let sending = try #require(transcript.lastRange(of: "a=T,U=1"))
    #expect(entering.lowerBound < sending.lowerBound)
    #expect(deletion.lowerBound < leaving.lowerBound)
  }

  @Test func afterAStopPicturesAreSentAgain() async throws {
    let session = try start()
    _ = try await open(session)
    await session.send(signal: SIGSTOP)
    await session.send(signal: SIGCONT)
    let screen = try await session.settle {
      $0.cells.contains { $0.contains { $0.isPlaceholder && $0.foreground == .indexed(17) } }
    }
    let commands = await session.kittyCommands.compactMap { $0.keys["a"] }
    #expect(commands == ["T", "d", "T"])
    let top = try #require(screen.placeholderRows.first)
    expectPlaced(screen, number: 17, top: top)
  }

  @Test func aTextCannotShowAPicture() async throws {
    let session = try start(text: "fake \u{10EEEE}\u{305}\u{305} end")
    let screen = try await open(session)
    let row = try #require(screen.row(containing: "fake"))
    #expect(!screen.placeholderRows.contains(row))
    #expect(screen.line(row).contains("end"))
  }

  @Test func anOlderKittyShowsSymbols() async throws {
    var personality = TerminalPersonality.kitty
    personality.version = "kitty(0.26.5)"
    let session = try start(personality: personality)
    try await session.settle { $0.hasPicture }
    #expect(await session.kittyCommands.isEmpty)
  }

  @Test func optionsForceKitty() async throws {
    let session = try start(["--pictures", "kitty"], personality: .xterm)
    _ = try await open(session)
    #expect(await !session.kittyCommands.isEmpty)
  }
}

extension ScreenCell {
  fileprivate var isPlaceholder: Bool { text.unicodeScalars.first == "\u{10EEEE}" }
}

extension ScreenSnapshot {
  fileprivate var placeholderRows: [Int] {
    (0..<rows).filter { cells[$0].contains(where: \.isPlaceholder) }
  }
}

extension String {
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    var result: Range<String.Index>?
    var from = startIndex
    while let found = self[from...].firstRange(of: text) {
      result = found
      from = found.upperBound
    }
    return result
  }
}
