import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The commands for feeds that are followed, with a server on this machine.
@Suite(.ownThreads) struct FollowingTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  private func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> PipedRun.Result {
    try await ProgramUnderTest.run(
      arguments, input: Array(input.utf8), home: home, environment: environment,
      workingFolder: home.path)
  }

  private func succeed(
    _ arguments: [String], input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await run(arguments, input: input)
    #expect(
      result.status == .exited(0) && result.errorText.isEmpty, "\(result.errorText)",
      sourceLocation: sourceLocation)
    return result.text
  }

  private func fail(
    _ arguments: [String], status: Int32, containing part: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await run(arguments)
    #expect(result.status == .exited(status), "\(result.errorText)", sourceLocation: sourceLocation)
    #expect(result.errorText.hasPrefix("tideline: "), sourceLocation: sourceLocation)
    #expect(
      result.errorText.contains(part), "\(result.errorText)", sourceLocation: sourceLocation)
  }

  private static func rss(_ title: String, _ items: [String]) -> [UInt8] {
    let all = items.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    return Array(
      "<rss version=\"2.0\"><channel><title>\(title)</title>\(all)</channel></rss>".utf8)
  }

  private func serve(_ path: String, _ title: String, _ items: [String] = ["ebb", "flood"]) {
    let body = Self.rss(title, items)
    server.route(
      path, [.head(length: body.count, fields: [("ETag", "\"1\"")]), .send(body)])
  }

  private func requests(_ path: String) -> [String] {
    server.seen.heads.filter { $0.contains(" \(path) ") }
  }

  // MARK: Names

  /// A feed that was named by a list has its own title once it was read, also on the open screen.
  @Test func theTitleOfAFeedReplacesThatOfTheList() async throws {
    serve("/f", "Harbour tides")
    let list = """
      <opml version="2.0"><body><outline type="rss" text="Placeholder" \
      xmlUrl="\(server.url("/f"))"/></body></opml>
      """
    _ = try await succeed(["add", try home.write(list, to: "feeds.opml")])
    #expect(try await succeed(["feeds"]).hasPrefix("Placeholder"))
    let session = try ProgramUnderTest.start([], home: home)
    let screen = try await session.settle {
      $0.contains("ebb") && $0.contains("Harbour tides") && !$0.contains("Placeholder")
    }
    #expect(screen.line(0).contains("Harbour tides"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  // MARK: Without a network

  /// Nothing is due for half an hour after an attempt, but the network may be back before.
  @Test func whatCouldNotBeReachedIsAskedAgainOnDemand() async throws {
    server.route("/f", [])
    let list = "<opml><body><outline text=\"Tides\" xmlUrl=\"\(server.url("/f"))\"/></body></opml>"
    _ = try await succeed(["add", try home.write(list, to: "feeds.opml")])
    let session = try ProgramUnderTest.start([], home: home)
    try await session.settle { $0.contains("could not be reached") }
    serve("/f", "Tides")
    await session.send("r")
    try await session.settle { $0.contains("ebb") }
    // What has been reached is not asked again before it is due.
    let count = server.seen.paths.count
    await session.send("r")
    try await session.settle { $0.contains("nothing is due before") }
    #expect(server.seen.paths.count == count)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  // MARK: From following to reading

  @Test func aSiteIsFollowedRefreshedAndLeft() async throws {
    let page = "<!DOCTYPE html><html><head><link rel=alternate type=application/rss+xml href=/f>"
    server.route("/", MisbehavingServer.Step.response(type: "text/html", body: Array(page.utf8)))
    serve("/f", "Tides")
    let added = try await succeed(["add", server.url("/")])
    #expect(
      added == "following Tides, \(server.url("/f")), named by \(server.url("/"))\n")
    #expect(try await succeed(["add", server.url("/f")]).hasPrefix("already following Tides"))
    #expect(try await succeed(["refresh"]) == "")
    let items = try await succeed(["export", "--json"])
    #expect(items.split(separator: "\n").count == 2 && items.contains("\"title\":\"ebb\""))
    #expect(try await succeed(["--json"], input: items) == items)
    let listed = try await succeed(["feeds"])
    #expect(listed.hasPrefix("Tides  \(server.url("/f"))  2 unread  20"))
    // Nothing is due, also for a new process.
    let count = server.seen.paths.count
    #expect(try await succeed(["refresh"]) == "")
    #expect(server.seen.paths.count == count)
    // What is demanded is asked conditionally, and sends nothing else.
    server.route("/f", [.head(status: 304)])
    #expect(try await succeed(["refresh", "--all"]) == "")
    #expect(try await succeed(["refresh", "tides"]) == "")
    let heads = requests("/f").suffix(2)
    #expect(heads.allSatisfy { $0.contains("If-None-Match: \"1\"") }, "\(heads)")
    #expect(heads.allSatisfy { !$0.contains("Cookie") && !$0.contains("Referer") })
    #expect(heads.allSatisfy { $0.contains("User-Agent: tideline/") })
    #expect(try await succeed(["export", "--json"]) == items)
    #expect(try await succeed(["remove", "TIDES"]) == "left Tides (\(server.url("/f")))\n")
    #expect(try await succeed(["feeds"]) == "")
    // Its items stay until they are old, or are deleted with it.
    #expect(try await succeed(["export", "--json"]) == items)
    serve("/f", "Tides")
    _ = try await succeed(["add", "feed:" + server.url("/f")])
    _ = try await succeed(["remove", "--purge", server.url("/f")])
    #expect(try await succeed(["export", "--json"]) == "")
    server.stop()
  }

  /// Servers get the user's address only if the settings name one.
  @Test func theUserAgentNamesAnAddress() async throws {
    serve("/a", "A")
    _ = try await succeed(["--plain", server.url("/a")])
    try home.write(
      "set user-agent https://tide.example/me\n", to: "config/tideline/config")
    _ = try await succeed(["--plain", server.url("/a")])
    _ = try await succeed(["add", server.url("/a")])
    _ = try await succeed(["refresh"])
    let agents = requests("/a").compactMap { head in
      head.split(separator: "\r\n").first { $0.hasPrefix("User-Agent: ") }
    }
    #expect(agents.count == 4 && agents[0].wholeMatch(of: /User-Agent: tideline\/[0-9.]+/) != nil)
    #expect(agents.dropFirst().allSatisfy { $0 == "\(agents[0]) (+https://tide.example/me)" })
    for value in ["me", "https://tide.example/(me)", "ftp://tide.example"] {
      try home.write("set user-agent \(value)\n", to: "config/tideline/config")
      let result = try await run(["--check-config"])
      #expect(result.status == .exited(65) && result.errorText.contains("user-agent is an address"))
    }
    server.stop()
  }

  @Test func failuresAreALineEach() async throws {
    for name in ["a", "b", "c"] { serve("/\(name)", name.uppercased()) }
    _ = try await succeed(["add"] + ["/a", "/b", "/c"].map(server.url))
    _ = try await succeed(["refresh"])
    server.route("/a", MisbehavingServer.Step.response(status: 500))
    server.route(
      "/b", MisbehavingServer.Step.response(type: "text/html", body: Array("<html><form>".utf8)))
    server.route("/c", [.head(status: 304)])
    let some = try await run(["refresh", "--all"])
    #expect(some.status == .exited(0) && some.text.isEmpty)
    #expect(
      some.errorText.split(separator: "\n").sorted() == [
        "tideline: A (\(server.url("/a"))): HTTP status 500 (internal server error)",
        "tideline: B (\(server.url("/b"))): a web page, not a feed; it may ask to log in",
      ])
    // Nothing is lost.
    let items = try await succeed(["export", "--json"])
    #expect(items.split(separator: "\n").count == 6)
    let lines = try await succeed(["feeds"]).split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix("HTTP status 500 (internal server error)"))
    try await fail(["refresh", "A", "B"], status: 69, containing: "HTTP status 500")
    server.route("/c", MisbehavingServer.Step.response(status: 410))
    try await fail(["refresh", "C"], status: 69, containing: "it is asked again only by its name")
    let json = try await succeed(["feeds", "--json"]).split(separator: "\n")
    #expect(json.count == 3 && json[2].contains("\"paused\":\"gone"))
    #expect(json[0].contains("\"failures\":2") && json[0].contains("\"unread\":2"))
    server.stop()
    let unreached = try await run(["refresh", "--all"])
    #expect(unreached.status == .exited(69))
    #expect(unreached.errorText.contains("cannot reach 127.0.0.1"))
  }

  @Test func aBusyServerIsLeftAlone() async throws {
    for name in ["a", "b", "c", "d"] { serve("/\(name)", name) }
    _ = try await succeed(["add"] + ["/a", "/b", "/c", "/d"].map(server.url))
    let before = server.seen.paths.count
    for name in ["a", "b", "c", "d"] {
      server.route(
        "/\(name)", [.head(status: 429, length: 0, fields: [("Retry-After", "7200")])])
    }
    let result = try await run(["refresh"])
    #expect(result.status == .exited(69))
    #expect(result.errorText.contains("wants no requests for 2 hours"))
    #expect(server.seen.paths.count - before <= 3)
    let count = server.seen.paths.count
    #expect(try await succeed(["refresh"]) == "")
    #expect(server.seen.paths.count == count)
    server.stop()
  }

  /// An item of 2024 arrives unread if items are kept for a hundred years, and the feed waits an hour.
  @Test func settingsOfTheConfigurationCount() async throws {
    let item = "<guid>1</guid><title>ebb</title><pubDate>Sat, 09 Mar 2024 08:05:00 GMT</pubDate>"
    let body = Array(
      "<rss version=\"2.0\"><channel><title>T</title><item>\(item)</item></channel></rss>".utf8)
    for (path, settings, unread) in [
      ("/a", "set keep 36500\nset refresh 60\n", 1), ("/b", "set refresh 60\nset keep 10\n", 0),
    ] {
      try home.write(settings, to: "config/tideline/config")
      server.route(path, [.head(length: body.count), .send(body)])
      _ = try await succeed(["add", server.url(path)])
      _ = try await succeed(["refresh", server.url(path)])
      let lines = try await succeed(["feeds", "--json"]).split(separator: "\n")
      let line = try #require(lines.last { $0.contains("\(path)\"") })
      #expect(line.contains("\"unread\":\(unread)"), "\(line)")
      let times = try ["due", "last_success"].map { name in
        let start = try #require(line.firstRange(of: "\"\(name)\":\"")).upperBound
        return try Date(String(line[start...].prefix { $0 != "\"" }), strategy: .iso8601)
      }
      #expect(abs(times[0].timeIntervalSince(times[1]) - 3_600) <= 1, "\(line)")
    }
    try home.write("set refresh 0\nset keep all\n", to: "config/tideline/config")
    let check = try await run(["--check-config"])
    #expect(check.status == .exited(65))
    #expect(check.errorText.contains("refresh is off or 1 to 10080 minutes, not '0'"))
    #expect(check.errorText.contains("keep is 1 to 36500 days, not 'all'"))
    server.stop()
  }

  // MARK: Lists

  @Test func aListIsExportedAndAddedAgain() async throws {
    for name in ["a", "b", "c"] { serve("/\(name)", name.uppercased()) }
    let list = """
      <opml version="2.0"><body><outline text="Coast"><outline text="North">
      <outline text="Own A" title="A" xmlUrl="\(server.url("/a"))"/></outline>
      <outline text="B" title="B" xmlUrl="\(server.url("/b"))"/></outline>
      <outline text="B again" xmlUrl="\(server.url("/b"))"/>
      <outline text="C &amp; D" xmlUrl="\(server.url("/c"))"/><outline type="rss" text="lost"/>
      </body></opml>
      """
    try home.write(list, to: "feeds.opml")
    let result = try await run(["add", "feeds.opml"])
    #expect(result.status == .exited(0))
    #expect(result.text == "following 3 feeds of feeds.opml\n")
    #expect(
      result.errorText.contains("1 feed of the list cannot be followed: “lost” without an address"))
    #expect(server.seen.paths.isEmpty)
    let exported = try await succeed(["export"])
    #expect(exported.contains("text=\"Own A\" title=\"A\""))
    #expect(try await succeed(["add", "-"], input: exported).contains("3 were followed already"))
    let other = ["--library", home.path + "/other.db"]
    #expect(
      try await succeed(["add", "-"] + other, input: exported)
        == "following 3 feeds of standard input\n")
    #expect(try await succeed(["export"] + other) == exported)
    #expect(try await succeed(["refresh", "own a"] + other) == "")
    let lines = try await succeed(["feeds"] + other).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("Own A  ") && $0.contains("2 unread") }, "\(lines)")
    serve("/list", "x")
    server.route("/list", MisbehavingServer.Step.response(body: Array(list.utf8)))
    #expect(try await run(["add", server.url("/list")]).text.contains("of \(server.url("/list"))"))
    server.stop()
  }

  /// A list that ends early, or is nested too deeply, may name more feeds than were read.
  @Test func anIncompleteListIsReported() async throws {
    let feed = "<outline text=\"A\" xmlUrl=\"\(server.url("/a"))\"/>"
    try home.write("<opml><body>\(feed)<outline xmlUrl=\"\(server.url("/b"))", to: "cut.opml")
    let cut = try await run(["add", "cut.opml"])
    #expect(cut.status == .exited(65) && cut.text == "following 1 feed of cut.opml\n")
    #expect(
      cut.errorText == "tideline: cut.opml: the list is incomplete: “body” has no end\n")
    #expect(try await succeed(["feeds"]).split(separator: "\n").count == 1)
    let deep = String(repeating: "<outline text=\"x\">", count: 5_000)
    try home.write("<opml><body>\(deep)\(feed)", to: "deep.opml")
    for command in [["add"], ["--plain"]] {
      try await fail(
        command + ["deep.opml"], status: 65,
        containing: "the list is incomplete: elements nested deeper than is read")
    }
    serve("/a", "A")
    let merged = try await run(["--plain", "cut.opml"])
    #expect(merged.text.contains("ebb"))
    #expect(merged.errorText.contains("the list is incomplete: “body” has no end"))
    server.stop()
  }

  @Test func severalFeedsAreListed() async throws {
    let page =
      "<html><link rel=alternate type=application/rss+xml href=/a title=Ebb>"
      + "<link rel=alternate type=application/atom+xml href=/b title=Flood>"
    server.route("/", MisbehavingServer.Step.response(type: "text/html", body: Array(page.utf8)))
    let result = try await run(["add", server.url("/")])
    #expect(result.status == .exited(65))
    #expect(
      result.errorText == """
        tideline: \(server.url("/")) names 2 feeds:
          1  \(server.url("/a"))  Ebb
          2  \(server.url("/b"))  Flood
        tideline: \(server.url("/")): name one of them: tideline add ADDRESS

        """)
    #expect(try await succeed(["feeds"]) == "")
    serve("/b", "Flood")
    let session = try ProgramUnderTest.start(
      ["add", server.url("/")], home: home, size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("feed 1 of 2") && $0.contains("Flood") }
    await session.send("j")
    try await session.settle { $0.contains("feed 2 of 2") }
    await session.send("\r")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await succeed(["feeds"]).contains(server.url("/b")))
    server.stop()
  }

  /// Also a glance at the top is a visit, after which nothing there is new.
  @Test func whatWasAtTheTopIsNotNewTheNextTime() async throws {
    serve("/a", "A")
    _ = try await succeed(["add", server.url("/a")])
    _ = try await succeed(["refresh"])
    func open() throws -> TerminalSession {
      try ProgramUnderTest.start(
        ["--offline"], home: home, size: TerminalSize(columns: 100, rows: 24))
    }
    func leave(_ session: TerminalSession, _ keys: String) async throws {
      await session.send(keys)
      #expect(try await session.waitForExit() == .exited(0))
    }
    let first = try open()
    try await first.settle { $0.contains("post 1 of 2") }
    try await leave(first, "q")
    serve("/a", "A", ["gale", "ebb", "flood"])
    _ = try await succeed(["refresh", "--all"])
    let second = try open()
    try await second.settle { $0.contains("of 3") && $0.contains("1 new") }
    try await leave(second, ".q")
    let third = try open()
    let screen = try await third.settle { $0.contains("post 1 of 3") }
    #expect(!screen.contains("1 new"))
    try await leave(third, "q")
    server.stop()
  }

  /// What the screen says is marked survives a kill at that moment.
  @Test(arguments: [("A", "marked read"), ("s", "saved")])
  func aMarkThatWasToldIsKept(key: String, message: String) async throws {
    serve("/a", "A", (0..<500).map { "ebb \($0)" })
    _ = try await succeed(["add", server.url("/a")])
    _ = try await succeed(["refresh"])
    let session = try ProgramUnderTest.start(
      ["--offline"], home: home, size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("post 1 of 500") }
    await session.send(key)
    try await session.waitFor(message) { $0.line(22).contains(message) }
    await session.send(signal: SIGKILL)
    #expect(try await session.waitForExit() == .signalled(SIGKILL))
    let unread = try await succeed(["feeds", "--json"])
    #expect(unread.contains("\"unread\":\(key == "A" ? 0 : 500)"), "\(unread)")
    let saved = try await succeed(["saved", "--json"])
    #expect(saved.split(separator: "\n").count == (key == "s" ? 1 : 0))
    server.stop()
  }

  /// While another program has locked the library, leaving waits and says so; Ctrl-C does not wait.
  @Test(arguments: [false, true]) func leavingWaitsForALockedLibrary(interrupts: Bool) async throws
  {
    serve("/a", "A")
    let library = ["--library", home.path + "/library.db"]
    _ = try await succeed(["add", server.url("/a")] + library)
    _ = try await succeed(["refresh"] + library)
    let session = try ProgramUnderTest.start(
      ["--offline"] + library, home: home,
      size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("post 1 of 2") }
    let lock = try WriteLock(ofLibrary: home.path + "/library.db")
    await session.send("sq")
    try await session.waitFor(text: "waiting until the marks can be written")
    if interrupts {
      await session.send(TerminalKey.control("c"))
      #expect(try await session.waitForExit() == .signalled(SIGINT))
    }
    lock.release()
    if !interrupts { #expect(try await session.waitForExit() == .exited(0)) }
    let saved = try await succeed(["saved", "--json"] + library)
    #expect(saved.split(separator: "\n").count == (interrupts ? 0 : 1))
    server.stop()
  }

  /// A library that cannot be written is shown, and says so of all that is not kept.
  @Test func whatCannotBeWrittenIsSaid() async throws {
    serve("/a", "A")
    let path = home.path + "/library.db"
    let library = ["--library", path]
    _ = try await succeed(["add", server.url("/a")] + library)
    _ = try await succeed(["refresh"] + library)
    // SQLite makes a file of this name, and follows no link.
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: home.path + "/none")
    let requests = server.seen.paths.count
    for arguments in [["refresh", "--all"], ["remove", server.url("/a")]] {
      try await fail(arguments + library, status: 74, containing: "cannot be written")
    }
    let session = try ProgramUnderTest.start(
      library, home: home, size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("post 1 of 2") }
    await session.send("s")
    try await session.waitFor(text: "1 mark not written yet: library.db: cannot be written")
    await session.send("r")
    try await session.waitFor(text: "unread · library.db: cannot be written")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(74))
    #expect(await session.snapshot.text.contains("not all marks are kept: library.db"))
    #expect(server.seen.paths.count == requests)
    server.stop()
  }

  /// A search and a filter say that they could not read all posts; they may be in a damaged part.
  @Test func aSearchNamesWhatItCouldNotRead() async throws {
    let tides = String(repeating: "spring tide ", count: 20)
    serve("/a", "A", (0..<60).map { "\($0) \(tides)" })
    let path = home.path + "/library.db"
    _ = try await succeed(["add", server.url("/a"), "--library", path])
    _ = try await succeed(["refresh", "--library", path])
    server.stop()
    var bytes = try PackageFiles.bytes(at: path)
    let text = Array("30 spring tide".utf8)
    let place = try #require(bytes.firstRange(of: text)).lowerBound
    let page = place / 4_096 * 4_096
    for offset in page..<page + 4_096 { bytes[offset] = 0xFF }
    try Data(bytes).write(to: URL(filePath: path))
    let session = try ProgramUnderTest.start(
      ["--library", path, "--offline"], home: home, size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("post 1 of 60") }
    await session.send("/neap\r")
    let missing = try await session.settle { $0.contains("not found: neap · ") }
    #expect(missing.contains("posts could not be read"))
    await session.send("\u{1B}Fneap\r")
    try await session.settle { $0.contains("filter neap, 60 in all") && $0.contains("be read") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// A page that was saved leads to the feeds whose whole addresses it names.
  @Test func aPageInAFileNamesItsFeed() async throws {
    serve("/b", "Flood")
    let links = ["/relative", server.url("/b")].map {
      "<link rel=alternate type=application/rss+xml href=\($0)>"
    }
    try home.write("<!DOCTYPE html><html>\(links.joined())", to: "page.html")
    #expect(
      try await succeed(["add", "page.html"])
        == "following Flood, \(server.url("/b")), named by page.html\n")
    try home.write("<!DOCTYPE html><html>\(links[0])", to: "page.html")
    try await fail(
      ["add", "page.html"], status: 65, containing: "nor a web page that names a feed")
    server.stop()
  }

  // MARK: Mistakes

  @Test func mistakesAreReported() async throws {
    server.route("/text", MisbehavingServer.Step.response(body: Array("words".utf8)))
    serve("/a", "A")
    try home.write("x", to: "notes.txt")
    try await fail(["add", server.url("/none")], status: 69, containing: "404")
    try await fail(["add", server.url("/text")], status: 65, containing: "text, not a feed")
    try await fail(["add", "tides"], status: 64, containing: "names neither a site nor an account")
    try await fail(["add", "none.opml"], status: 66, containing: "no such file")
    try await fail(
      ["add", "notes.txt"], status: 65, containing: "neither a list of feeds (OPML) nor")
    try await fail(["add", "none.html"], status: 66, containing: "no such file")
    try await fail(["add", home.path], status: 66, containing: "directory")
    try await fail(["add"], status: 64, containing: "what")
    try await fail(
      ["add", "http://marit:secret@tide.invalid/"], status: 64, containing: "password")
    let secret = try await run(["add", "http://marit:secret@tide.invalid/"])
    #expect(!secret.errorText.contains("secret"))
    try await fail(["remove", "tides"], status: 66, containing: "you follow no feed of this name")
    try await fail(["refresh", "tides"], status: 66, containing: "you follow no feed of this name")
    try await fail(["refresh", "--all", "x"], status: 64, containing: "--all")
    try await fail(["feeds", "x"], status: 64, containing: "x")
    try await fail(["feeds", "--jsn"], status: 64, containing: "Did you mean '--json'?")
    try await fail(["feeds", "--library="], status: 64, containing: "--library")
    try await fail(["feds"], status: 66, containing: "did you mean the command 'feeds'?")
    try await fail(["export", "--plain"], status: 64, containing: "--plain")
    // The others are followed all the same.
    let mixed = try await run(["add", "tides", server.url("/a"), server.url("/none")])
    #expect(mixed.status == .exited(64) && mixed.text.hasPrefix("following A, "))
    #expect(mixed.errorText.split(separator: "\n").count == 2)
    server.stop()
  }

  /// A list that is empty because the library could not be found would overwrite a backup.
  @Test(arguments: ["feeds", "export"]) func aLibraryThatCannotBeFoundIsNamed(
    command: String
  ) async throws {
    try await fail(
      [command, "--library", home.path + "/none.db"], status: 66,
      containing: "there is no library yet")
    try home.write("x", to: "file")
    try await fail(
      [command, "--library", home.path + "/file/library.db"], status: 74,
      containing: "Not a directory")
    // The disk to which the user's library is linked is not there.
    try home.makeFolder("data")
    for place in ["data/tideline", "data/tideline/library.db"] {
      try? FileManager.default.removeItem(atPath: home.path + "/data/tideline")
      if place.hasSuffix("db") { try home.makeFolder("data/tideline") }
      try FileManager.default.createSymbolicLink(
        atPath: home.path + "/" + place, withDestinationPath: home.path + "/unmounted/x")
      try await fail([command], status: 66, containing: "is a link that leads nowhere")
    }
  }

  /// A page of a list turns out to name a feed that is followed, too: its posts are there once, at
  /// once.
  @Test func feedsThatBecomeOneLeaveNoRowsOnTheScreen() async throws {
    serve("/a", "A", (0..<10).map { "tide \($0)" })
    let page = Array(
      "<!DOCTYPE html><html><link rel=alternate type=application/rss+xml href=/a></html>".utf8)
    server.route("/page", [.head(length: page.count, fields: []), .send(page)])
    let library = ["--library", home.path + "/library.db"]
    _ = try await succeed(["add", server.url("/a")] + library)
    _ = try await succeed(["refresh"] + library)
    let list = "<opml><body><outline xmlUrl=\"\(server.url("/page"))\"/></body></opml>"
    _ = try await succeed(["add", try home.write(list, to: "page.opml")] + library)
    let session = try ProgramUnderTest.start(
      library + ["--allow-private-addresses"], home: home,
      size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { [server] _ in server.seen.paths.contains("/page") }
    await session.send("v")
    try await session.settle {
      $0.contains("post 1 of 10") && !$0.contains("not in the library") && !$0.contains("loading")
    }
    await session.send("G")
    try await session.settle { $0.contains("post 10 of 10") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await succeed(["feeds"] + library).split(separator: "\n").count == 1)
    server.stop()
  }

  @Test func anEmptyLibraryIsNoMistake() async throws {
    #expect(try await succeed(["feeds"]) == "")
    #expect(try await succeed(["feeds", "--json"]) == "")
    #expect(try await succeed(["export", "--json"]) == "")
    #expect(try await succeed(["export"]).contains("<opml version=\"2.0\">"))
    let refresh = try await run(["refresh"])
    #expect(refresh.status == .exited(0) && refresh.errorText.contains("you follow no feeds yet"))
    for words in [["remove", "tides"], ["refresh", "tides"]] {
      try await fail(words, status: 66, containing: "you follow no feed of this name")
    }
    #expect((try? home.names(in: "data/tideline")) ?? [] == [], "nothing is made")
  }

  @Test func theLibraryIsWhereItIsNamed() async throws {
    try home.write("<opml><outline xmlUrl=\"http://tide.invalid/\"/></opml>", to: "a.opml")
    _ = try await succeed(["add", "a.opml"])
    #expect(try home.names(in: "data/tideline").contains("library.db"))
    _ = try await run(
      ["add", "a.opml"], environment: ["TIDELINE_LIBRARY": home.path + "/named.db"])
    #expect(try home.names(in: "").contains("named.db"))
    _ = try await succeed(["--library", "option.db", "add", "a.opml"])
    #expect(try home.names(in: "").contains("option.db"))
    var status = stat()
    #expect(stat(home.path + "/data/tideline/library.db", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    try home.write("just text", to: "notes.txt")
    try await fail(["feeds", "--library", "notes.txt"], status: 65, containing: "notes.txt: ")
    try await fail(["add", "--library", home.path, "a.opml"], status: 66, containing: "not a file")
    // Files with the names of commands are opened by their paths.
    try home.write("{\"id\":\"1\",\"content_text\":\"flood\"}\n", to: "feeds")
    #expect(try await succeed(["./feeds"]).contains("flood"))
    #expect(try await succeed(["--", "feeds"]).contains("flood"))
  }

  @Test(arguments: ["add", "remove", "feeds", "refresh", "export"])
  func everyCommandHasItsHelp(command: String) async throws {
    let help = try await succeed([command, "--help"])
    #expect(help.contains("USAGE: tideline \(command)") && help.contains("--library"))
    #expect(try await succeed([command, "--version"]).hasPrefix("tideline 0."))
    try await fail(
      [command, "--generate-completion-script", "bash"], status: 64, containing: "whole program")
  }
}

/// The lock of a program that writes a library (SQLite's byte 120 of the index of its log).
private struct WriteLock {
  private let descriptor: Int32

  init(ofLibrary path: String) throws {
    descriptor = open(path + "-shm", O_RDWR)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (120, 1)
    try #require(descriptor >= 0 && fcntl(descriptor, F_SETLK, &lock) == 0)
  }

  func release() { close(descriptor) }
}
