import FoundationEssentials
import TestSupport
import Testing

/// The effects of the keys that move, on the screen of the real program. Links, searching,
/// filtering, pictures and commands have suites of their own.
@Suite(.ownThreads) struct KeyScreenTests {
  private let home: TemporaryFolder
  private let listRows = 18

  init() throws { home = try TemporaryFolder() }

  /// Each line of text takes one line; the fifth post is twice as high as the screen.
  private static let posts =
    (1...40).map { number in
      let count = number == 5 ? 36 : 1 + number % 4
      let text = (1...count).map { "line \($0) of \(number)" }.joined(separator: "\n")
      let address = number == 2 ? ["url": "https://harbour.example/2"] : [:]
      return TestTimeline.json(
        ["id": "\(number)", "title": "Post \(number)", "content_text": text].merging(address) { $1 }
      )
    }.joined(separator: "\n") + "\n"

  private func open() async throws -> TerminalSession {
    let path = try home.write(Self.posts, to: "keys.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state", path], home: home,
      size: TerminalSize(columns: 60, rows: 20))
    try await session.settle { $0.contains("post 1 of 40") }
    return session
  }

  /// Sends `keys` and waits until the status line names the post.
  @discardableResult private func press(
    _ keys: String, _ session: TerminalSession, until post: Int? = nil,
    _ condition: @Sendable (ScreenSnapshot) -> Bool = { _ in true }
  ) async throws -> ScreenSnapshot {
    await session.send(keys)
    return try await session.settle("\(keys.debugDescription) to post \(post ?? 0)") { screen in
      (post.map { screen.contains("post \($0) of 40") } ?? true) && condition(screen)
    }
  }

  /// The row of the mark beside the selected post's first line.
  private func selection(_ screen: ScreenSnapshot) -> Int? {
    (0..<listRows).first { screen.line($0).hasPrefix("▌") }
  }

  private func top(_ screen: ScreenSnapshot) -> String {
    screen.list(rows: 1)[0].filter { $0 != "▌" }.split(separator: " ").joined(separator: " ")
  }

  private func isShown(_ title: String, _ screen: ScreenSnapshot) -> Bool {
    screen.list(rows: listRows).contains { $0.filter { $0 != "▌" }.trimmed == title }
  }

  // MARK: j k ↓ ↑

  @Test(arguments: [("j", "k"), (TerminalKey.down, TerminalKey.up), ("\u{E}", "\u{10}")])
  func nextAndPreviousPost(next: String, previous: String) async throws {
    let session = try await open()
    var row = try #require(selection(await session.snapshot))
    for post in 2...4 {
      let screen = try await press(next, session, until: post)
      let place = try #require(selection(screen), "the selected post stays in view")
      #expect(screen.line(place).contains("Post \(post)") && place >= row)
      row = place
    }
    let back = try await press(previous, session, until: 3)
    #expect(back.line(try #require(selection(back))).contains("Post 3"))
  }

  /// A post that continues below the screen is scrolled first; a count moves by posts.
  @Test func aLongPostIsReadBeforeTheNext() async throws {
    let session = try await open()
    try await press("5Gj", session, until: 5) { !$0.contains("line 1 of 5") }
    try await press("j", session, until: 5) { $0.contains("line 36 of 5") }
    try await press("j", session, until: 6)
    try await press("5G2j", session, until: 7)
    try await press("2k", session, until: 5) { $0.contains("line 1 of 5") }
  }

  /// After scrolling away, moves start from the nearest visible post, which is marked.
  @Test func theNearestVisiblePostIsSelectedAfterScrolling() async throws {
    let session = try await open()
    let below = try await press("20" + TerminalKey.control("e"), session) {
      !$0.contains("post 1 of")
    }
    #expect(selection(below) != nil)
    let number = try #require(below.line(18).firstNumber)
    #expect(try top(await press("J", session, until: number + 1)) == "Post \(number + 1)")
    try await press("G", session, until: 40)
    let away = try await press("30" + TerminalKey.control("y"), session) {
      !$0.contains("post 40 of")
    }
    let last = try #require(away.line(18).firstNumber)
    #expect(away.line(try #require(selection(away))).contains("Post \(last)"))
    let above = try await press("k", session, until: last - 1)
    #expect(above.line(try #require(selection(above))).contains("Post \(last - 1)"))
  }

  // MARK: Ctrl-E Ctrl-Y, wheel

  @Test(arguments: [
    (TerminalKey.control("e"), TerminalKey.control("y")),
    (TerminalKey.wheelDown(column: 9, row: 5), TerminalKey.wheelUp(column: 9, row: 5)),
  ])
  func linesKeepTheSelection(down: String, up: String) async throws {
    let session = try await open()
    let before = await session.snapshot
    try await press("j", session, until: 2)
    let selected = try #require(selection(await session.snapshot))
    let scrolled = try await press(down, session) { $0.line(0) != before.line(0) }
    let moved = try #require(selection(scrolled))
    #expect(scrolled.line(moved).contains("Post 2") && moved < selected)
    #expect(scrolled.contains("post 2 of 40"))
    let back = try await press(up, session) { $0.line(0).contains("Post 1") }
    #expect(selection(back) == selected)
  }

  // MARK: Ctrl-D Ctrl-U · Space b PgDn PgUp

  @Test(arguments: [
    (TerminalKey.control("d"), TerminalKey.control("u"), 9),
    (" ", "b", 16), (TerminalKey.pageDown, TerminalKey.pageUp, 16),
  ])
  func pages(down: String, up: String, atLeast lines: Int) async throws {
    let session = try await open()
    try await press("5G", session, until: 5)
    let before = await session.snapshot
    let below = try await press(down, session) { !$0.contains("line 1 of 5") }
    let first = try #require(top(below).firstNumber)
    // The title stands above the first line.
    #expect(abs(first - lines) <= 1, "\(top(below))")
    let back = try await press(up, session) { $0.contains("line 1 of 5") }
    #expect(back.list(rows: listRows) == before.list(rows: listRows))
  }

  // MARK: g Home · G End · counts

  @Test(arguments: [("g", "G"), (TerminalKey.home, TerminalKey.end)])
  func theEnds(top: String, end: String) async throws {
    let session = try await open()
    let before = await session.snapshot
    try await press(end, session, until: 40) { $0.contains("line 1 of 40") }
    let back = try await press(top, session, until: 1)
    #expect(back.list(rows: listRows) == before.list(rows: listRows))
  }

  @Test func countsBeforeMoves() async throws {
    let session = try await open()
    let twelfth = try await press("12G", session, until: 12)
    #expect(self.top(twelfth) == "Post 12")
    let count = try await press("5", session) {
      $0.line(19).contains("5") || $0.line(18).contains("5")
    }
    #expect(count.contains("post 12 of 40"), "the count is told before the key")
    try await press("j", session, until: 17)
    try await press("50%", session) { screen in
      (18...24).contains(screen.line(18).firstNumber ?? 0)
    }
    try await press("%", session) { $0.contains("a number goes before it") }
    try await press("3g", session, until: 3)
  }

  /// A count has the effect of as many key presses.
  @Test(arguments: [
    "J", "K", "\u{5}", "\u{19}", "\u{4}", "\u{15}", " ", "b", TerminalKey.pageDown,
    TerminalKey.pageUp,
  ])
  func countsEqualPresses(key: String) async throws {
    let session = try await open()
    let start = try await press("20G", session, until: 20).list(rows: listRows)
    let keys = [key, key, key]
    for press in keys { await session.send(press) }
    let pressed = try await session.settle { $0.list(rows: 18) != start }
    try await press("g20G", session, until: 20) { $0.list(rows: 18) == start }
    await session.send("3" + key)
    let counted = try await session.settle { $0.list(rows: 18) != start }
    #expect(counted.list(rows: listRows) == pressed.list(rows: listRows))
    #expect(counted.line(18) == pressed.line(18))
  }

  // MARK: J K · zz zt zb

  @Test func anyPostGoesToTheTop() async throws {
    let session = try await open()
    for post in 2...8 {
      #expect(top(try await press("J", session, until: post)) == "Post \(post)")
    }
    #expect(top(try await press("3K", session, until: 5)) == "Post 5")
    // A post that is cut at the top is shown whole first.
    try await press("4" + TerminalKey.control("e"), session) { !$0.contains("Post 5") }
    #expect(top(try await press("K", session, until: 5) { $0.contains("Post 5") }) == "Post 5")
  }

  @Test func theSelectedPostIsAligned() async throws {
    let session = try await open()
    try await press("20G", session, until: 20)
    let middle = try await press("zz", session) { !$0.line(0).contains("Post 20") }
    let row = try #require(selection(middle))
    #expect((6...9).contains(row) && middle.line(row).contains("Post 20"))
    let bottom = try await press("zb", session) { $0.line(row).contains("Post 20") == false }
    let last = try #require(selection(bottom))
    #expect(last > row && last >= listRows - 5)
    let again = try await press("zt", session) { $0.line(0).contains("Post 20") }
    #expect(selection(again) == 0)
    try await press("zt", session) { $0.contains("it stands there, as far as it can") }
    let other = try await press("30zt", session, until: 30)
    #expect(top(other) == "Post 30")
  }

  // MARK: Leaving

  @Test(arguments: ["q", TerminalKey.escape])
  func backIsTheSameScreen(key: String) async throws {
    let session = try await open()
    let before = try await press("7Gj", session, until: 8)
    for enter in [TerminalKey.enter, "t"] {
      try await press(enter, session) { $0.contains(" · the post") }
      let after = try await press(key, session, until: 8)
      #expect(after.list(rows: listRows) == before.list(rows: listRows))
    }
    // There is nothing above the timeline to go back to.
    try await press(TerminalKey.escape, session) { $0.contains("Esc does nothing here") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func controlCQuitsFromAnywhere() async throws {
    for keys in ["", "?", "\r", ":", "/", "F", "u"] {
      let session = try await open()
      await session.send(keys + TerminalKey.control("c"))
      #expect(try await session.waitForExit() == .exited(130), "after \(keys.debugDescription)")
    }
  }

  // MARK: Copying

  @Test func linkAndTextAreCopied() async throws {
    let session = try await open()
    try await press("y", session) { $0.contains("no links in this post") }
    try await press("Y", session) { $0.contains("text offered to the terminal") }
    let text = "Post 1\n\nline 1 of 1\nline 2 of 1"
    #expect(await session.hasWritten("\u{1B}]52;c;\(text.base64)\u{1B}\\"))
    try await press("jy", session, until: 2) {
      $0.contains("link offered to the terminal")
    }
    let link = "https://harbour.example/2"
    #expect(await session.hasWritten("\u{1B}]52;c;\(link.base64)\u{1B}\\"))
  }

  // MARK: Keys without effect

  @Test func uselessKeysAreShown() async throws {
    let session = try await open()
    for (keys, answer) in [
      ("k", "at the top"), (TerminalKey.control("y"), "at the top"), ("b", "at the top"),
      ("K", "at the top"), ("g", "at the top"),
      ("x", "nothing is hidden in this post"), ("R", "no picture of this post has failed"),
      ("m", "no picture in this post"), ("o", "no links in this post"), ("u", "no links here"),
      (".", "nothing new"), ("n", "no search is active · / begins one"),
      ("N", "no search is active · / begins one"), (TerminalKey.control("f"), "all are shown"),
      ("Q", "Q does nothing here"), ("s", "nothing is marked here"),
      ("]", "nothing is marked here"), ("L", "no feeds here"), ("''", "no place to go back to"),
    ] {
      try await press(keys, session) { $0.contains(answer) }
      try await press(TerminalKey.control("l"), session)
    }
    try await press("G", session, until: 40)
    for keys in ["j", "J", " ", TerminalKey.control("d"), TerminalKey.control("e"), "G"] {
      try await press(keys, session) { $0.contains("at the end") }
      try await press(TerminalKey.control("l"), session)
    }
  }

  // MARK: ? F1 · mouse

  @Test(arguments: ["?", "\u{1B}OP"])
  func helpCanBeSearched(key: String) async throws {
    let session = try await open()
    let before = await session.snapshot
    try await press(key, session) { $0.contains("First keys") }
    // Matches are marked.
    try await press("/twelfth\r", session) { screen in
      screen.cells.joined().filter(\.isReversed).map(\.text).joined() == "twelfth"
    }
    await session.send(TerminalKey.escape)
    let after = try await press("q", session) { !$0.contains("First keys") }
    #expect(after.list(rows: listRows) == before.list(rows: listRows))
  }

  @Test func theMouseSelectsAndDragsTheBar() async throws {
    let session = try await open()
    let screen = await session.snapshot
    let row = try #require(screen.row(containing: "Post 3"))
    await session.send(
      TerminalKey.press(column: 12, row: row) + TerminalKey.release(column: 12, row: row))
    let clicked = try await session.settle { $0.contains("post 3 of 40") }
    #expect(selection(clicked) == row)
    await session.send(
      TerminalKey.press(column: 59, row: 0) + TerminalKey.drag(column: 59, row: 9))
    let half = try await session.settle { !$0.contains("Post 3") }
    #expect((12...28).contains(half.line(18).firstNumber ?? 0), "\(half.line(18))")
    await session.send(
      TerminalKey.drag(column: 59, row: 17) + TerminalKey.release(column: 59, row: 17))
    try await session.settle { $0.contains("line 1 of 40") }
    await session.send(
      TerminalKey.press(column: 59, row: 17) + TerminalKey.drag(column: 59, row: 0)
        + TerminalKey.release(column: 59, row: 0))
    try await session.settle { $0.line(0).contains("Post 1") }
  }
}

extension String {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }

  /// The first integer in the text.
  fileprivate var firstNumber: Int? {
    split { !$0.isASCII || !$0.isNumber }.first.flatMap { Int($0) }
  }

  fileprivate var base64: String { Data(utf8).base64EncodedString() }
}
