import Glibc
import TestSupport
import Testing

/// Filtering in the real program, on the screen and in printed output.
@Suite(.ownThreads) struct FilterScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static func line(_ index: Int) -> String {
    let kind = index % 4 == 0 ? "rope" : "sail"
    return TestTimeline.json([
      "id": "\(index)", "title": "#\(index) harbour", "content_text": "A \(kind) in the wind.",
      "date_published": "2024-0\(1 + index % 9)-10T08:00:00Z",
    ])
  }

  private static var lines: String {
    (0..<200).map(line).joined(separator: "\n") + "\n"
  }

  private func open(_ options: [String] = []) async throws -> TerminalSession {
    let path = try home.write(Self.lines, to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation"] + options + [path], home: home, size: TerminalSize(columns: 100, rows: 22))
    try await session.settle { $0.contains("#0 harbour") && $0.contains("post 1 of") }
    return session
  }

  private func quit(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aPostThatFitsStaysOnItsLine() async throws {
    let session = try await open()
    await session.send("101Gzz")
    let before = try await session.settle { $0.contains("post 101 of 200") }
    let row = try #require(before.row(containing: "#100 harbour"))
    await session.send("Frope")
    let typed = try await session.settle { $0.contains("50 of 200 fit rope") }
    #expect(typed.row(containing: "#100 harbour") == row)
    #expect(typed.contains("#96 harbour") && !typed.contains("#99 harbour"))
    try expectScreen(typed.withoutLastColumn, matches: "filter-typed")
    await session.send(TerminalKey.escape)
    let back = try await session.settle { $0.contains("post 101 of 200") && !$0.contains("fit") }
    #expect(back.list(rows: 20) == before.list(rows: 20))
    await session.send("Frope" + TerminalKey.enter)
    let kept = try await session.settle { $0.contains("post 26 of 50") }
    #expect(kept.row(containing: "#100 harbour") == row)
    await session.send(TerminalKey.control("f"))
    let cleared = try await session.settle { $0.contains("post 101 of 200") }
    #expect(cleared.list(rows: 20) == before.list(rows: 20))
    try await quit(session)
  }

  @Test func movingWhileFilteredKeepsTheNewPlace() async throws {
    let session = try await open()
    await session.send(":filter rope" + TerminalKey.enter)
    try await session.settle { $0.contains("post 1 of 50") }
    await session.send("20G")
    let there = try await session.settle { $0.contains("post 20 of 50") }
    let row = try #require(there.row(containing: "#76 harbour"))
    await session.send(TerminalKey.control("f"))
    let all = try await session.settle { $0.contains("post 77 of 200") }
    #expect(all.row(containing: "#76 harbour") == row)
    await session.send(":filter nowhere" + TerminalKey.enter)
    try await session.settle { $0.contains("no posts · filter nowhere, 200 in all") }
    await session.send(TerminalKey.control("f"))
    let back = try await session.settle { $0.contains("post 77 of 200") }
    #expect(back.list(rows: 20) == all.list(rows: 20))
    try await quit(session)
  }

  @Test func badQueriesAreShown() async throws {
    let session = try await open()
    await session.send("Fhas:video")
    try await session.settle { $0.contains("'has:video': it is has:picture or has:link") }
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains("post 1 of 200") && $0.contains("has:video") }
    await session.send(":filter author:nobody" + TerminalKey.enter)
    let empty = try await session.settle { $0.contains("no posts · filter author:nobody") }
    #expect(empty.contains(" Ctrl-F shows all   F changes the filter   ? help   q quit"))
    await session.send(":filter before:soon" + TerminalKey.enter)
    try await session.settle { $0.contains("'before:soon' is no date") }
    try await quit(session)
  }

  @Test func searchingSkipsFilteredPosts() async throws {
    let session = try await open(["--filter", "rope"])
    try await session.settle { $0.contains("post 1 of 50") }
    await session.send("/harbour" + TerminalKey.enter + "n")
    try await session.settle { $0.contains("post 2 of 50") && $0.contains("#4 harbour") }
    await session.send("N" + "N")
    try await session.settle { $0.contains("search wrapped") && $0.contains("post 50 of 50") }
    try await quit(session)
  }

  /// The marked words on the screen.
  private func marked(_ screen: ScreenSnapshot) -> Set<String> {
    var words: Set<String> = []
    for row in screen.cells.dropLast(2) {
      for part in row.split(whereSeparator: { !$0.isReversed }) {
        words.insert(part.map(\.text).joined())
      }
    }
    return words
  }

  @Test func filterWordsAreMarkedWithoutASearch() async throws {
    let session = try await open(["--filter", "rope or \"the wind\" -nothing"])
    try await session.settle { marked($0) == ["rope", "the wind"] }
    await session.send("/harbour" + TerminalKey.enter)
    try await session.settle { marked($0) == ["harbour"] }
    await session.send(TerminalKey.escape)
    try await session.settle { marked($0) == ["rope", "the wind"] }
    await session.send(TerminalKey.control("f"))
    try await session.settle { $0.contains("post 1 of 200") && marked($0).isEmpty }
    await session.send("Fsail")
    try await session.settle { marked($0) == ["sail"] }
    await session.send(TerminalKey.escape)
    try await session.settle { $0.contains("post 1 of 200") && marked($0).isEmpty }
    try await quit(session)
  }

  @Test func marksAreKeptInAnOpenedPost() async throws {
    let session = try await open(["--filter", "rope"])
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains("published") && marked($0) == ["rope"] }
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 50") }
    await session.send("/harbour" + TerminalKey.enter + TerminalKey.enter)
    try await session.settle { $0.contains("published") && marked($0) == ["harbour"] }
    await session.send("q")
    try await session.settle { $0.contains("match 1 of 50") }
    try await quit(session)
  }

  @Test func newPostsAreFiltered() async throws {
    let session = try await open(["--filter", "rope"])
    try await session.settle { $0.contains("post 1 of 50") }
    let more = (200..<210).map(Self.line).joined(separator: "\n") + "\n"
    let file = try #require(fopen(home.path + "/tides.jsonl", "a"))
    #expect(fputs(more, file) >= 0)
    fclose(file)
    try await session.settle { $0.contains("post 1 of 53 · filter rope, 210 in all") }
    try await quit(session)
  }

  @Test func printedPostsAreFiltered() async throws {
    let path = try home.write(Self.lines, to: "tides.jsonl")
    let ids = (0..<200).filter { $0 % 4 == 0 && $0 % 9 == 0 }
    for form in ["--plain", "--json"] {
      for (source, input) in [(path, ""), ("-", Self.lines)] {
        let result = try await ProgramUnderTest.run(
          [form, "--filter", "rope before:2024-02", source], input: Array(input.utf8), home: home)
        #expect(result.status == .exited(0))
        #expect(result.text.ranges(of: "harbour").count == ids.count)
        #expect(ids.allSatisfy { result.text.contains("#\($0) harbour") })
      }
    }
    let other = try home.write(TestTimeline.lines(3), to: "buoys.jsonl")
    let filters = [("feed:buoys", 3), ("-feed:tides", 3), ("feed:tides \"#8 harbour\"", 1)]
    for (filter, count) in filters {
      let merged = try await ProgramUnderTest.run(
        ["--plain", "--filter=\(filter)", path, other], home: home)
      #expect(merged.text.ranges(of: "harbour").count == count, "\(filter): \(merged.errorText)")
    }
    let wrong = try await ProgramUnderTest.run(
      ["--plain", "--filter", "has:video", path], input: [], home: home)
    #expect(wrong.status == .exited(64) && wrong.errorText.contains("'has:video'"))
  }
}
