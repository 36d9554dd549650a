import TestSupport
import Testing

/// Hyperlinks (OSC 8) of the real program, on a terminal that records the link of every cell.
@Suite(.ownThreads) struct HyperlinkScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Posts with many links, some of them wrapped and some with wide letters; each link's text names
  /// its address. All posts contain the words "the same", with another address in each.
  private func posts(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { index in
      let parts = (0..<Int.random(in: 0...5, using: &random)).map { part in
        let words =
          ["", " goes on and on for more than the line has room", "潮位は午後三時に最大"][part % 3]
        let filler = String(
          repeating: "Tide \(part). ", count: Int.random(in: 0...4, using: &random))
        return
          "\(filler)<a href=\"https://sea.example/p\(index)-\(part)\">p\(index)-\(part)\(words)</a>"
      }
      let same = "<a href=\"https://same.example/\(index)\">the same</a>"
      return TestTimeline.json([
        "id": "\(index)", "title": "#\(index) harbour",
        "content_html": "<p>\((parts + [same]).joined(separator: " and "))</p>",
      ])
    }.joined(separator: "\n") + "\n"
  }

  /// The text of each link on a screen, by the link's parameters and address.
  private func links(_ screen: ScreenSnapshot) -> [String: String] {
    var texts: [String: String] = [:]
    for row in screen.cells {
      for cell in row { if let link = cell.link { texts[link, default: ""] += cell.text } }
    }
    return texts
  }

  private func open(
    _ text: String, _ personality: TerminalPersonality, columns: Int = 60, color: String = "auto"
  ) async throws -> TerminalSession {
    let path = try home.write(text, to: "links.jsonl")
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state", "--color", color, path], home: home,
      size: TerminalSize(columns: columns, rows: 20), personality: personality)
    try await session.settle { $0.contains("post 1 of") }
    return session
  }

  /// After any motions, each cell has the link that its text names, and the same link after a
  /// redraw.
  @Test(
    arguments: [(1, "truecolor"), (2, "truecolor"), (3, "256"), (4, "16"), (5, "never")]
      as [(UInt64, String)])
  func randomMotionsLeaveEveryCellWithItsLink(seed: UInt64, color: String) async throws {
    var random = SeededGenerator(seed: seed)
    let session = try await open(posts(80, &random), .foot, color: color)
    let moves = [
      "j", "j", "k", "5j", " ", "b", "J", "K", "G", "g", "zt", "zb", "/the same\r", "n", "N",
      TerminalKey.control("e"), TerminalKey.control("e"), TerminalKey.control("y"),
      TerminalKey.control("y"), TerminalKey.control("d"), TerminalKey.control("u"), "uq",
      "50%", "?q",
    ]
    var count = 0
    for step in 0..<Rounds.times(20) {
      let keys = (0..<4).map { _ in moves.randomElement(using: &random) ?? "j" }
      for key in keys { await session.send(key) }
      try await session.settle(quiet: .milliseconds(30)) { $0.contains("post ") }
      // A search may find its match later.
      try await session.waitUntilIdle(for: .milliseconds(40))
      let moved = await session.drawnScreen
      await session.send(TerminalKey.control("l"))
      try await session.settle(quiet: .milliseconds(30)) { $0.contains("post ") }
      // A search may find its match later.
      try await session.waitUntilIdle(for: .milliseconds(40))
      let redrawn = await session.drawnScreen
      let difference = ScreenDifference(moved, redrawn, rows: 0..<20)
      try #require(difference.isEmpty, "seed \(seed), step \(step), \(keys): \(difference)")
      #expect(await session.openLink == nil)
      for (link, text) in links(moved.snapshot) {
        count += 1
        let address = link.split(separator: "/").last.map(String.init) ?? ""
        // Blanks at line ends do not belong to a link; the first line of a wrapped link may be
        // above the screen.
        let words = text.filter { $0 != " " }
        let isNamed =
          link.contains("same.example") ? "thesame".contains(words) || link.contains(words) : true
        #expect(
          isNamed && (!words.hasPrefix("p") || words.hasPrefix(address)),
          "seed \(seed), step \(step): \(text) leads to \(link)")
      }
    }
    #expect(count > 50, "seed \(seed)")
  }

  /// All rows of a wrapped link have one identity, equal words in another post have another one,
  /// and both keep theirs while scrolling.
  @Test func aLinkKeepsItsIdentityOnAllRowsAndFrames() async throws {
    var random = SeededGenerator(seed: 5)
    let session = try await open(posts(30, &random), .foot, columns: 40)
    var screen = await session.snapshot
    var seen: [String: String] = [:]
    for _ in 0..<30 {
      for row in screen.cells {
        for cell in row {
          guard let link = cell.link else { continue }
          let parts = link.split(separator: ";", maxSplits: 1).map(String.init)
          #expect(parts.count == 2 && parts[0].hasPrefix("id="))
          // Each address occurs once here.
          #expect(seen[parts[1], default: parts[0]] == parts[0])
          seen[parts[1]] = parts[0]
        }
      }
      await session.send(TerminalKey.control("e"))
      screen = try await session.settle(quiet: .milliseconds(30))
    }
    #expect(seen.count > 10 && Set(seen.values).count == seen.count)
    let same = seen.keys.filter { $0.contains("same.example") }
    #expect(same.count > 3)
  }

  /// Equal words with a new address are sent again.
  @Test func aNewAddressIsSentForEqualWords() async throws {
    func feed(_ address: String) -> String {
      TestTimeline.json([
        "id": "1", "content_html": "<p>See <a href=\"https://\(address).example/\">this</a>.</p>",
      ]) + "\n"
    }
    let session = try await open(feed("first"), .foot)
    let before = links(await session.snapshot)
    #expect(Array(before.values) == ["this"])
    #expect(before.keys.allSatisfy { $0.hasSuffix(";https://first.example/") })
    _ = try home.write(feed("other"), to: "links.jsonl")
    await session.send("r")
    let screen = try await session.settle { screen in
      screen.cells.joined().contains { $0.link?.hasSuffix("https://other.example/") == true }
    }
    #expect(links(screen).count == 1)
  }

  /// Links are underlined in all colour depths, and all underlined cells are hyperlinks.
  @Test(arguments: ["truecolor", "256", "16", "never"], ["foot", "xterm"])
  func linksAreUnderlinedInAllColors(color: String, terminal: String) async throws {
    var random = SeededGenerator(seed: 8)
    var personality = TerminalPersonality.foot
    if terminal == "xterm" {
      personality.term = "xterm"
      personality.colors = .indexed256
    }
    let session = try await open(posts(10, &random), personality, color: color)
    let cells = await session.snapshot.cells.joined()
    #expect(cells.contains { $0.link != nil })
    // Blanks at line ends do not belong to a link.
    let wrong = cells.filter {
      $0.width > 0 && $0.text != " " && $0.isUnderlined != ($0.link != nil)
    }
    #expect(wrong.isEmpty, "\(wrong.map(\.text)) \(wrong.first.debugDescription)")
    #expect(await session.openLink == nil)
  }

  @Test(arguments: ["XTerm(379)", "tmux 3.3a", ""])
  func othersGetNoLinks(version: String) async throws {
    var personality = TerminalPersonality.foot
    personality.version = version
    var random = SeededGenerator(seed: 6)
    let session = try await open(posts(10, &random), personality)
    await session.send("jjj")
    try await session.settle()
    #expect(await !session.hasWritten("\u{1B}]8;"))
  }

  /// No address in a document can end the escape sequence around it.
  @Test func hostileAddressesAreNotSent() async throws {
    let text =
      TestTimeline.json([
        "id": "1",
        "content_html":
          "<p><a href=\"https://a.example/\u{1B}]8;;\u{7}x\">one</a> <a href=\"javascript:x\">two</a> "
          + "<a href=\"https://b.example/&#x9c;&#x07;y\">three</a> "
          + "<a href=\"https://c.example/é\">four</a></p>",
      ]) + "\n"
    let session = try await open(text, .foot)
    let screen = await session.snapshot
    // Control characters are removed from addresses.
    let told = links(screen)
    #expect(told.values.sorted() == ["four", "one", "three"])
    #expect(
      told.keys.allSatisfy {
        $0.contains("example/") && $0.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
      })
    #expect(told.keys.contains { $0.hasSuffix(";https://c.example/%C3%A9") })
  }
}
