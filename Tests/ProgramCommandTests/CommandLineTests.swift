import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The command line's contract: output and exit statuses.
@Suite(.ownThreads) struct CommandLineTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ arguments: [String], input: String = "") async throws -> PipedRun.Result {
    try await ProgramUnderTest.run(arguments, input: Array(input.utf8), home: home)
  }

  private func expectFailure(
    _ arguments: [String], status: Int32, containing parts: [String], input: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await run(arguments, input: input)
    #expect(result.status == .exited(status), sourceLocation: sourceLocation)
    #expect(result.errorText.hasPrefix("tideline: "), sourceLocation: sourceLocation)
    let lines = result.errorText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.count == 2 && lines[1].isEmpty, "one line: \(result.errorText)",
      sourceLocation: sourceLocation)
    for part in parts {
      #expect(
        result.errorText.contains(part), "\(result.errorText)", sourceLocation: sourceLocation)
    }
  }

  @Test func versionAndHelp() async throws {
    let version = try await run(["--version"])
    #expect(version.status == .exited(0))
    #expect(version.text.hasPrefix("tideline 0."))
    let help = try await run(["--help"])
    #expect(help.status == .exited(0))
    for option in ["--format", "--pictures", "--color", "--plain", "--json", "--trace", "demo"] {
      #expect(help.text.contains(option))
    }
  }

  @Test(arguments: [
    ("--verson", "--version"), ("--Version", "--version"), ("-version", "--version"),
    ("-v", "--version"), ("--plian", "--plain"), ("--pictres=off", "--pictures"),
    ("--no-imagecache", "--no-image-cache"), ("--allow-private", "--allow-private-addresses"),
    ("--foo", nil), ("-x", nil),
  ])
  func mistypedOptionsSuggestTheNearest(typed: String, meant: String?) async throws {
    let result = try await run([typed, "/no/such/file"])
    #expect(result.status == .exited(64))
    let name = typed.prefix { $0 != "=" }
    let hint = meant.map { ". Did you mean '\($0)'?" } ?? ""
    #expect(
      result.errorText
        == "tideline: Unknown option '\(name)'\(hint) (tideline --help shows the usage)\n")
  }

  @Test func mistypedOptionsOfCommandsAreNamed() async throws {
    let demo = try await run(["demo", "--lst"])
    #expect(demo.errorText.contains("Unknown option '--lst'. Did you mean '--list'?"))
    let cache = try await run(["cache", "info", "--cachedir=x"])
    #expect(cache.errorText.contains("Did you mean '--cache-dir'?"))
    let several = try await run(["--no"])
    #expect(several.errorText.contains("'--no-animation', '--no-image-cache' or '--no-state'?"))
  }

  /// The value of such an option would be a name or a source, which is a mistake of its own here.
  @Test(arguments: [
    (["refresh", "--all", "--trace", "t.json"], "--trace"),
    (["--bundled", "--foo", "t.json"], "--foo"), (["--library", "x", "--foo=1", "a"], "--foo"),
  ])
  func anUnknownOptionIsTheFirstMistake(arguments: [String], option: String) async throws {
    let result = try await run(arguments)
    #expect(result.status == .exited(64))
    #expect(result.errorText.hasPrefix("tideline: Unknown option '\(option)'"))
    let known = arguments.filter { !$0.hasPrefix(option) }
    #expect(try await run(known).errorText.contains(#/takes no (name|other source|source)/#))
  }

  @Test(arguments: [("cach", "cache"), ("chache", "cache"), ("Demo", "demo"), ("dmeo", "demo")])
  func mistypedCommandsSuggestTheNearest(typed: String, meant: String) async throws {
    let result = try await run([typed, "info"])
    #expect(result.status == .exited(66))
    #expect(result.errorText.hasSuffix("; did you mean the command '\(meant)'?\n"))
  }

  @Test(arguments: ["fed", "cache.json", "./cach", "ch"])
  func otherMissingFilesSuggestNoCommand(name: String) async throws {
    #expect(try await !run([name]).errorText.contains("command"))
  }

  @Test func aFolderSuggestsItsFiles() async throws {
    try home.write("x", to: "Downloads/notes.txt")
    let path = home.path + "/Downloads"
    for name in [path, path + "/"] {
      let result = try await run([name])
      #expect(result.status == .exited(66))
      #expect(
        result.errorText
          == "tideline: \(name): is a directory; name files in it, as \(path)/*.xml\n")
    }
  }

  /// In merged timelines the author and the feed often have the same name.
  @Test func plainNamesAreNotRepeated() async throws {
    func feed(_ number: Int, author: String) -> String {
      "<rss version=\"2.0\"><channel><title>Feed \(number)</title><item><guid>\(number)</guid>"
        + "<author>\(author)</author><title>Tide</title>"
        + "<pubDate>Sat, 09 Mar 2024 08:0\(number):00 GMT</pubDate></item></channel></rss>"
    }
    let paths = try [(1, "Feed 1"), (2, "feed 2"), (3, "Ann")].map {
      try home.write(feed($0, author: $1), to: "\($0).xml")
    }
    let result = try await run(["--plain"] + paths)
    let heads = result.text.split(separator: "\n").filter { $0.contains(" · ") }
    #expect(
      heads == [
        "Ann · 2024-03-09 08:03 UTC · Feed 3", "feed 2 · 2024-03-09 08:02 UTC",
        "Feed 1 · 2024-03-09 08:01 UTC",
      ])
  }

  @Test func withoutATerminalPostsArePrinted() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    let result = try await run([path])
    #expect(result.status == .exited(0))
    #expect(result.text.contains("#0 harbour"))
    #expect(result.text.contains("Sentence 0 of post 2 at the tide gauge."))
    #expect(!result.text.contains("\u{1B}"))
  }

  /// Messages of libraries do not reach the terminal.
  @Test func brokenBytesCauseAtMostOneLine() async throws {
    for start: [UInt8] in [
      [0, 0, 0, 0x3C], [0, 0x3C, 0, 0x3F], [0x3C, 0, 0, 0], [0, 0, 0x3C, 0],
    ] {
      let bytes = start + [0, 0, 0, 0xE0, 0, 0, 0, 0x1A, 0xEF, 0xBF, 0xBD, 0xD8, 0, 0x3E]
      for format in ["rss", "atom"] {
        let result = try await ProgramUnderTest.run(
          ["--format", format, "--plain"], input: bytes, home: home)
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("tideline: ") }, "\(start): \(result.errorText)")
        #expect(lines.count <= 1, "\(start): \(result.errorText)")
      }
    }
  }

  @Test func standardInputIsReadWhenItIsNoTerminal() async throws {
    for arguments in [[], ["-"], ["--plain"]] {
      let result = try await run(arguments, input: TestTimeline.lines(2))
      #expect(result.status == .exited(0))
      #expect(result.text.contains("#1 harbour"))
    }
  }

  @Test func jsonItemsReadBackUnchanged() async throws {
    let first = try await run(["--json"], input: TestTimeline.lines(5))
    #expect(first.text.split(separator: "\n").count == 5)
    let second = try await run(["--json"], input: first.text)
    #expect(second.text == first.text)
  }

  /// As on the screen, a letter has at most four marks, in every field.
  @Test(arguments: ["--json", "--plain"])
  func marksOnOneLetterAreBounded(form: String) async throws {
    let letter = "a" + String(repeating: "\u{301}", count: 500) + "b"
    let fields = """
      "id":"\(letter)","url":"https://tide.example/\(letter)","title":"\(letter)",\
      "tags":["\(letter)"],"language":"\(letter)","authors":[{"name":"\(letter)",\
      "url":"https://tide.example/\(letter)"}],"attachments":[{"url":"https://tide.example/x",\
      "mime_type":"\(letter)","title":"\(letter)"}]
      """
    let link = "<a href='https://tide.example/\(letter)'>\(letter)</a>"
    let item = "<item><title>\(letter)</title><description>&lt;p>\(letter)</description></item>"
    let inputs = [
      #"{\#(fields),"content_text":"\#(letter)"}"#,
      #"{\#(fields),"content_html":"<p title='\#(letter)'>\#(letter)</p>\#(link)"}"#,
      "<rss version=\"2.0\"><channel><title>\(letter)</title>\(item)</channel></rss>", letter,
    ]
    for input in inputs {
      let text = try await run([form], input: input + "\n").text
      #expect(text.unicodeScalars.contains("\u{301}"))
      #expect(text.unicodeScalars.split { $0 != "\u{301}" }.allSatisfy { $0.count <= 4 }, "\(text)")
    }
  }

  @Test func severalSourcesAreMergedNewestFirst() async throws {
    let old = TestTimeline.json(["title": "old", "date_published": "2001-01-01T00:00:00Z"])
    let new = TestTimeline.json(["title": "new", "date_published": "2002-01-01T00:00:00Z"])
    let middle = TestTimeline.json(["title": "middle", "date_published": "2001-06-01T00:00:00Z"])
    let a = try home.write("\(new)\n\(old)\n", to: "a.jsonl")
    let b = try home.write(middle + "\n", to: "b.jsonl")
    let text = try await run([a, b]).text
    let titles = text.split(separator: "\n").filter { ["new", "middle", "old"].contains($0) }
    #expect(titles == ["new", "middle", "old"])
  }

  @Test func wrongUsageIs64() async throws {
    try await expectFailure(["--nonsense"], status: 64, containing: ["--nonsense"])
    try await expectFailure(
      ["--format", "gopher"], status: 64,
      containing: ["gopher", "auto, jsonl, jsonfeed, rss, atom, ", ", text"])
    try await expectFailure(
      ["--pictures", "braille"], status: 64, containing: ["braille", "- iterm2", "- off"])
    try await expectFailure(
      ["--color", "mauve"], status: 64, containing: ["mauve", "'truecolor'", "'never'"])
    try await expectFailure(
      ["--theme", "dusk"], status: 64, containing: ["dusk", "'auto'", "'light'", "'dark'"])
    try await expectFailure(["demo", "list", "--hold"], status: 64, containing: ["no pictures"])
    try await expectFailure(
      ["demo", "queue", "--hold"], status: 64, containing: ["clock stopped", "p starts"])
    try await expectFailure(
      ["demo", "slack", "--frames", "--width", "0"], status: 64, containing: ["1 to 1000"])
    try await expectFailure(
      ["demo", "slack", "--frames", "--rows", "9-0"], status: 64, containing: ["such as 0-9"])
    try await expectFailure(["demo", "nothing"], status: 64, containing: ["nothing"])
  }

  @Test(arguments: [
    ("ftp://tide.example/feed", "“ftp:” cannot be opened, only http: and https: can"),
    ("gopher://tide.example/", "“gopher:” cannot be opened, only http: and https: can"),
    ("file://tide.example/feed", "“file:” cannot be opened, only http: and https: can"),
    ("http://", "it has no host"), ("https:///feed", "it has no host"),
    ("http:/tide.example", "two slashes are missing after http:"),
    ("https:", "two slashes are missing after https:"),
    ("http://tide.example:0/", "“0” is not a port number"),
    ("HTTP://tide.example:99999/", "“99999” is not a port number"),
    ("http://ti de.example/", "a space or control character in its host"),
    ("http://tide\u{1B}[2J\nx.example/", "a space or control character in its host"),
  ])
  func addressesThatCannotBeOpenedAreWrongUsage(address: String, reason: String) async throws {
    try await expectFailure([address], status: 64, containing: [reason])
  }

  @Test func aFileIsOpenedByItsURL() async throws {
    let path = try home.write(TestTimeline.lines(2), to: "two tides.jsonl")
    let url = "file://" + path.replacing(" ", with: "%20")
    let result = try await run([url])
    #expect(result.status == .exited(0) && result.text.contains("#1 harbour"))
    try await expectFailure(
      ["file:///nothing/here"], status: 66, containing: ["/nothing/here: no such file"])
  }

  @Test func nonTimelinesAre65() async throws {
    try await expectFailure([], status: 65, containing: ["standard input", "empty"])
    let binary = try home.write([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 0, 0, 0], to: "binary")
    try await expectFailure([binary], status: 65, containing: [binary, "binary"])
    let page = try home.write("<!DOCTYPE html><html><body>Hi</body></html>", to: "page.html")
    try await expectFailure([page], status: 65, containing: [page, "HTML"])
  }

  @Test func unreadableFilesAre66() async throws {
    try await expectFailure([home.path], status: 66, containing: [home.path, "directory"])
    let missing = home.path + "/missing.rss"
    try await expectFailure([missing], status: 66, containing: [missing, "no such file"])
    guard getuid() != 0 else { return }
    let secret = try home.write("x", to: "secret")
    chmod(secret, 0)
    try await expectFailure([secret], status: 66, containing: ["permission"])
  }

  @Test func remoteFailuresAre69() async throws {
    let server = try MisbehavingServer()
    server.route("/missing", MisbehavingServer.Step.response(status: 404))
    server.route("/broken", MisbehavingServer.Step.response(status: 500))
    server.route("/loop", MisbehavingServer.Step.redirect(to: server.url("/loop")))
    try await expectFailure([server.url("/missing")], status: 69, containing: ["404"])
    try await expectFailure([server.url("/broken")], status: 69, containing: ["500"])
    try await expectFailure([server.url("/loop")], status: 69, containing: ["redirect"])
    let port = server.port
    server.stop()
    try await expectFailure(
      ["https://127.0.0.1:\(port)/x"], status: 69, containing: ["127.0.0.1"])
    try await expectFailure(
      ["http://nowhere.invalid/feed"], status: 69, containing: ["nowhere.invalid"])
  }

  @Test func aRemoteTimelineIsFetched() async throws {
    let server = try MisbehavingServer()
    server.route(
      "/tides", MisbehavingServer.Step.response(body: Array(TestTimeline.lines(2).utf8)))
    let result = try await run([server.url("/tides")])
    #expect(result.status == .exited(0))
    #expect(result.text.contains("#1 harbour"))
  }

  @Test func unwritableOutputIs74() async throws {
    let path = try home.write(TestTimeline.lines(2), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      [path, "--trace", home.path + "/none/trace"], home: home,
      size: TerminalSize(columns: 300, rows: 24))
    #expect(try await session.waitForExit() == .exited(74))
    let text = await session.snapshot.text
    #expect(text.contains("cannot be written"))
  }

  /// The options of a timeline may stand before `demo` and `cache`, with their values.
  @Test func optionsMayPrecedeACommand() async throws {
    let folder = home.path + "/pictures"
    let info = try await run(["--cache-dir", folder, "cache", "info"])
    #expect(info.status == .exited(0) && info.text.hasPrefix(folder))
    let frames = try await run(["--theme", "dark", "--frames", "demo", "slack", "--rows=0-0"])
    #expect(frames.status == .exited(0) && frames.text.hasPrefix("{\"row\":0"))
    try await expectFailure(["--json", "cache", "info"], status: 64, containing: ["--json"])
    try home.write(TestTimeline.lines(1), to: "demo")
    for arguments in [["--", "demo"], ["--plain", "./demo"], ["--plain", "--", "demo"]] {
      let file = try await ProgramUnderTest.run(
        arguments, home: home, workingFolder: home.path)
      #expect(file.text.contains("#0 harbour"), "\(file.errorText)")
    }
  }

  /// The value of an option is never taken for a command.
  @Test func valuesAreNoCommands() async throws {
    var tried: Set<String> = []
    for command in ["", "demo", "cache", "add", "feeds"] {
      let usage = try await run((command.isEmpty ? [] : [command]) + ["--help"]).text
      let options = usage.split(separator: "\n").compactMap { line -> String? in
        let words = line.split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("--"), words[1].hasPrefix("<") else { return nil }
        return String(words[0])
      }
      #expect(!options.isEmpty)
      for option in options where tried.insert(option).inserted {
        // If `demo` were taken for the command, `--list` would be valid.
        let wrong = try await run([option, "demo", "--list"])
        #expect(wrong.status == .exited(64), "\(option)")
      }
    }
  }

  @Test func damageIsMarkedAndNothingElseIsLost() async throws {
    let feed = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Tides</title>
      <item><title>first</title></item><item><title>second</title></item><item><title>thi
      """
    let path = try home.write(feed, to: "cut.rss")
    let result = try await run([path])
    #expect(result.status == .exited(0))
    #expect(result.text.contains("first") && result.text.contains("second"))
    #expect(result.text.contains("! "))
    let json = try await run([path, "--json"])
    #expect(json.text.contains("_tideline"))
  }

  @Test func aClosedPipeEndsSilently() async throws {
    let path = try home.write(TestTimeline.lines(20_000), to: "tides.jsonl")
    let result = try await PipedRun.run(
      path: "/bin/sh",
      arguments: ["-c", "\"$0\" \"$1\" | head -n 1; echo done", ProgramUnderTest.path(), path],
      environment: ProgramUnderTest.environment(home: home))
    #expect(result.text.hasSuffix("done\n"))
    #expect(result.errorText == "")
  }

  /// The message for a terminal that cannot be drawn on suggests printing.
  @Test(arguments: ["dumb", "", "unknown", "cons-what", "linux\u{1B}[2J"])
  func unusableTerminalsSuggestPlain(term: String) async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    var personality = TerminalPersonality()
    personality.term = term
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 160, rows: 20), personality: personality)
    #expect(try await session.waitForExit() == .exited(64))
    let screen = await session.snapshot
    #expect(screen.line(0).hasPrefix("tideline: "))
    #expect(screen.contains("--plain"))
    #expect(screen.line(1).isEmpty)
    #expect(await !session.hasWritten("\u{1B}"))
    #expect(try await session.isCooked())
  }
}
