import TestSupport
import Testing

/// The addresses that a timeline may make the viewer request. A proxy on this machine stands for
/// the internet; a second server on this machine must receive no requests because of it. Link-local
/// addresses are of version 6 and without an interface, so the system connects to none of them.
@Suite(.ownThreads) struct PrivateAddressTests {
  typealias Step = MisbehavingServer.Step

  private let home: TemporaryFolder
  /// The proxy, which stands for the internet.
  private let internet: MisbehavingServer
  private let machine: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    internet = try MisbehavingServer()
    machine = try MisbehavingServer()
    machine.route("/picture.png", Step.response(type: "image/png", body: TestPicture.png))
    machine.route("/older", Self.feed([Self.item("9", "Older")]))
  }

  private static func item(_ id: String, _ text: String, _ fields: [String: String] = [:]) -> String
  {
    TestTimeline.json(
      ["id": id, "content_html": "<p>\(text)</p>"].merging(fields) { $1 })
  }

  private static func feed(_ items: [String], next: String? = nil) -> [Step] {
    let link = next.map { "\"next_url\":\"\($0)\"," } ?? ""
    let body =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\(link)"
      + "\"items\":[\(items.joined(separator: ","))]}"
    return Step.response(type: "application/feed+json", body: Array(body.utf8))
  }

  private func open(_ arguments: String...) throws -> TerminalSession {
    try ProgramUnderTest.start(
      arguments, home: home, environment: ["http_proxy": internet.url("")],
      size: TerminalSize(columns: 100, rows: 40))
  }

  /// Serves a feed from the internet with links of all kinds to `machine`.
  private func routeFeed() {
    let picture = machine.url("/picture.png")
    internet.route(
      "http://tide.invalid/feed",
      Self.feed(
        [
          Self.item("1", "One", ["image": picture]),
          Self.item("2", "Two <img src='\(picture)?2'>"),
          Self.item("3", "Three", ["image": "http://tide.invalid/away.png"]),
          TestTimeline.json(["id": "4", "content_text": "Four"]).dropLast()
            + ",\"author\":{\"name\":\"Gauge\",\"avatar\":\"\(picture)?4\"}}",
        ], next: machine.url("/older")))
    internet.route("http://tide.invalid/away.png", Step.redirect(to: picture + "?3"))
  }

  @Test func internetLinksCannotReachThisMachine() async throws {
    routeFeed()
    let session = try open("http://tide.invalid/feed")
    let screen = try await session.settle { screen in
      screen.lines.count { $0.contains("✕ not fetched: 127.0.0.1 is a loopback address") } == 3
        && screen.contains("page 2: not fetched")
    }
    #expect(screen.contains("--allow-private-addresses"))
    // One line in the theme's secondary colour, without reserved space for the picture.
    let row = try #require(screen.row(containing: "✕"))
    let column = try #require(screen.column(of: "✕", inRow: row))
    let next = try #require(screen.column(of: "fetched", inRow: row))
    #expect(screen.cells[row][column].foreground == screen.cells[row][next].foreground)
    #expect(screen.cells[row][column].background == .standard)
    await session.send("r")
    try await session.settle { $0.contains("nothing new") }
    await session.send("G")
    try await session.settle { $0.contains("page 2: not fetched") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(machine.seen.connections == 0)
    internet.stop()
    machine.stop()
  }

  @Test func theUserMayAllowIt() async throws {
    routeFeed()
    let session = try open("http://tide.invalid/feed", "--allow-private-addresses")
    try await session.settle { $0.contains("Older") && !$0.contains("↓") }
    let paths = Set(machine.seen.paths)
    #expect(
      paths == [
        "/picture.png", "/picture.png?2", "/picture.png?3", "/picture.png?4", "/older",
      ])
    internet.stop()
    machine.stop()
  }

  @Test func localLinksReachNoLinkLocalAddresses() async throws {
    machine.route(
      "/feed",
      Self.feed(
        [
          Self.item("1", "One", ["image": machine.url("/picture.png")]),
          Self.item("2", "Two", ["image": "http://[fe80::1]/latest"]),
        ], next: "/older"))
    let session = try open(machine.url("/feed"))
    let screen = try await session.settle {
      $0.contains("✕ not fetched: fe80::1 is a link-local address") && $0.hasPicture
        && $0.contains("Older")
    }
    #expect(!screen.contains("loopback"))
    internet.stop()
    machine.stop()
  }

  @Test(arguments: [false, true]) func filesAndPipesReachNoLinkLocalAddresses(isPipe: Bool)
    async throws
  {
    let lines = [
      Self.item("1", "One", ["image": machine.url("/picture.png")]),
      Self.item("2", "Two", ["image": "http://[fe80::1]/x.png"]),
      Self.item("3", "Three", ["image": "http://[fe80:0::2]/x.png"]),
    ]
    let path = try home.write(lines.joined(separator: "\n") + "\n", to: "tides.jsonl")
    let session =
      isPipe
      ? try TerminalSession(
        path: "/bin/sh", arguments: ["-c", "cat \(path) | \"$0\" -", ProgramUnderTest.path()],
        environment: ProgramUnderTest.environment(home: home),
        size: TerminalSize(columns: 100, rows: 40))
      : try open(path)
    try await session.settle { screen in
      screen.hasPicture && screen.lines.count { $0.contains("a link-local address") } == 2
    }
    #expect(machine.seen.paths == ["/picture.png"])
    internet.stop()
    machine.stop()
  }

  /// Each of several sources has the reach of its own origin.
  @Test func mergedSourcesKeepTheirReach() async throws {
    internet.route(
      "http://tide.invalid/feed",
      Self.feed([Self.item("1", "Far", ["image": machine.url("/picture.png?far")])]))
    let path = try home.write(
      Self.item("1", "Near", ["image": machine.url("/picture.png")]) + "\n", to: "near.jsonl")
    let session = try open("http://tide.invalid/feed", path)
    try await session.settle { $0.hasPicture && $0.contains("✕ not fetched: 127.0.0.1") }
    #expect(machine.seen.paths == ["/picture.png"])
    internet.stop()
    machine.stop()
  }

  @Test func printingHasTheSameLimits() async throws {
    internet.route("http://tide.invalid/empty", Self.feed([], next: machine.url("/older")))
    internet.route("http://tide.invalid/away", Step.redirect(to: machine.url("/older")))
    for path in ["empty", "away"] {
      let result = try await ProgramUnderTest.run(
        ["http://tide.invalid/\(path)", "--plain"], home: home,
        environment: ["http_proxy": internet.url("")])
      #expect(result.status == .exited(69))
      #expect(
        result.errorText == "tideline: http://tide.invalid/\(path): not fetched: 127.0.0.1 is a "
          + "loopback address (--allow-private-addresses)\n")
      let allowed = try await ProgramUnderTest.run(
        ["http://tide.invalid/\(path)", "--plain", "--allow-private-addresses"], home: home,
        environment: ["http_proxy": internet.url("")])
      #expect(allowed.status == .exited(0) && allowed.text.contains("Older"))
    }
    #expect(machine.seen.paths.count == 2)
    internet.stop()
    machine.stop()
  }
}
