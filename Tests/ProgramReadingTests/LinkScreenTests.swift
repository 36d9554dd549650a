import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Opening, copying and reading posts whole, in the real program.
@Suite(.ownThreads) struct LinkScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let posts = """
    {"id":"1","author":{"name":"Gauge"},"date_published":"2024-03-12T14:05:00Z","url":"https://sea.example/posts/1",\
    "content_html":"<p>High water at <a href=\\"https://sea.example/dusk\\">dusk</a>, see \
    <a href=\\"https://sea.example/table\\">https://sea.example/table</a>, or \
    <a href=\\"javascript:alert(1)\\">nothing</a>.</p>"}
    {"id":"2","author":{"name":"Buoy"},"date_published":"2024-03-12T15:05:00Z","content_text":"No link at all."}
    {"id":"3","author":{"name":"Ferry"},"date_published":"2024-03-12T16:05:00Z","url":"https://sea.example/posts/3",\
    "content_text":"The last one."}

    """

  /// Writes an executable shell script.
  private func script(_ name: String, _ body: String) throws -> String {
    let path = try home.write("#!/bin/sh\n\(body)\n", to: name)
    #expect(chmod(path, 0o755) == 0)
    return path
  }

  private func open(
    _ environment: [String: String] = [:], personality: TerminalPersonality = .xterm
  ) async throws -> TerminalSession {
    let path = try home.write(Self.posts, to: "sea.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: environment, size: TerminalSize(columns: 80, rows: 24),
      personality: personality)
    try await session.settle { $0.contains("post 1 of 3") }
    return session
  }

  private func opened() -> String {
    (try? String(contentsOfFile: home.path + "/opened", encoding: .utf8)) ?? ""
  }

  /// Waits for the file that a program writes, as no screen shows it.
  private func waitUntilOpened(_ text: String) async {
    await eventually { opened() == text }
  }

  private func recorder() throws -> String {
    try script(
      "browser",
      "printf '%s\\n' \"$@\" > \(home.path)/part; mv \(home.path)/part \(home.path)/opened")
  }

  @Test func linksAreOpenedByTheBrowser() async throws {
    let session = try await open(["BROWSER": recorder()])
    await session.send("2o")
    try await session.settle { $0.contains("browser opens https://sea.example/dusk") }
    await waitUntilOpened("https://sea.example/dusk\n")
    // A link with a refused scheme does not count.
    await session.send("4o")
    try await session.settle { $0.contains("this post has 3 links") }
    await session.send("jo")
    try await session.settle { $0.contains("no links in this post") }
    #expect(opened() == "https://sea.example/dusk\n")
  }

  @Test func theListShowsRealAddresses() async throws {
    let session = try await open(["BROWSER": recorder()])
    await session.send("u")
    try await session.settle { $0.contains("3 links") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "links")
    await session.send("jj\r")
    await waitUntilOpened("https://sea.example/table\n")
    await session.send("u")
    try await session.settle { $0.contains("3 links") }
    await session.send("q")
    try await session.settle { !$0.contains("3 links") && $0.contains("post 1 of 3") }
  }

  /// Deceptive links are shown with their real addresses, and refused ones start no program.
  @Test func hostileLinksAreNamedAndNotOpened() async throws {
    let hostile = [
      "javascript:alert(1)", "file:///etc/passwd", "https://a.example/\u{1B}]0;x\u{7}",
      "https://sea.example/" + String(repeating: "a", count: 200_000),
      "https://exa\u{202E}elpm.example/", "https://bank.example@evil.example/",
      "https://b\u{430}nk.example/",
    ]
    let html = hostile.enumerated().map { "<a href=\"\($0.element)\">harbour \($0.offset)</a>" }
    let post = TestTimeline.json([
      "id": "1", "content_html": "<p>\(html.joined(separator: " "))</p>",
    ])
    let path = try home.write(post + "\n", to: "hostile.jsonl")
    let session = try ProgramUnderTest.start(
      ["--format", "jsonl", path], home: home, environment: ["BROWSER": recorder()],
      size: TerminalSize(columns: 80, rows: 40))
    try await session.settle { $0.contains("post 1 of 1") && $0.contains("harbour 6") }
    await session.send("u")
    let panel = try await session.settle { $0.contains("links") && $0.contains("harbour 0") }
    // Scripts and overlong addresses were removed before.
    #expect(!panel.contains("javascript") && !panel.contains("aaaa") && panel.contains("5 links"))
    #expect(panel.contains("not opened: file: addresses are not followed"))
    #expect(panel.contains("https://evil.example/"), "what stands before the @ is no host")
    #expect(panel.contains("https://xn--bnk-6cd.example/"))
    #expect(!panel.text.unicodeScalars.contains { $0.value == 0x202E })
    await session.send("q")
    await session.send("o")
    try await session.settle { $0.contains("not opened: file: addresses are not followed") }
    await session.send("y")
    try await session.settle { $0.contains("not copied: file: addresses are not followed") }
    #expect(opened().isEmpty)
    #expect(await !session.hasWritten("\u{1B}]0;x"))
  }

  @Test func aClickOpensOrAsks() async throws {
    let session = try await open(["BROWSER": recorder()])
    let lines = await session.snapshot.list(rows: 4)
    let row = try #require(lines.firstIndex { $0.contains("dusk") })
    let line = lines[row]
    func click(_ word: String) async throws {
      let place = try #require(line.firstRange(of: word))
      let column = line.distance(from: line.startIndex, to: place.lowerBound) + 2
      await session.send("\u{1B}[<0;\(column);\(row + 1)M\u{1B}[<0;\(column);\(row + 1)m")
    }
    try await click("dusk")
    try await session.settle {
      $0.contains("This link leads to") && $0.contains("https://sea.example/dusk")
    }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "link-question")
    #expect(opened().isEmpty)
    await session.send("\r")
    await waitUntilOpened("https://sea.example/dusk\n")
    try await click("https://sea.example/table")
    await waitUntilOpened("https://sea.example/table\n")
  }

  @Test func failuresAreShownAndRecorded() async throws {
    let session = try await open(["BROWSER": "/no/such/browser"])
    await session.send("o")
    try await session.settle { $0.contains("not opened: browser cannot be started") }
    await session.send(":set opener sh -c 'exit 7'\ro")
    try await session.settle { $0.contains("not opened: sh ended with status 7") }
    await session.send(":messages\r")
    try await session.settle {
      $0.contains("Messages") && $0.contains("sh ended with status 7")
        && $0.contains("browser cannot be started")
    }
  }

  /// The opener neither blocks the program nor ends with it.
  @Test func aHangingOpenerBlocksNothing() async throws {
    let fifo = home.path + "/gate"
    #expect(mkfifo(fifo, 0o600) == 0)
    let browser = try script(
      "browser", "read line < \(fifo); printf '%s' \"$line\" > \(home.path)/opened")
    let session = try await open(["BROWSER": browser])
    await session.send("ojj")
    try await session.settle { $0.contains("post 3 of 3") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    let gate = Glibc.open(fifo, O_WRONLY)
    #expect(write(gate, "still here\n", 11) == 11)
    close(gate)
    await waitUntilOpened("still here")
  }

  @Test func withoutADisplayTheAddressIsShownAndCopied() async throws {
    let session = try await open(["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 2"])
    await session.send("o")
    try await session.settle { $0.contains("link offered by OSC 52: https://sea.example/posts/1") }
    #expect(
      await session.hasWritten("\u{1B}]52;c;aHR0cHM6Ly9zZWEuZXhhbXBsZS9wb3N0cy8x\u{1B}\\"))
  }

  @Test func closingAPostRestoresTheLine() async throws {
    let session = try await open()
    await session.send("j")
    let before = try await session.settle { $0.contains("post 2 of 3") }
    await session.send("\r")
    try await session.settle { $0.contains("post by Buoy") && $0.contains("published") }
    await session.send("q")
    let after = try await session.settle { $0.contains("post 2 of 3") }
    #expect(after.list(rows: 22) == before.list(rows: 22))
    await session.send("kt")
    try await session.settle { $0.contains("Tue 12 Mar 2024, 14:05 UTC") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: "detail")
    // The details of the post are a row that can be selected and is marked.
    await session.send("j")
    let details = try await session.settle { $0.contains(" · its details") }
    #expect(details.row(containing: "published").map { details.line($0).hasPrefix("▌") } == true)
    #expect(!details.line(0).hasPrefix("▌"))
    await session.send("k?")
    try await session.settle { $0.contains("First keys") }
    await session.send("q\u{1B}")
    try await session.settle { $0.contains("post 1 of 3") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
