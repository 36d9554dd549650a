import Glibc
import TestSupport
import Testing

/// Searching in the real program.
@Suite(.ownThreads) struct SearchScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Forty posts of one line each, one of them longer than any screen here, with words in various
  /// spellings.
  private static var lines: String {
    (0..<40).map { index in
      var text = "Sentence \(index) at the tide gauge."
      if index == 5 { text = "Le Café de la Marée, ｶﾓﾒ and 潮が満ちる." }
      if index == 12 { text += " The lighthouse is dark." }
      if index == 30 {
        text =
          (0..<60).map { "Line \($0) goes on." }.joined(separator: "\n")
          + "\nA Lighthouse keeper.\n" + (60..<90).map { "Line \($0)." }.joined(separator: "\n")
          + "\nThe last lighthouse."
      }
      return TestTimeline.json([
        "id": "\(index)", "title": "#\(index) harbour", "content_text": text,
        "url": "https://lighthouse.example/\(index)",
      ])
    }.joined(separator: "\n") + "\n"
  }

  private func open(
    _ text: String = SearchScreenTests.lines, options: [String] = [], columns: Int = 90,
    rows: Int = 20
  ) async throws -> TerminalSession {
    let path = try home.write(text, to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation"] + options + [path], home: home,
      size: TerminalSize(columns: columns, rows: rows))
    try await session.settle { $0.contains("#0 harbour") && $0.contains("of 40") }
    return session
  }

  private func append(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "a"))
    defer { fclose(file) }
    #expect(fputs(text, file) >= 0)
  }

  private func quit(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// A post behind a warning, between two without one.
  private func warned() throws -> String {
    let posts = (0..<3).map { index in
      let warning = index == 1 ? "storm damage" : ""
      return """
        {"id":"\(index)","uri":"https://sea.example/\(index)","spoiler_text":"\(warning)",\
        "created_at":"2024-03-12T14:0\(index):00Z","content":"<p>The \(["reef", "kelp", "sand"][index]).</p>",\
        "account":{"acct":"gauge","display_name":"Gauge"},"media_attachments":[]}
        """
    }
    return try home.write("[\(posts.joined(separator: ","))]", to: "warned.json")
  }

  @Test func matchesBehindAWarningAreAnnounced() async throws {
    let session = try ProgramUnderTest.start(
      ["--no-state", try warned()], home: home, size: TerminalSize(columns: 90, rows: 20))
    try await session.settle { $0.contains("storm damage") && $0.contains("post 1 of 3") }
    await session.send("/kelp" + TerminalKey.enter)
    let found = try await session.settle { $0.contains("match 1 of 1") }
    #expect(found.contains("post 2 of 3") && !found.contains("The kelp."))
    let row = try #require(found.row(containing: "storm damage"))
    #expect(found.line(row).contains("a match is in what is hidden"))
    await session.send("x")
    let revealed = try await session.settle { $0.contains("The kelp.") }
    #expect(!revealed.contains("a match is in what is hidden"))
    let place = try #require(revealed.row(containing: "The kelp."))
    let column = try #require(revealed.column(of: "kelp", inRow: place))
    #expect(revealed.cells[place][column].isReversed)
    await session.send(TerminalKey.escape)
    try await session.settle { !$0.contains("match 1 of 1") }
    await session.send("x")
    try await session.settle { !$0.contains("The kelp.") && !$0.contains("a match is in") }
    await session.send("Fkelp" + TerminalKey.enter)
    try await session.settle {
      $0.contains("post 1 of 1 · filter kelp, 3 in all")
        && $0.contains("a match is in what is hidden")
    }
  }

  @Test func typingSearchesAndEscRestoresTheLine() async throws {
    let session = try await open()
    await session.send("jj\u{5}\u{5}\u{5}")
    let before = try await session.settle { $0.contains("post 3 of 40") }
    await session.send("/light")
    let found = try await session.settle { $0.contains("match 1 of 2 ") }
    #expect(found.contains("#12 harbour") && found.line(18) == " /light")
    try expectScreen(found.withoutLastColumn, matches: "search-typed")
    await session.send("zzz")
    let none = try await session.settle { $0.contains("no match") }
    #expect(none.list(rows: 18) == before.list(rows: 18))
    await session.send(TerminalKey.escape)
    let after = try await session.settle { $0.contains("post 3 of 40") && !$0.contains("match") }
    #expect(after.list(rows: 18) == before.list(rows: 18))
    #expect(after.line(18) == before.line(18))
    try await quit(session)
  }

  @Test func enterKeepsAndNWraps() async throws {
    let session = try await open()
    await session.send("/lighthouse" + TerminalKey.enter)
    try await session.settle { $0.contains("post 13 of 40") && $0.contains("match 1 of 2") }
    await session.send("n")
    let deep = try await session.settle { $0.contains("post 31 of 40") }
    #expect(deep.contains("A Lighthouse keeper.") && !deep.contains("The last lighthouse."))
    try expectScreen(deep.withoutLastColumn, matches: "search-in-a-long-post")
    await session.send("n")
    try await session.settle { $0.contains("The last lighthouse.") && $0.contains("post 31 of 40") }
    await session.send("n")
    try await session.settle { $0.contains("search wrapped") && $0.contains("post 13 of 40") }
    await session.send("N")
    try await session.settle { $0.contains("search wrapped") && $0.contains("post 31 of 40") }
    // A count goes by posts; Enter alone repeats the search.
    await session.send("g2n")
    try await session.settle { $0.contains("post 31 of 40") }
    await session.send("/" + TerminalKey.enter)
    try await session.settle { $0.contains("The last lighthouse.") }
    // Addresses contain no matches.
    await session.send(TerminalKey.escape)
    try await session.settle { !$0.contains("match") }
    try await quit(session)
  }

  @Test(arguments: [
    ("cafe", 6), ("CAFÉ", 0), ("marée", 6), ("かもめ", 6), ("カモメ", 6), ("潮が", 6), ("sentence 7", 8),
    ("lighthouse.example", 0), ("keeper", 31),
  ])
  func matching(_ text: String, _ number: Int) async throws {
    let session = try await open()
    await session.send("/" + text)
    if number > 0 {
      try await session.settle { $0.contains("match 1 of 1 ") }
      await session.send(TerminalKey.enter)
      try await session.settle { $0.contains("post \(number) of 40") }
    } else {
      try await session.settle { $0.contains("no match") }
      await session.send(TerminalKey.enter)
      try await session.settle { $0.contains("not found: ") }
    }
    try await quit(session)
  }

  /// Keys typed ahead have the same effect as keys typed one by one, although the search takes
  /// longer.
  @Test func nTypedAheadGoesOnFromTheMatch() async throws {
    let text = (0..<20_000).map { index in
      let word = [15_000, 17_000, 19_000].contains(index) ? "lighthouse" : "gauge"
      return "{\"id\":\"\(index)\",\"content_text\":\"The \(word) of harbour \(index).\"}\n"
    }.joined()
    let path = try home.write(text, to: "many.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state", path], home: home, size: TerminalSize(columns: 90, rows: 20))
    try await session.settle { $0.contains("post 1 of 20000") }
    await session.send("/lighthouse" + TerminalKey.enter + "n")
    try await session.settle { $0.contains("match 2 of 3") && $0.contains("post 17001 of 20000") }
    await session.send("g/lighthouse" + TerminalKey.enter + "2n")
    try await session.settle { $0.contains("match 3 of 3") && $0.contains("post 19001 of 20000") }
    // At most a thousand matches are advanced, here around three of them.
    let many = String(repeating: "999999999n", count: 50)
    await session.send("g/lighthouse" + TerminalKey.enter + many)
    try await session.settle { $0.contains("match ") && $0.contains(" of 3") }
    try await quit(session)
  }

  @Test func searchCommand() async throws {
    let session = try await open()
    await session.send(":search keeper" + TerminalKey.enter)
    try await session.settle { $0.contains("post 31 of 40") }
    await session.send("g:next-match" + TerminalKey.enter)
    try await session.settle { $0.contains("post 31 of 40") }
    await session.send("/" + TerminalKey.up)
    try await session.settle { $0.line(18) == " /keeper" }
    await session.send(TerminalKey.escape)
    try await session.settle { $0.contains("post 31 of 40") }
    await session.send("?")
    try await session.settle { $0.contains("closes this page") }
    await session.send("q")
    try await quit(session)
  }

  @Test func nothingWasSearchedFor() async throws {
    let session = try await open()
    await session.send("n")
    try await session.settle { $0.contains("no search is active · / begins one") }
    await session.send(TerminalKey.control("f"))
    try await session.settle { $0.contains("all are shown") }
    try await quit(session)
  }

  @Test func hostileQueries() async throws {
    let session = try await open()
    let paste = String(repeating: "tide \u{202E}", count: 200_000)
    await session.send("/" + TerminalKey.paste(paste))
    try await session.settle { $0.contains("no match") }
    await session.send("\u{15}" + TerminalKey.paste("\u{7}\u{1B}[31mgauge"))
    let screen = try await session.settle { $0.contains("match 1 of 38") }
    #expect(screen.line(18) == " /gauge")
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains("post 1 of 40") }
    try await quit(session)
  }

  /// One of two posts with a match is filtered out.
  @Test func onlyShownPostsMatch() async throws {
    let session = try await open()
    await session.send("/lighthouse" + TerminalKey.enter)
    try await session.settle { $0.contains("match 1 of 2") }
    await session.send("Fsentence" + TerminalKey.enter)
    try await session.settle { $0.contains("of 38") && $0.contains("match 1 of 1") }
    await session.send(TerminalKey.control("f"))
    try await session.settle { $0.contains("of 40") && $0.contains("match 1 of 2") }
    try await quit(session)
  }

  @Test func addedLinesAreSearched() async throws {
    let session = try await open()
    await session.send("/breakwater" + TerminalKey.enter)
    try await session.settle { $0.contains("not found") }
    try append(
      TestTimeline.json(["id": "40", "title": "#40 harbour", "content_text": "The breakwater"])
        + "\n",
      to: home.path + "/tides.jsonl")
    try await session.settle { $0.contains("of 41") && $0.contains("1 with a match") }
    // The new match does not move the reader.
    await session.send("n")
    try await session.settle { $0.contains("post 41 of 41") }
    try await quit(session)
  }

  @Test func quittingWhileItSearches() async throws {
    let text = String(repeating: Self.lines, count: 3_000)
    let path = try home.write(text, to: "long.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 90, rows: 20))
    try await session.settle { $0.contains("#0 harbour") }
    await session.send("/nowhere at all" + TerminalKey.enter + "q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
