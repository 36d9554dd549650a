import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The selection mark is on the post that keys act on, after any keys, on the screen of the real
/// program.
@Suite(.ownThreads) struct SelectionScreenTests {
  private let home: TemporaryFolder
  private let listRows = 18

  init() throws { home = try TemporaryFolder() }

  /// Posts of 3 to 8 lines; each line names its post.
  private func posts(_ numbers: [Int]) -> String {
    numbers.map { number in
      let text = (0...number % 6).map { "line \($0) of <\(number)>" }.joined(separator: "\n")
      return TestTimeline.json([
        "id": "post \(number)", "title": "Post <\(number)>", "content_text": text,
        "url": "https://harbour.example/\(number)",
      ])
    }.joined(separator: "\n") + "\n"
  }

  private func open(
    _ path: String, _ options: [String] = [],
    size: TerminalSize = TerminalSize(columns: 60, rows: 20)
  ) throws -> TerminalSession {
    try ProgramUnderTest.start(options + [path], home: home, size: size)
  }

  /// The marked post; `nil` if no post is marked, or several are.
  private func marked(_ screen: ScreenSnapshot) -> Int? {
    let marked = (0..<screen.lines.count - 2).filter { screen.line($0).hasPrefix("▌") }
    let posts = marked.compactMap { row in
      screen.line(row).split { $0 == "<" || $0 == ">" }.dropFirst().first.flatMap { Int($0) }
    }
    return Set(posts).count == 1 ? posts[0] : nil
  }

  /// Presses keys and returns the marked post, after checking that its link is the one that is
  /// copied.
  @discardableResult private func press(
    _ keys: String, _ session: TerminalSession, _ place: String,
    _ condition: @escaping @Sendable (ScreenSnapshot) -> Bool = { _ in true }
  ) async throws -> Int {
    await session.send(keys)
    let screen = try await session.settle("\(place): \(keys.debugDescription)", condition)
    let found = marked(screen)
    let post = try #require(found, "\(place): \(screen.text)")
    let count = await session.transcript.count
    await session.send("y")
    try await session.settle("\(place), copying") { $0.contains("link offered") }
    let link = Data("https://harbour.example/\(post)".utf8).base64EncodedString()
    #expect(
      await session.hasWritten("\u{1B}]52;c;\(link)\u{1B}\\", after: count),
      "\(place): not the link of \(post)")
    #expect(screen.line(screen.cursorRow).hasPrefix("▌"), "\(place): the cursor")
    return post
  }

  private static let wheelDown = TerminalKey.wheelDown(column: 9, row: 5)
  private static let wheelUp = TerminalKey.wheelUp(column: 9, row: 5)
  private static func drag(to row: Int) -> String {
    TerminalKey.press(column: 59, row: 0) + TerminalKey.drag(column: 59, row: row)
      + TerminalKey.release(column: 59, row: row)
  }

  private static let moves: [[String]] = [
    [" "], [" ", " ", "b"], [TerminalKey.pageDown], ["G", TerminalKey.pageUp, "b"],
    [TerminalKey.control("d"), TerminalKey.control("u")],
    [String(repeating: TerminalKey.control("e"), count: 11)],
    ["G", "40" + TerminalKey.control("y")],
    [String(repeating: wheelDown, count: 9), wheelUp, String(repeating: wheelDown, count: 30)],
    [drag(to: 9), drag(to: 17)], ["G"], ["50%"], ["12G", " ", "j", "k", "J", "K"],
    ["zt", " ", "zz", " ", "zb"], ["5G", " ", "\r"], ["/of <30>\r", " ", "n"],
    ["20G", "FPost <3\r", " "],
  ]

  @Test(arguments: moves.indices) func theMarkIsOnTheScreen(number: Int) async throws {
    let keys = Self.moves[number]
    let path = try home.write(posts(Array(1...60)), to: "tides.jsonl")
    for options in Rounds.some(of: [[], ["--no-animation"]], number: number, step: 2) {
      let session = try open(path, options + ["--no-state"])
      try await session.settle { $0.contains("post 1 of 60") }
      for key in keys {
        let isOpening = key == "\r"
        try await press(key, session, "\(keys)") { !isOpening || $0.contains(" · the post") }
      }
      await session.send(TerminalKey.control("c"))
      _ = try await session.waitForExit()
    }
  }

  /// Line by line, also across the blank lines between posts, which have no mark.
  @Test func theMarkIsThereAtEveryLine() async throws {
    let path = try home.write(posts(Array(1...20)), to: "tides.jsonl")
    let session = try open(path, ["--no-state"])
    try await session.settle { $0.contains("post 1 of 20") }
    var before = 1
    for line in 1...20 {
      await session.send(TerminalKey.control("e"))
      let screen = try await session.settle("line \(line)") { screen in
        (0..<18).contains { screen.line($0).hasPrefix("▌") }
      }
      let found = marked(screen)
      let post = try #require(found, "line \(line): \(screen.text)")
      #expect(post >= before && screen.contains("post \(post) of 20"), "line \(line)")
      before = post
    }
    #expect(before > 3)
  }

  @Test func closingAPostKeepsTheSelection() async throws {
    let path = try home.write(posts(Array(1...60)), to: "tides.jsonl")
    let session = try open(path, ["--no-state"])
    try await session.settle { $0.contains("post 1 of 60") }
    let before = try await press("  ", session, "two pages")
    let inside = try await press("\r", session, "open") { $0.contains(" · the post") }
    #expect(inside == before)
    let after = try await press("q", session, "closed") { $0.contains("of 60") }
    #expect(after == before)
  }

  @Test func resizingKeepsTheMarkVisible() async throws {
    let path = try home.write(posts(Array(1...60)), to: "tides.jsonl")
    let session = try open(path, ["--no-state"])
    try await session.settle { $0.contains("post 1 of 60") }
    try await press(" 3j", session, "before")
    for (columns, rows) in [(60, 8), (44, 30), (60, 4), (60, 20)] {
      try await session.resize(columns: columns, rows: rows)
      try await press("", session, "\(columns)x\(rows)") {
        $0.lines.count == rows && $0.contains("of 60")
      }
    }
  }

  @Test func anEmptyFilterRestoresTheMark() async throws {
    let path = try home.write(posts(Array(1...60)), to: "tides.jsonl")
    let session = try open(path, ["--no-state"])
    try await session.settle { $0.contains("post 1 of 60") }
    try await press(" ", session, "a page")
    await session.send("Fanchors\r")
    try await session.settle { $0.contains("no posts") }
    try await press(TerminalKey.control("f"), session, "all again") { $0.contains("of 60") }
    await session.send("Fanchors\r")
    try await session.settle { $0.contains("no posts") }
    try home.write(
      posts(Array(1...30)) + posts([77]).replacing("line 0", with: "anchors")
        + posts(Array(31...60)),
      to: "other")
    #expect(rename(home.path + "/other", path) == 0)
    await session.send("r")
    let found = try await press("", session, "one that fits") { $0.contains("post 1 of 1") }
    #expect(found == 77)
  }

  // MARK: Reloading and coming back

  private func feed(_ numbers: [Int]) -> String {
    let items = numbers.map {
      """
      <item><guid>p\($0)</guid><title>Post &lt;\($0)&gt;</title>\
      <link>https://harbour.example/\($0)</link>\
      <description>The tide of day &lt;\($0)&gt; turns.</description></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>Tides</title>\(items.joined())</channel></rss>"
  }

  /// Changes of a feed: new posts above, some removed, another order; and the post that is selected
  /// afterwards, if another post than the selected one was at the top edge.
  private static let changes: [(name: String, numbers: [Int], selected: Int)] = [
    ("as it was", Array(1...40), 14), ("new above", Array(101...107) + Array(1...40), 14),
    ("new between", Array(1...12) + Array(101...103) + Array(13...40), 14),
    ("some gone above", Array(8...40), 14),
    ("some gone between", Array(1...11) + Array(14...40), 14),
    ("another order", Array(1...11) + [16, 15, 14, 13, 12] + Array(17...40), 14),
    ("the selected one gone", Array(101...103) + Array(1...13) + Array(15...40), 15),
    ("the rest gone, too", Array(1...13), 13),
    ("the top one gone", Array(1...9) + Array(11...40), 14),
  ]

  /// Every other change, so that both forms together go through all.
  private func changes(_ isFirst: Bool) -> [(name: String, numbers: [Int], selected: Int)] {
    Rounds.some(of: Self.changes, number: isFirst ? 0 : 1, step: 2)
  }

  /// Has room for five posts of either kind.
  private static let large = TerminalSize(columns: 60, rows: 36)

  /// Puts the tenth post at the top edge and selects the fourteenth.
  private func read(_ session: TerminalSession, _ name: String) async throws {
    try await session.settle { $0.contains("of 40") }
    let post = try await press("10Gzt4j", session, name) {
      (0...1).map($0.line).joined().contains("<10>") && $0.contains("post 14 of 40")
    }
    #expect(post == 14)
  }

  @Test(arguments: [false, true]) func aReloadKeepsTheSelectedPost(isText: Bool) async throws {
    for (name, numbers, selected) in changes(isText) where name != "as it was" {
      let content = isText ? posts : feed
      let path = try home.write(content(Array(1...40)), to: "feed")
      let session = try open(path, ["--no-state"], size: Self.large)
      try await read(session, name)
      try home.write(content(numbers), to: "other")
      #expect(rename(home.path + "/other", path) == 0)
      await session.send("r")
      let post = try await press("", session, name) { $0.contains("of \(numbers.count)") }
      #expect(post == selected, "\(name)")
      await session.send("q")
      _ = try await session.waitForExit()
    }
  }

  @Test(arguments: [false, true]) func anotherRunSelectsTheSamePost(isText: Bool) async throws {
    for (name, numbers, selected) in changes(!isText) {
      let content = isText ? posts : feed
      let path = try home.write(content(Array(1...40)), to: "\(name).feed")
      let session = try open(path, size: Self.large)
      try await read(session, name)
      await session.send("q")
      _ = try await session.waitForExit()
      try home.write(content(numbers), to: "\(name).feed")
      let again = try open(path, size: Self.large)
      let post = try await press("", again, name) {
        $0.contains("of \(numbers.count)") && !$0.contains("looking")
      }
      #expect(post == selected, "\(name)")
      await again.send("q")
      _ = try await again.waitForExit()
    }
  }

  /// After paging only, no post was ever selected by a key.
  @Test func pagingAloneIsRestoredInTheNextRun() async throws {
    let path = try home.write(posts(Array(1...60)), to: "tides.jsonl")
    let session = try open(path)
    try await session.settle { $0.contains("post 1 of 60") }
    let before = try await press("   ", session, "three pages")
    await session.send("q")
    _ = try await session.waitForExit()
    let again = try open(path)
    let after = try await press("", again, "again") { $0.contains("post \(before) of 60") }
    #expect(after == before)
  }
}
