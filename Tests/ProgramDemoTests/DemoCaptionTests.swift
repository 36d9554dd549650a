import TestSupport
import Testing

/// A person who has read nothing understands each demo within two keys: the caption names them, and
/// the whole screen shows what they do.
@Suite(.ownThreads) struct DemoCaptionTests {
  private static let f12 = "\u{1b}[24~"
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func open(
    _ arguments: [String], columns: Int = 80, rows: Int = 24
  ) throws -> TerminalSession {
    try ProgramUnderTest.start(
      ["demo"] + arguments + ["--no-animation"], home: home,
      size: TerminalSize(columns: columns, rows: rows))
  }

  /// Compares the screen at rest with a kept one.
  ///
  /// - Parameter lines: lines that are left out.
  private func expectRest(
    _ name: String, _ session: TerminalSession, without lines: ClosedRange<Int>? = nil,
    until condition: @Sendable (ScreenSnapshot) -> Bool = { _ in true }
  ) async throws {
    try await session.settle(name, condition)
    try await session.waitUntilIdle()
    let screen = await session.snapshot
    let texts = (0..<screen.rows).map { row in
      lines?.contains(row) == true ? "" : withoutTimes(screen.line(row))
    }
    try expectScreen(.showing(texts, columns: screen.columns), matches: name)
  }

  /// `"3 ms"` as `"#"`: measured times differ with each run.
  private func withoutTimes(_ line: String) -> String {
    line.replacing(#/[0-9.,]+ ?(ms|µs|s)\b/#, with: "#")
  }

  /// Some lines and columns of a screen with `#` for all numbers, where those differ with each run.
  private func withoutNumbers(
    _ screen: ScreenSnapshot, lines: ClosedRange<Int>, columns: Int
  ) -> ScreenSnapshot {
    let texts = lines.map { row in
      screen.cells[row].prefix(columns).map(\.text).joined().replacing(#/[0-9][0-9,]*/#, with: "#")
    }
    return .showing(texts, columns: columns)
  }

  @Test func autolayout() async throws {
    let session = try open(["autolayout", "--pictures", "off"])
    let first = try await session.settle { $0.contains("row 2 of 15") && $0.contains("F12 shows") }
    #expect(first.line(21).contains("the lower one ends the row"))
    await session.send(Self.f12)
    try await session.settle { $0.line(21).contains("ends the row. > until 76 columns") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "demo-autolayout-text")
    await session.send(">")
    try await session.settle { $0.line(21).contains("now the icon reaches lower") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "demo-autolayout-icon")
  }

  @Test func slackScreens() async throws {
    let session = try open(["slack", "--pictures", "off"])
    try await session.settle { $0.line(21).contains("As high as the icon, or as the text") }
    await session.send(Self.f12)
    try await expectRest("demo-slack-icon", session) { $0.line(21).contains("< until the text") }
    await session.send("<")
    try await expectRest("demo-slack-text", session) { $0.line(21).contains("needs more") }
  }

  /// Each `<` goes to the next width at which the row is higher, and each `>` back; the screen is at
  /// rest there.
  @Test func slackSteps() async throws {
    let session = try open(["slack", "--pictures", "off"], columns: 120)
    try await session.settle { $0.line(21).contains("As high as the icon, or as the text") }
    await session.send(Self.f12)
    try await session.settle { $0.line(21).contains("< until the text") }
    for steps in [
      [("<", "grew from 6 to 7"), ("<", "grew from 7 to 8"), ("<", "grew from 8 to 9")],
      [(">", "shrank from 9 to 8"), (">", "shrank from 8 to 7"), (">", "shrank from 7 to 6")],
    ] {
      for (key, change) in steps {
        await session.send(key)
        try await session.settle("\(key): \(change)") { $0.words.contains("row 1 \(change)") }
      }
      let before = await session.snapshot
      try await session.waitUntilIdle()
      #expect(await session.snapshot.list(rows: 21) == before.list(rows: 21))
    }
  }

  /// Each key leads to a width at which the row has another height.
  @Test(arguments: [80, 120, 200]) func slack(columns: Int) async throws {
    let session = try open(["slack", "--pictures", "off"], columns: columns)
    try await session.settle { $0.line(21).contains("As high as the icon, or as the text") }
    await session.send(Self.f12)
    try await session.settle { $0.line(21).contains("< until the text") }
    await session.send("<")
    let text = try await session.settle { $0.line(21).contains("The text needs more") }
    #expect(text.words.contains("row 1 grew from 6 to 7"))
    await session.send(">")
    let icon = try await session.settle { $0.line(21).contains("< until the text") }
    #expect(icon.words.contains("row 1 shrank from 7 to 6"))
  }

  /// No picture has come: rows are as high as their texts.
  @Test func momentsAtFirst() async throws {
    let session = try open(["moments", "--hold"])
    // As many as the list asks for at this place.
    try await expectRest("demo-moments-waits", session) {
      $0.line(21).contains("takes no room. i lets it in") && $0.contains("(7 wait)")
    }
  }

  @Test func moments() async throws {
    let session = try open(["moments", "--hold"])
    try await session.settle {
      $0.line(21).contains("takes no room. i lets it in") && $0.contains("(6 wait)")
    }
    // The pictures of other rows may have come first.
    await session.send("i")
    try await session.settle {
      $0.line(21).contains("the row has grown") && $0.contains("(6 wait)")
    }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "demo-moments-size")
    // Decoders may be busy with pictures that are held.
    for _ in 0..<12 where await !session.snapshot.line(21).contains("This row is whole") {
      let before = await session.snapshot
      await session.send("i")
      try await session.settle { $0 != before }
    }
    #expect(await session.snapshot.hasPicture)
  }

  @Test func tweets() async throws {
    let session = try open(["tweets", "--pictures", "off"])
    let first = try await session.settle { $0.line(21).contains(" ms by constraints. G the end") }
    #expect(first.line(21).contains("All 200 heights: "))
    await session.send("G")
    // The key that was pressed would do nothing more.
    try await expectRest("demo-tweets-end", session) {
      $0.contains("tweet 200 of 200") && $0.line(21).contains("g the top")
    }
    await session.send(Self.f12)
    let narrow = try await session.settle { $0.line(21).contains(" ms by constraints. < again") }
    try await expectRest("demo-tweets-function", session)
    #expect(narrow.line(21) != first.line(21))
    #expect(narrow.words.contains("measured by sizeThatFits"))
  }

  @Test func placeholders() async throws {
    let session = try open(["placeholders", "--hold"])
    // As many as the list asks for at this place.
    try await expectRest("demo-placeholders-waits", session) {
      $0.line(21).contains("i lets a picture in") && $0.contains("(5 wait)")
    }
    await session.send(" i")
    try await expectRest("demo-placeholders-one", session) { $0.contains("(6 wait)") }
    await session.send(Self.f12)
    try await session.settle { $0.contains("drift 0") }
    await session.send("p")
    try await session.settle { $0.line(21).contains("the top line stayed. Space") && $0.hasPicture }
  }

  @Test func list() async throws {
    let session = try open(["list", "--pictures", "off"])
    let first = try await session.settle { $0.line(21).contains("f flings: watch the colours") }
    #expect(first.contains("A list of 10,000,000 rows"))
    #expect(first.contains("Anchor row 1, letter 1"))
    #expect(first.contains(" cell 1  row 1"))
    await session.send("f")
    let flung = try await session.settle { $0.line(21).contains("cells have stood for") }
    try expectScreen(
      withoutNumbers(flung, lines: 21...23, columns: 80), matches: "demo-list-flung")
    #expect(!flung.contains("Anchor row 1,"))
    #expect(flung.contains(" reused"))
    await session.send("50%")
    let middle = try await session.settle { $0.contains("Anchor row 5,000,001, letter 1") }
    // The panel's numbers depend on how far it was flung.
    try expectScreen(
      withoutNumbers(middle, lines: 0...20, columns: 41), matches: "demo-list-middle")
    // A jump measures what the screen shows and a row or two beside it, then, at rest, what may come
    // next; none of the millions between.
    let line = try #require(middle.text.split(separator: "Last move ").last)
    let measured = try #require(line.split(separator: " ").first.flatMap { Int($0) })
    #expect(measured <= 500, "\(measured)")
  }

  @Test func queue() async throws {
    let session = try open(["queue"])
    let first = try await session.settle {
      $0.line(21).contains("Time stands still, and these pictures are wanted")
        && $0.contains("0 came  5 shared  0 cancelled")
    }
    #expect(first.contains("2  on screen ░░░░░░░░░░░░░ ×2"))
    #expect(first.contains("5  on screen in line"))
    await session.send("n")
    let grown = try await session.settle { $0.contains("0.4 s, time stands") && $0.contains("→") }
    #expect(grown.contains(" lines"))
    // What came just now, on the last lines, is told in the order of the threads.
    try await expectRest("demo-queue-grown", session, without: 13...20)
    await session.send(" ")
    let left = try await session.settle { $0.contains("cancelled: row left") }
    #expect(left.line(21).contains("Rows that left need no picture"))
    try await expectRest("demo-queue-left", session, without: 15...20)
    await session.send("p")
    try await session.settle {
      $0.line(21).contains("Every picture here has come") && $0.hasPicture
        && $0.contains("nothing is wanted, and nothing runs")
    }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
  }

  /// A demo at rest draws nothing and asks for no time.
  @Test(arguments: ["autolayout", "moments", "tweets", "placeholders", "list"])
  func aDemoComesToRest(demo: String) async throws {
    let session = try open([demo])
    try await session.settle { $0.contains(" 1 of ") || $0.contains(" 2 of ") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond, within: .seconds(60))
    let before = await session.snapshot
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(await session.snapshot == before)
  }

  @Test func aPausedQueueIsAtRest() async throws {
    let session = try open(["queue"])
    try await session.settle { $0.contains("time stands") && $0.contains("↓") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
  }

  /// Without a name, the list to choose from; leaving a demo leads back to it.
  @Test func theMenu() async throws {
    let session = try open([])
    try await session.settle { $0.line(21).contains("Enter opens it") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "demo-menu")
    await session.send("j" + TerminalKey.enter)
    try await session.settle { $0.contains("message 1 of 400") }
    await session.send("q")
    try await session.settle { $0.contains("demo 2 of 7") }
    await session.send("q")
    let status = try await session.waitForExit()
    #expect(status == .exited(0), "\(status)")
  }

  /// A narrow screen breaks the caption, and a low one leaves it out; no line is lost below it.
  @Test(arguments: [(60, 24, true), (40, 24, true), (80, 11, false), (80, 5, false)])
  func captionsFitEveryScreen(columns: Int, rows: Int, isShown: Bool) async throws {
    let session = try open(["slack", "--pictures", "off"], columns: columns, rows: rows)
    let screen = try await session.settle { $0.contains("message 1 of 400") }
    #expect(screen.contains("As high as the icon") == isShown)
    if isShown {
      #expect(screen.line(20).contains("As high as the icon"))
      #expect(screen.line(22).contains("message 1 of 400"))
    }
  }
}

extension ScreenSnapshot {
  /// The words of the panel beside the list, whatever lines they are on.
  fileprivate var words: String {
    let left = column(of: "│", inRow: 0).map { $0 + 1 } ?? 0
    let lines = cells.prefix(21).map { $0[left...].map(\.text).joined() }
    return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }
}
