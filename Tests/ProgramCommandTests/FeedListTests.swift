import FoundationEssentials
import TestSupport
import Testing

/// A list of feeds in OPML as a source.
@Suite(.ownThreads) struct FeedListTests {
  typealias Step = MisbehavingServer.Step

  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    for (name, day) in [("tides", 9), ("winds", 8)] {
      let feed =
        "<rss><channel><title>The \(name)</title><item><title>Of \(name)</title>"
        + "<pubDate>Sat, 0\(day) Mar 2024 08:05:00 GMT</pubDate></item></channel></rss>"
      server.route(
        "/\(name)", Step.response(type: "application/rss+xml", body: Array(feed.utf8)))
    }
  }

  private func run(_ addresses: [String], _ arguments: String...) async throws -> PipedRun.Result {
    let path = home.path + "/feeds.opml"
    let outlines = addresses.map { "<outline type=\"rss\" xmlUrl=\"\($0)\"/>" }
    try Data(
      "<?xml version=\"1.0\"?>\n<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>".utf8
    ).write(to: URL(filePath: path))
    return try await ProgramUnderTest.run(arguments + [path], home: home)
  }

  @Test func feedsOfAListAreMerged() async throws {
    let result = try await run([server.url("/winds"), server.url("/tides")], "--plain")
    #expect(result.status == .exited(0))
    let tides = try #require(result.text.firstRange(of: "Of tides"))
    let winds = try #require(result.text.firstRange(of: "Of winds"))
    #expect(tides.lowerBound < winds.lowerBound)
    #expect(result.text.contains("The tides"))
    server.stop()
  }

  /// Addresses in a file reach fewer networks than addresses from the user.
  @Test func failuresAreNamed() async throws {
    let result = try await run(
      [server.url("/tides"), server.url("/missing"), "http://[fe80::1]/feed"], "--plain")
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides"))
    #expect(result.text.contains("/missing: "))
    #expect(result.text.contains("fe80::1 is a link-local address"))
    server.stop()
  }

  @Test func unusableFeedsAreReportedInOneLine() async throws {
    let others = [
      "ftp://x.example/a", "javascript:alert(1)", "", "no address", "file:///etc/passwd",
    ]
    let result = try await run([server.url("/tides")] + others, "--plain")
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides"))
    let told =
      "5 feeds of the list cannot be opened: ftp://x.example/a, javascript:alert(1), "
      + "“” without an address, …"
    #expect(result.errorText == "tideline: \(told)\n")
    let none = try await run(others, "--json")
    #expect(none.status == .exited(65))
    #expect(
      none.errorText.hasSuffix(
        "that names none over http or https: ftp://x.example/a, javascript:alert(1), "
          + "“” without an address, …\n"))
    // A list beside another source, and a list on the screen.
    let beside = try await ProgramUnderTest.run(
      ["--plain", home.path + "/feeds.opml", server.url("/winds")], home: home)
    #expect(beside.text.contains("names none over http or https: ftp://x.example/a"))
    _ = try await run([server.url("/tides")] + others, "--plain")
    let merged = try await ProgramUnderTest.run(
      ["--plain", home.path + "/feeds.opml", server.url("/winds")], home: home)
    #expect(merged.errorText.contains(told))
    let session = try ProgramUnderTest.start([home.path + "/feeds.opml"], home: home)
    try await session.waitFor(text: "5 feeds of the list cannot be opened")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  @Test func aLoneFailureIsTheError() async throws {
    let result = try await run(["http://[fe80::1]/feed"], "--json")
    #expect(result.status == .exited(69))
    #expect(result.errorText.contains("fe80::1 is a link-local address"))
    let empty = try await run(["file:///etc/passwd"], "--plain")
    #expect(empty.status == .exited(65))
    #expect(empty.errorText.contains("a list of feeds (OPML) that names none"))
    server.stop()
  }

  /// A compressed list has the reach of any file.
  @Test func aPackedListIsRead() async throws {
    let list = [server.url("/winds"), server.url("/tides"), "http://[fe80::1]/feed"]
      .map { "<outline xmlUrl=\"\($0)\"/>" }.joined()
    let bytes = TestArchive.gzip(Array("<opml version=\"2.0\"><body>\(list)</body></opml>".utf8))
    let path = try home.write(bytes, to: "feeds.opml.gz")
    let result = try await ProgramUnderTest.run(["--plain", path], home: home)
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides"))
    #expect(result.text.contains("Of winds"))
    #expect(result.text.contains("fe80::1 is a link-local address"))
    // A truncated list is an error, not another timeline.
    let cut = try home.write(bytes.dropLast(bytes.count / 2), to: "cut.opml.gz")
    #expect(try await ProgramUnderTest.run(["--plain", cut], home: home).status != .exited(0))
    server.stop()
  }

  // MARK: Lists from servers and pipes

  /// Makes the server answer `path` with a list of feeds at these addresses.
  private func serve(_ addresses: [String], at path: String) {
    server.route(path, Step.response(type: "text/x-opml", body: list(addresses)))
  }

  private func list(_ addresses: [String]) -> [UInt8] {
    let outlines = addresses.map { "<outline xmlUrl=\"\($0)\"/>" }.joined()
    return Array(
      "<?xml version=\"1.0\"?>\n<opml version=\"2.0\"><body>\(outlines)</body></opml>".utf8)
  }

  @Test(arguments: ["--plain", "--json"])
  func aListIsFetched(form: String) async throws {
    serve([server.url("/winds"), server.url("/tides"), server.url("/missing")], at: "/list")
    let result = try await ProgramUnderTest.run([form, server.url("/list")], home: home)
    #expect(result.status == .exited(0))
    let tides = try #require(result.text.firstRange(of: "Of tides"))
    let winds = try #require(result.text.firstRange(of: "Of winds"))
    #expect(tides.lowerBound < winds.lowerBound)
    #expect(result.text.contains("/missing: "))
    #expect(server.seen.paths.count { $0 == "/list" } == 1)
    server.stop()
  }

  /// A list beside another source is expanded; a list within it is not.
  @Test func aListBesideASourceIsFollowedOnce() async throws {
    serve([server.url("/winds"), server.url("/inner")], at: "/outer")
    serve([server.url("/unread")], at: "/inner")
    let result = try await ProgramUnderTest.run(
      ["--json", server.url("/outer"), server.url("/tides")], home: home)
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides"))
    #expect(result.text.contains("Of winds"))
    #expect(result.text.contains("/inner: is a list of feeds (OPML), and stands where a feed"))
    #expect(!server.seen.paths.contains("/unread"))
    server.stop()
  }

  @Test func aListWithoutFeedsIsAnError() async throws {
    serve([], at: "/list")
    let result = try await ProgramUnderTest.run(["--plain", server.url("/list")], home: home)
    #expect(result.status == .exited(65))
    #expect(result.errorText.contains("/list: a list of feeds (OPML) that names none"))
    server.stop()
  }

  @Test func aListIsPiped() async throws {
    let result = try await ProgramUnderTest.run(
      ["--plain"], input: list([server.url("/winds"), server.url("/tides")]), home: home)
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Of tides"))
    #expect(result.text.contains("Of winds"))
    server.stop()
  }

  /// While a writer pauses after the XML declaration, the format is not known.
  @Test(arguments: ["list", "winds"])
  func aDeclarationAloneTellsNoFormat(what: String) async throws {
    let feed =
      "<rss><channel><title>The winds</title><item><title>Of winds</title></item></channel></rss>"
    let path = try home.write(
      what == "list" ? list([server.url("/winds")]) : Array(feed.utf8), to: "source")
    let gate = home.path + "/gate"
    let session = try ProgramUnderTest.start(
      by: """
        mkfifo '\(gate)'
        { printf '<?xml version="1.0"?>\\n'; read _ <'\(gate)'; tail -n 1 '\(path)'; } | "$0" "$@"
        """, [], home: home)
    try await session.waitFor(text: "loading")
    try Data("\n".utf8).write(to: URL(filePath: gate))
    try await session.waitFor(text: "Of winds")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }

  @Test func aFetchedListIsShown() async throws {
    serve([server.url("/winds"), server.url("/tides")], at: "/list")
    let session = try ProgramUnderTest.start([server.url("/list")], home: home)
    try await session.settle { $0.contains("Of tides") && $0.contains("Of winds") }
    await session.send("r")
    try await session.settle { !$0.contains("reloading") && $0.contains("post 1 of 2") }
    #expect(server.seen.paths.count { $0 == "/winds" } == 2)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    server.stop()
  }
}
