import TestSupport
import Testing

/// Sources that are named by a page, a site or an account.
@Suite(.ownThreads) struct FoundSourceTests {
  typealias Step = MisbehavingServer.Step

  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    for name in ["tides", "winds"] {
      let feed =
        "<rss><channel><title>The \(name)</title><item><title>Of \(name)</title></item></channel></rss>"
      server.route(
        "/\(name).xml", Step.response(type: "application/rss+xml", body: Array(feed.utf8)))
    }
    page("/one", naming: ["tides"])
    page("/two", naming: ["tides", "winds"])
  }

  private func page(_ path: String, naming feeds: [String]) {
    let links = feeds.map {
      "<link rel=alternate type='application/rss+xml' title='\($0)' href='/\($0).xml'>"
    }
    let html = "<!DOCTYPE html><html><head>\(links.joined())</head><body>Hi</body></html>"
    server.route(path, Step.response(type: "text/html", body: Array(html.utf8)))
  }

  @Test func aPageIsReplacedByItsFeed() async throws {
    let result = try await ProgramUnderTest.run(["--plain", server.url("/one")], home: home)
    #expect(result.status == .exited(0) && result.text.contains("Of tides"))
    let told = "reading \(server.url("/tides.xml")), named by \(server.url("/one"))"
    #expect(result.errorText == "tideline: \(told)\n")
    let session = try ProgramUnderTest.start(
      [server.url("/one")], home: home, size: TerminalSize(columns: 160, rows: 24))
    try await session.settle { $0.contains("Of tides") && $0.contains(told) }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  @Test func severalFeedsAreListed() async throws {
    let result = try await ProgramUnderTest.run(["--plain", server.url("/two")], home: home)
    #expect(result.status == .exited(65) && result.text.isEmpty)
    #expect(result.errorText.contains("/two names 2 feeds:\n"))
    #expect(result.errorText.contains("\n  1  \(server.url("/tides.xml"))  tides\n"))
    #expect(result.errorText.contains("\n  2  \(server.url("/winds.xml"))  winds\n"))
    server.stop()
  }

  /// On a terminal they are a list to choose from.
  @Test func severalFeedsAreAChoiceOnTheScreen() async throws {
    let session = try ProgramUnderTest.start(
      [server.url("/two")], home: home, size: TerminalSize(columns: 80, rows: 12))
    let screen = try await session.settle { $0.contains("feed 1 of 2") }
    let port = "\(server.port)"
    let lines = screen.text.replacing(port, with: String(repeating: "0", count: port.count))
    try expectScreen(
      .showing(
        lines.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
        columns: 80), matches: "feed-menu")
    await session.send("j")
    try await session.settle { $0.contains("feed 2 of 2") }
    await session.send("\r")
    try await session.settle { $0.contains("Of winds") && $0.contains("named by") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    // A click selects one, and leaving opens nothing.
    let left = try ProgramUnderTest.start(
      ["--plain", server.url("/two")], home: home, size: TerminalSize(columns: 80, rows: 12))
    try await left.settle { $0.contains("feed 1 of 2") }
    await left.send("\u{1B}[<0;5;4M\u{1B}[<0;5;4m")
    try await left.settle { $0.contains("feed 2 of 2") }
    await left.send("q")
    #expect(try await left.waitForExit() == .exited(0))
    #expect(await !left.snapshot.contains("Of "))
    server.stop()
  }

  /// Among several sources, the first feed of a page counts.
  @Test func aPageAmongSeveralSourcesIsItsFirstFeed() async throws {
    let file = try home.write("{\"title\":\"Of a file\"}\n", to: "file.jsonl")
    let result = try await ProgramUnderTest.run(
      ["--plain", server.url("/two"), file], home: home)
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides") && result.text.contains("Of a file"))
    let told = "reading \(server.url("/tides.xml")), named by \(server.url("/two"))"
    #expect(result.errorText == "tideline: \(told)\n")
    let session = try ProgramUnderTest.start(
      [server.url("/two"), file], home: home, size: TerminalSize(columns: 160, rows: 24))
    try await session.settle {
      $0.contains("Of tides") && $0.contains("Of a file") && $0.contains(told)
    }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  /// In a file, only whole addresses lead anywhere.
  @Test func aPageInAFileIsReplacedByItsFeed() async throws {
    let links = ["/winds.xml", server.url("/tides.xml")].map {
      "<link rel=alternate type='application/rss+xml' href='\($0)'>"
    }
    let file = try home.write("<!DOCTYPE html><html>\(links.joined())", to: "page.html")
    let result = try await ProgramUnderTest.run(["--plain", file], home: home)
    #expect(result.status == .exited(0) && result.text.contains("Of tides"))
    let told = "reading \(server.url("/tides.xml")), named by \(file)"
    #expect(result.errorText == "tideline: \(told)\n")
    try home.write("<!DOCTYPE html><html>\(links[0])", to: "page.html")
    let none = try await ProgramUnderTest.run(["--plain", file], home: home)
    #expect(none.status == .exited(65) && none.errorText.contains("HTML"))
    server.stop()
  }

  @Test func aPageWithoutAFeedIsNoTimeline() async throws {
    page("/none", naming: [])
    let result = try await ProgramUnderTest.run(["--plain", server.url("/none")], home: home)
    #expect(result.status == .exited(65) && result.errorText.contains("HTML"))
    server.stop()
  }

  /// A site without a scheme is asked by https, and a file of that name wins.
  @Test func aSiteNeedsNoScheme() async throws {
    let name = "127.0.0.1:\(server.port)/one"
    let result = try await ProgramUnderTest.run(["--plain", name], home: home)
    #expect(result.status == .exited(69) && result.errorText.contains(name))
    #expect(server.seen.paths.isEmpty)
    for name in ["nothing.rss", "tides", "a/b.xml", "/nowhere/tide.example"] {
      let result = try await ProgramUnderTest.run(["--plain", name], home: home)
      #expect(result.status == .exited(66), "\(result.errorText)")
    }
    server.stop()
  }
}
