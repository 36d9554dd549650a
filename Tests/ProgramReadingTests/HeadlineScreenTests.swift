import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Headlines in the real program: `v`, `set view`, and the keys that work in both views.
@Suite(.ownThreads) struct HeadlineScreenTests {
  private let home: TemporaryFolder
  private static let size = TerminalSize(columns: 80, rows: 20)

  init() throws { home = try TemporaryFolder() }

  private static func line(_ index: Int) -> String {
    let text = (0...index % 7).map { "Sentence \($0) of post \(index) at the tide gauge." }
    let title = index % 5 == 3 ? "" : #""title":"Post \#(index) of the harbour","#
    return """
      {"id":"\(index)",\(title)"content_text":"\(text.joined(separator: " "))",\
      "authors":[{"name":"\(["Gauge", "Harbour master", "Buoy"][index % 3])"}],\
      "url":"https://127.0.0.1/\(index)","date_published":"2017-03-\(10 + index % 20)T08:00:00Z"}
      """
  }

  private func open(
    _ count: Int = 200, _ options: [String] = [], size: TerminalSize = Self.size
  ) async throws -> TerminalSession {
    let path = try home.write((0..<count).map { Self.line($0) + "\n" }.joined(), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation"] + options + [path], home: home, environment: ["TZ": "UTC"], size: size)
    try await session.settle { $0.contains("of \(count)") && $0.isDrawnToTheEdge }
    return session
  }

  private func quit(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// Whether the list's rows are headlines: every line has an age at its end.
  private static func areHeadlines(_ screen: ScreenSnapshot) -> Bool {
    screen.list(rows: 18).allSatisfy { $0.hasSuffix("2017") }
  }

  @Test func headlinesAndBack() async throws {
    let session = try await open()
    await session.send("40G\u{5}\u{5}")
    let posts = try await session.settle { $0.contains("post 40 of 200") }
    await session.send("v")
    let headlines = try await session.settle { Self.areHeadlines($0) }
    try expectScreen(headlines.withoutLastColumn, matches: "headlines")
    #expect(headlines.contains("post 40 of 200"), "the same post is selected")
    await session.send("v")
    let back = try await session.settle { !Self.areHeadlines($0) }
    #expect(back.list(rows: 18) == posts.list(rows: 18), "even the line is the same")
    // After a move in headlines, the selected post is the one that shows.
    await session.send("v10j")
    try await session.settle { Self.areHeadlines($0) && $0.contains("post 50 of 200") }
    await session.send("v")
    let moved = try await session.settle {
      !Self.areHeadlines($0) && $0.contains("post 50 of 200")
    }
    #expect(moved.line(0).hasPrefix("▌"))
    try expectScreen(moved.withoutLastColumn, matches: "headlines-left")
    try await quit(session)
  }

  @Test func aTimelineOfOtherWidthsAndSizes() async throws {
    let session = try await open(200, ["--no-state"], size: TerminalSize(columns: 140, rows: 20))
    await session.send("v30Gzt")
    let wide = try await session.settle {
      Self.areHeadlines($0) && $0.contains("post 30 of 200") && $0.line(0).contains("Post 29")
    }
    try expectScreen(wide.withoutLastColumn, matches: "headlines-wide")
    try await session.resize(columns: 38, rows: 12)
    let narrow = try await session.settle {
      $0.isDrawnToTheEdge && $0.list(rows: 10).allSatisfy { $0.hasSuffix("2017") }
    }
    try expectScreen(narrow.withoutLastColumn, matches: "headlines-narrow")
    try await session.resize(columns: 140, rows: 20)
    let again = try await session.settle { Self.areHeadlines($0) }
    #expect(again.list(rows: 18) == wide.list(rows: 18))
    try await quit(session)
  }

  @Test func keysWorkAsInPosts() async throws {
    let session = try await open()
    await session.send("vG")
    let end = try await session.settle {
      Self.areHeadlines($0) && $0.contains("post 200 of 200")
    }
    #expect(end.line(17).hasPrefix("▌") && end.line(17).contains("Post 199 of the harbour"))
    await session.send("50%")
    try await session.settle { $0.line(0).contains("Post 100 of the harbour") }
    await session.send("g" + TerminalKey.control("d"))
    try await session.settle { $0.line(0).contains("Post 9 of the harbour") }
    // A headline without a title begins with the first words.
    await session.send("4G")
    try await session.settle { $0.line(0).hasPrefix("▌") && $0.contains("post 4 of 200") }
    #expect(await session.snapshot.line(0).contains("Sentence 0 of post 3 at"))
    // The opened post is whole, and `q` comes back to the same line.
    let list = await session.snapshot.list(rows: 18)
    await session.send("jj" + TerminalKey.enter)
    try await session.settle { $0.contains("published") && $0.contains("Sentence 0 of post 5") }
    await session.send("v")
    try await session.settle { $0.contains("only a timeline has headlines") }
    await session.send("q")
    let back = try await session.settle { Self.areHeadlines($0) && $0.contains("post 6 of 200") }
    #expect(
      back.list(rows: 18).map { $0.dropFirst() } == list.map { $0.dropFirst() })
    try await quit(session)
  }

  /// Posts are taller than headlines, and fewer of them fit on the screen.
  @Test(arguments: [false, true])
  func aRestartSelectsTheSamePost(startsInHeadlines: Bool) async throws {
    if startsInHeadlines { try home.write("set view headlines\n", to: "config/tideline/config") }
    let session = try await open()
    await session.send(startsInHeadlines ? "40j" : "v40j")
    let before = try await session.settle {
      Self.areHeadlines($0) && $0.contains("post 41 of 200")
    }
    try await quit(session)
    let again = try await open()
    let after = try await again.settle {
      $0.contains("post 41 of 200") && $0.contains("Post 40 of the harbour")
    }
    if startsInHeadlines {
      #expect(after.list(rows: 18) == before.list(rows: 18))
    } else {
      #expect(!Self.areHeadlines(after))
    }
    try await quit(again)
  }

  @Test func searchFilterAndMouse() async throws {
    let session = try await open()
    await session.send("v/post 41 at" + TerminalKey.enter)
    // The word is in the text, which a headline with a title does not show.
    try await session.settle { Self.areHeadlines($0) && $0.contains("post 42 of 200") }
    await session.send(TerminalKey.escape + "Fauthor:buoy harbour" + TerminalKey.enter)
    let filtered = try await session.settle {
      $0.contains("filter author:buoy harbour, 200 in all")
    }
    #expect(filtered.list(rows: 18).allSatisfy { $0.contains("Buoy") || $0.isEmpty })
    await session.send("v")
    try await session.settle { !Self.areHeadlines($0) && $0.contains("filter author:buoy") }
    await session.send("v")
    let again = try await session.settle { Self.areHeadlines($0) }
    #expect(again.list(rows: 18) == filtered.list(rows: 18))
    await session.send(TerminalKey.control("f") + "g")
    try await session.settle { Self.areHeadlines($0) && $0.contains("post 1 of 200") }
    // A click on the sixth line, and a step of the wheel.
    await session.send("\u{1B}[<0;10;6M\u{1B}[<0;10;6m")
    try await session.settle { $0.contains("post 6 of 200") && $0.line(5).hasPrefix("▌") }
    await session.send("\u{1B}[<65;10;6M")
    try await session.settle { $0.line(2).hasPrefix("▌") && $0.line(2).contains("Post 5") }
    try await quit(session)
  }

  @Test func theViewCanBeSet() async throws {
    try home.write("set view headlines\nbind H headlines\n", to: "config/tideline/config")
    let session = try await open()
    try await session.settle { Self.areHeadlines($0) }
    await session.send("H")
    try await session.settle { !Self.areHeadlines($0) }
    await session.send(":set view headlines" + TerminalKey.enter)
    try await session.settle { Self.areHeadlines($0) }
    await session.send(":set view" + TerminalKey.enter)
    try await session.settle { $0.contains("view is headlines") }
    await session.send(":set view list" + TerminalKey.enter)
    try await session.settle { $0.contains("view is posts or headlines, not 'list'") }
    await session.send("?/headlines" + TerminalKey.enter)
    try await session.settle {
      $0.contains("match 1 of 3") && $0.contains("v headlines, or whole posts")
    }
    await session.send("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// What a warning hides stays hidden, and `x` shows it here, too.
  @Test func coversAreRevealed() async throws {
    let post = #"{"id":"1","content_text":"The pier is gone.","_tideline":{"warning":"storm"}}"#
    let path = try home.write(post + "\n", to: "one.jsonl")
    let session = try ProgramUnderTest.start(["--no-state", path], home: home, size: Self.size)
    try await session.settle { $0.contains("post 1 of 1") }
    await session.send("v")
    try await session.settle { $0.line(0).contains("⚠ storm") && $0.contains("x shows what") }
    await session.send("x")
    try await session.settle { $0.line(0).contains("The pier is gone.") }
    await session.send("v")
    try await session.settle { $0.contains("x hides it") && $0.contains("The pier is gone.") }
    try await quit(session)
  }

  /// Posts that come in stand in their places, and are counted.
  @Test func newPostsAreCounted() async throws {
    let session = try await open(50)
    await session.send("vG")
    try await session.settle { $0.contains("post 50 of 50") }
    let file = try #require(fopen(home.path + "/tides.jsonl", "a"))
    #expect(fputs((50..<55).map { Self.line($0) + "\n" }.joined(), file) >= 0)
    fclose(file)
    // The end is followed.
    let screen = try await session.settle { $0.contains("of 55") }
    #expect(screen.line(17).contains("Post 54") && Self.areHeadlines(screen))
    try await quit(session)
  }
}
