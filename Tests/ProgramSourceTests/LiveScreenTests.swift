import Glibc
import TestSupport
import Testing

/// Timelines that change while they are read, on the screen of the real program.
@Suite(.ownThreads) struct LiveScreenTests {
  private let home: TemporaryFolder
  private let size = TerminalSize(columns: 60, rows: 20)

  init() throws { home = try TemporaryFolder() }

  private func open(_ path: String) throws -> TerminalSession {
    try ProgramUnderTest.start([path], home: home, size: size)
  }

  /// Replaces the feed with one of these posts.
  @discardableResult private func replace(_ numbers: ClosedRange<Int>) throws -> String {
    let items = numbers.reversed().map { number in
      let text = String(repeating: "Words at the gauge. ", count: number % 7 + 1)
      return "<item><guid>p\(number)</guid><title>Post \(number)</title>"
        + "<description>\(text)</description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>Tides</title>\(items.joined())</channel></rss>"
    let new = try home.write(feed, to: "new.xml")
    let path = home.path + "/feed.xml"
    #expect(rename(new, path) == 0)
    return path
  }

  /// The list's rows without the scroll bar and the end of the first line, which the pill may
  /// cover.
  private func rows(_ screen: ScreenSnapshot) -> [Substring] {
    [screen.lines[0].prefix(40)] + screen.lines[1..<18].map { $0.prefix(58) }
  }

  @Test func newPostsAreCountedAndNothingMoves() async throws {
    let path = try replace(1...40)
    let session = try open(path)
    try await session.waitFor(text: "post 1 of 40")
    await session.send(TerminalKey.control("d") + TerminalKey.control("d"))
    let before = try await session.settle { !$0.contains("Post 40") }
    #expect(!before.contains(" new"))
    try replace(1...43)
    let after = try await session.settle { $0.line(0).contains("3 new") }
    #expect(rows(after) == rows(before))
    #expect(after.contains("of 43"))
    #expect(after.line(0).contains("3 new · . ") && after.contains(" . shows the new "))
    try replace(1...44)
    let later = try await session.settle { $0.line(0).contains("4 new") }
    #expect(rows(later) == rows(before))
    await session.send(".")
    let top = try await session.settle { $0.contains("Post 44") }
    #expect(!top.contains(" new "))
    #expect(top.contains("post 1 of 44"))
    await session.send(".")
    try await session.waitFor(text: "nothing new")
  }

  @Test(arguments: [40, 43])
  func aReloadDoesNotReturnToAPostScrolledAwayFrom(newest: Int) async throws {
    let session = try open(try replace(1...40))
    try await session.waitFor(text: "post 1 of 40")
    // Selects a post and scrolls on without selecting another.
    await session.send("jj")
    await session.send(String(repeating: TerminalKey.control("e"), count: 60))
    let before = try await session.settle { !$0.contains("Post 38") }
    try replace(1...newest)
    if newest == 40 {
      await session.send("r")
      try await session.waitFor(text: "nothing new")
    }
    let after = try await session.settle {
      newest == 40 ? $0.contains("nothing new") : $0.line(0).contains("\(newest - 40) new")
    }
    #expect(rows(after) == rows(before))
  }

  /// A post above the selected one that grows moves it down, and off the screen, but not the first
  /// line.
  @Test(arguments: [true, false])
  func aReloadWithLongerPostsKeepsTheFirstLine(isFeed: Bool) async throws {
    func replace(longer: Bool) throws -> String {
      let posts = (1...40).map { number in
        let count = number == 7 && longer ? 40 : 3
        return (number, String(repeating: "Words at the gauge. ", count: count))
      }
      let name = isFeed ? "feed.xml" : "posts.jsonl"
      let text =
        isFeed
        ? "<rss version=\"2.0\"><channel><title>Tides</title>"
          + posts.map {
            "<item><guid>p\($0)</guid><title>Post \($0)</title><description>\($1)</description></item>"
          }.joined() + "</channel></rss>"
        : posts.map {
          TestTimeline.json(["id": "p\($0)", "title": "Post \($0)", "content_text": $1])
        }
        .joined(separator: "\n") + "\n"
      let path = home.path + "/" + name
      #expect(rename(try home.write(text, to: "new"), path) == 0)
      return path
    }
    let session = try open(try replace(longer: false))
    try await session.waitFor(text: "post 1 of 40")
    await session.send("jjjjjjjj")
    let before = try await session.settle { $0.contains("post 9 of 40") }
    #expect(before.contains("Post 7") && before.contains("Post 9"))
    _ = try replace(longer: true)
    let after = try await session.settle { !$0.contains("Post 9") }
    // The bar is on the post that takes the place of the selected one.
    let (first, former) = (rows(after), rows(before))
    for row in 0..<3 { #expect(first[row].dropFirst() == former[row].dropFirst()) }
  }

  @Test func aClickOnTheNumberOfNewPostsShowsThem() async throws {
    let session = try open(try replace(1...30))
    let before = try await session.settle { $0.contains("post 1 of 30") }
    try replace(1...31)
    let after = try await session.settle { $0.line(0).contains("1 new") }
    // At the very top, too, the place is kept.
    #expect(rows(after) == rows(before))
    let column = try #require(after.column(of: "1 new", inRow: 0))
    await session.send(
      TerminalKey.press(column: column, row: 0) + TerminalKey.release(column: column, row: 0))
    let top = try await session.settle { $0.contains("Post 31") }
    #expect(!top.contains("1 new"))
  }

  @Test func reloadReadsTheFeedAgain() async throws {
    let session = try ProgramUnderTest.start(
      [try replace(1...10)], home: home, size: TerminalSize(columns: 140, rows: 20))
    try await session.waitFor(text: "post 1 of 10")
    await session.send("r")
    try await session.waitFor(text: "nothing new")
    unlink(home.path + "/feed.xml")
    await session.send("r")
    try await session.waitFor(text: "no such file")
    try replace(2...11)
    let screen = try await session.settle { $0.contains("1 new") && !$0.contains("no such file") }
    #expect(screen.contains("post 2 of 10"))
  }

  @Test func overwrittenLinesAreMarkedAndReloaded() async throws {
    func lines(_ word: String) -> String {
      (0..<200).map { TestTimeline.json(["id": "\($0)", "content_text": "\(word) \($0)"]) }
        .joined(separator: "\n") + "\n"
    }
    let path = try home.write(lines("flood"), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 100, rows: 20))
    try await session.waitFor(text: "post 1 of 200")
    let descriptor = openForWriting(path)
    try #require(descriptor >= 0)
    let bytes = Array(lines("ebb__").utf8)
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    #expect(written == bytes.count)
    let marked = try await session.settle { $0.contains("written over") }
    #expect(marked.contains("flood 0"))
    await session.send("r")
    let new = try await session.settle { $0.contains("ebb__ 0") }
    #expect(new.contains("post 1 of 200") && !new.contains("written over"))
  }

  @Test func keysAtOnceAreAllCounted() async throws {
    let path = try home.write(TestTimeline.lines(3_000), to: "many.jsonl")
    let (burst, steps) = (try open(path), try open(path))
    try await burst.waitFor(text: "post 1 of 3000")
    try await steps.waitFor(text: "post 1 of 3000")
    await burst.send(String(repeating: TerminalKey.control("e"), count: 2_000))
    let end = try await burst.settle(quiet: .milliseconds(600)) { !$0.contains("post 1 of") }
    for _ in 0..<8 {
      await steps.send("250" + TerminalKey.control("e"))
      try await steps.settle()
    }
    // Without the scroll bar: its thumb never moves back, so it depends on the rows measured
    // before.
    let same = try await steps.settle { rows($0) == rows(end) }
    #expect(same.line(18) == end.line(18))
    #expect(same.line(19) == end.line(19))
  }

  /// The move ends at the end of the list, regardless of the remaining count.
  @Test(arguments: [" ", "j", TerminalKey.control("d"), TerminalKey.control("e")])
  func aHugeCountEndsAtTheEnd(key: String) async throws {
    let path = try home.write(TestTimeline.lines(300), to: "many.jsonl")
    let session = try open(path)
    try await session.waitFor(text: "post 1 of 300")
    await session.send("777777777\(key)")
    await session.send("g")
    await session.send("2G")
    try await session.waitFor(text: "post 2 of 300", within: .seconds(60))
  }

  @Test func anAnimatedPageEndsWhereAPageEnds() async throws {
    let path = try home.write(TestTimeline.lines(300), to: "pages.jsonl")
    var personality = TerminalPersonality.xterm
    personality.hasSynchronizedOutput = true
    let keys = [" ", " ", TerminalKey.control("d"), "b", TerminalKey.control("u"), "  b", "G", "b"]
    var ends: [[String]] = []
    for options in [[], ["--no-animation"]] {
      let session = try ProgramUnderTest.start(
        options + ["--no-state", path], home: home, size: size, personality: personality)
      try await session.waitFor(text: "post 1 of 300")
      var screens: [String] = []
      for key in keys {
        await session.send(key)
        let screen = try await session.settle(quiet: .milliseconds(400))
        // Without the scroll bar, whose thumb adapts to newly measured rows frame by frame.
        screens.append(screen.lines.map { $0.prefix(58) }.joined(separator: "\n"))
      }
      ends.append(screens)
    }
    #expect(ends[0] == ends[1])
    #expect(Set(ends[0]).count > 4)
  }
}

// Inside a type with a method of the same name, the system's function needs another name.
private func openForWriting(_ path: String) -> Int32 { open(path, O_WRONLY) }
