import FoundationEssentials
import TestSupport
import Testing

/// After a restart the same post is on the same line, on the screen of the real program.
@Suite(.ownThreads) struct PlaceScreenTests {
  private let home: TemporaryFolder
  private let size = TerminalSize(columns: 80, rows: 20)

  init() throws { home = try TemporaryFolder() }

  private func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try ProgramUnderTest.start(arguments, home: home, environment: environment, size: size)
  }

  /// The lines of the list, without the scroll bar and the status lines.
  private func list(_ screen: ScreenSnapshot) -> [String] {
    (0..<18).map { row in screen.cells[row].dropLast().map(\.text).joined() }
  }

  private func quit(_ session: TerminalSession, _ key: String = "q", status: Int32 = 0) async throws
  {
    await session.send(key)
    #expect(try await session.waitForExit() == .exited(status))
  }

  /// Scrolls into the middle of a post.
  private func read(_ session: TerminalSession) async throws -> [String] {
    try await session.settle { $0.contains("post 1 of") }
    await session.send("20G" + TerminalKey.control("e") + TerminalKey.control("e"))
    return list(
      try await session.settle { $0.contains("post 20 of") && !$0.line(0).contains("#19") })
  }

  private func places() throws -> [String] { try home.names(in: "state/tideline/places") }

  @Test(arguments: ["q", "\u{3}", "SIGTERM", "SIGHUP", ":quit\r"])
  func thePlaceIsRestored(end: String) async throws {
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    let first = try start([path])
    let before = try await read(first)
    switch end {
    case "SIGTERM": await first.send(signal: 15)
    case "SIGHUP": await first.send(signal: 1)
    default: await first.send(end)
    }
    _ = try await first.waitForExit()
    for arguments in [[path], []] {
      let again = try start(arguments)
      let screen = try await again.settle { $0.contains("post 20 of 60") }
      #expect(list(screen) == before)
      try await quit(again)
    }
  }

  @Test func newerPostsAreCountedAndDoNotMoveIt() async throws {
    func feed(_ numbers: some Sequence<Int>) -> String {
      let items = numbers.map {
        "<item><guid>p\($0)</guid><title>Post \($0)</title><description>The tide of day \($0) turns.</description></item>"
      }
      return "<rss version=\"2.0\"><channel><title>Tides</title>\(items.joined())</channel></rss>"
    }
    let path = try home.write(feed((1...60).reversed()), to: "feed.xml")
    let first = try start([path])
    try await first.settle { $0.contains("post 1 of 60") }
    await first.send("20G" + TerminalKey.control("e"))
    let before = list(try await first.settle { $0.contains("post 20 of 60") })
    try await quit(first)
    try home.write(feed((4...65).reversed()), to: "feed.xml")
    let again = try start([path])
    let screen = try await again.settle { $0.contains("post 25 of 62") }
    #expect(screen.line(0).contains(" 5 new "))
    #expect(list(screen).dropFirst() == before.dropFirst())
    await again.send(".")
    let top = try await again.settle { $0.contains("post 1 of 62") }
    #expect(top.contains("Post 65") && !top.line(0).contains("new"))
    try await quit(again)
    // The new place counts from then on.
    let third = try start([path])
    try await third.settle { $0.contains("post 1 of 62") && $0.contains("Post 65") }
    try await quit(third)
  }

  @Test func anotherWidthKeepsTheTopWords() async throws {
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    let first = try start([path])
    let before = try await read(first)
    try await quit(first)
    let narrow = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 50, rows: 20))
    let screen = try await narrow.settle { $0.contains("post 20 of 60") }
    let word = try #require(before.at(0).split(separator: " ").dropFirst().first)
    #expect(screen.line(0).contains(word), "\(before[0])")
    try await quit(narrow)
    // The narrow screen has not changed the place.
    let again = try start([path])
    let same = try await again.settle { $0.contains("post 20 of 60") }
    #expect(try list(same).at(0) == before.at(0))
    try await quit(again)
  }

  @Test func anEditedPostIsFoundByItsWords() async throws {
    func text(_ words: String) -> String {
      let lines = (1...12).map { "Line \($0) of the long report. " }.joined(separator: "\\n")
      return (0..<30).map {
        "{\"id\":\"p\($0)\",\"content_text\":\"\($0 == 7 ? words : "")\(lines)\"}\n"
      }.joined()
    }
    let path = try home.write(text(""), to: "tides.jsonl")
    let first = try start([path])
    try await first.settle { $0.contains("post 1 of 30") }
    await first.send("8G" + String(repeating: TerminalKey.control("e"), count: 6))
    let before = try await first.settle {
      $0.contains("post 8 of 30") && $0.line(0).contains("Line")
    }
    try await quit(first)
    try home.write(text("A remark.\\nAnd one more.\\nAnd a third.\\n"), to: "tides.jsonl")
    let again = try start([path])
    let screen = try await again.settle { $0.contains("post 8 of 30") }
    #expect(screen.line(0) == before.line(0))
    try await quit(again)
  }

  @Test func pagesAreLoadedUpToThePlace() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let served = ServedTimeline(400, pageSize: 20, of: server)
    let first = try start([server.url(served.path)])
    try await first.settle { $0.contains("post 1 of ~20") }
    await first.send("90G")
    let before = list(
      try await first.settle { $0.contains("post 90 of") && !$0.contains("seeking") })
    try await quit(first)
    let again = try start([server.url(served.path)])
    let screen = try await again.settle { $0.contains("post 90 of") }
    #expect(list(screen) == before)
    try await quit(again)
  }

  @Test func severalSourcesHaveAPlaceOfTheirOwn() async throws {
    let one = try home.write(TestTimeline.lines(40), to: "one.jsonl")
    let two = try home.write(
      TestTimeline.lines(40).replacing("\"id\":\"", with: "\"id\":\"b"), to: "two.jsonl")
    let merged = try start([one, two])
    try await merged.settle { $0.contains("post 1 of 80") }
    await merged.send("33G")
    let before = list(try await merged.settle { $0.contains("post 33 of 80") })
    try await quit(merged)
    let single = try start([one])
    try await single.settle { $0.contains("post 1 of 40") }
    try await quit(single)
    let again = try start([one, two])
    #expect(list(try await again.settle { $0.contains("post 33 of 80") }) == before)
    try await quit(again)
    #expect(try places().count == 2)
  }

  @Test func withoutStateNothingIsReadOrWritten() async throws {
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    let first = try start(["--no-state", path])
    _ = try await read(first)
    try await quit(first)
    #expect(try home.names(in: "state").isEmpty)
    let kept = try start([path])
    _ = try await read(kept)
    try await quit(kept)
    let again = try start(["--no-state", path])
    try await again.settle { $0.contains("post 1 of 60") }
    try await quit(again)
    let last = try start(["--no-state"])
    try await last.settle { !$0.contains("#0 harbour") && $0.contains("post 1 of") }
    try await quit(last)
  }

  @Test func failingToKeepIsReportedOnce() async throws {
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    try home.write("no folder", to: "blocked")
    for state in ["/proc", home.path + "/blocked"] {
      let session = try start([path], environment: ["XDG_STATE_HOME": state])
      _ = try await read(session)
      try await quit(session)
      let screen = await session.snapshot
      let told = screen.lines.filter { $0.contains("tideline: where you were is not kept") }
      #expect(told.count == 1, "\(screen.text)")
    }
  }

  @Test func theBundledTimelineHasAPlace() async throws {
    let first = try start(["--bundled"])
    try await first.settle { $0.contains("post 1 of") && !$0.contains("↓") }
    await first.send("5Gzt\u{5}")
    let before = list(try await first.settle { $0.contains("post 5 of") && !$0.contains("↓") })
    try await quit(first)
    let again = try start([])
    let screen = try await again.settle { $0.contains("post 5 of") && !$0.contains("↓") }
    #expect(list(screen) == before)
    try await quit(again)
  }

  /// Every fourth post fits the filter; if the post at the place does not fit, the next one that
  /// does is shown.
  @Test(arguments: [(20, 20), (22, 24)])
  func aPlaceAndAFilterGoTogether(row: Int, shown: Int) async throws {
    let text = (0..<4_000).map { index in
      TestTimeline.json([
        "id": "\(index)", "title": "#\(index) harbour",
        "content_text": index % 4 == 0 ? "A rope." : "A sail.",
      ])
    }
    let path = try home.write(text.joined(separator: "\n") + "\n", to: "tides.jsonl")
    let first = try start([path])
    try await first.settle { $0.contains("post 1 of 4000") }
    await first.send("\(2_001 + row)Gzt")
    try await first.settle { $0.line(0).contains("#\(2_000 + row) ") }
    try await quit(first)
    let again = try start(["--filter", "rope", path])
    let screen = try await again.settle {
      $0.contains("of 1000") && $0.line(0).contains("#\(2_000 + shown) ")
    }
    #expect(screen.contains("post \((2_000 + shown) / 4 + 1) of 1000"))
    try await quit(again)
  }

  @Test func aPipeHasNoPlace() async throws {
    let text = TestTimeline.lines(60)
    let path = try home.write(text, to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      by: "cat '\(path)' | \"$0\"", [], home: home, size: size)
    _ = try await read(session)
    try await quit(session)
    #expect(try places().isEmpty)
  }

  @Test func twoProgramsAtOnceLoseNothing() async throws {
    let paths = try ["one", "two"].map { try home.write(TestTimeline.lines(60), to: "\($0).jsonl") }
    let sessions = try paths.map { try start([$0]) }
    var screens: [[String]] = []
    for session in sessions { screens.append(try await read(session)) }
    for session in sessions { await session.send("q") }
    for session in sessions { #expect(try await session.waitForExit() == .exited(0)) }
    for (path, before) in zip(paths, screens) {
      let again = try start([path])
      #expect(list(try await again.settle { $0.contains("post 20 of 60") }) == before)
      try await quit(again)
    }
  }

  /// The place is kept at each rest, so that a crash loses little.
  @Test func aCrashKeepsThePlaceOfTheLastRest() async throws {
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    let session = try start([path])
    let before = try await read(session)
    // The file is written when nothing has happened for a while.
    while !kept(try places()).contains("row 19") {
      _ = try await session.pause(quiet: .milliseconds(50), within: .seconds(60))
    }
    await session.send(signal: 9)
    _ = try await session.waitForExit()
    let again = try start([path])
    #expect(list(try await again.settle { $0.contains("post 20 of 60") }) == before)
    try await quit(again)
  }

  private func kept(_ names: [String]) -> String {
    names.compactMap {
      FileManager.default.contents(atPath: home.path + "/state/tideline/places/" + $0)
        .map { String(decoding: $0, as: UTF8.self) }
    }.joined()
  }

  @Test func noPasswordIsKept() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/feed", MisbehavingServer.Step.response(body: Array(TestTimeline.lines(30).utf8)))
    let url = server.url("/feed").replacing("http://", with: "http://reader:tide-secret@")
    let session = try start([url])
    try await session.settle { $0.contains("post 1 of 30") }
    await session.send("9G")
    try await session.settle { $0.contains("post 9 of 30") }
    try await quit(session)
    let text = kept(try places())
    #expect(text.contains("/feed") && !text.contains("tide-secret"))
    let again = try start([url])
    try await again.settle { $0.contains("post 9 of 30") }
    try await quit(again)
  }
}
