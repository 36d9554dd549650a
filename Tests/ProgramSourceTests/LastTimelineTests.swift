import FoundationEssentials
import TestSupport
import Testing

/// `tideline` without arguments opens the last timeline, or the bundled one if that is gone.
@Suite(.ownThreads) struct LastTimelineTests {
  private let home: TemporaryFolder
  private let size = TerminalSize(columns: 140, rows: 24)

  init() throws { home = try TemporaryFolder() }

  private func start(_ arguments: [String] = []) throws -> TerminalSession {
    try ProgramUnderTest.start(arguments, home: home, size: size)
  }

  /// Opens the source, waits for the text and quits.
  private func open(_ arguments: [String], until text: String) async throws {
    let session = try start(arguments)
    try await session.settle { $0.contains(text) }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  private var remembered: String? {
    FileManager.default.contents(atPath: home.path + "/state/tideline/last")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func remember(_ lines: String...) throws {
    try FileManager.default.createDirectory(
      atPath: home.path + "/state/tideline", withIntermediateDirectories: true)
    try home.write(lines.joined(separator: "\n") + "\n", to: "state/tideline/last")
  }

  @Test func shownTimelinesAreOpenedAgain() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    try await open([path], until: "#0 harbour")
    #expect(remembered == path + "\n")
    try await open([], until: "#0 harbour")
  }

  @Test func aSourceThatNeverShowedAPostIsNotRemembered() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    try await open([path], until: "#0 harbour")
    let server = try MisbehavingServer()
    defer { server.stop() }
    let empty = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"None\",\"items\":[]}"
    server.route("/missing", MisbehavingServer.Step.response(status: 404))
    server.route("/empty", MisbehavingServer.Step.response(body: Array(empty.utf8)))
    let failing = try start([server.url("/missing")])
    #expect(try await failing.waitForExit() == .exited(69))
    #expect(remembered == path + "\n")
    try await open([server.url("/empty")], until: "None")
    #expect(remembered == path + "\n")
  }

  @Test func aFailingLastURLOpensTheBundledTimeline() async throws {
    let server = try MisbehavingServer()
    server.route("/feed", MisbehavingServer.Step.response(body: Array(TestTimeline.lines(3).utf8)))
    let url = server.url("/feed")
    try await open([url], until: "#0 harbour")
    #expect(remembered == url + "\n")
    server.route("/feed", MisbehavingServer.Step.response(status: 404))
    let session = try start()
    let screen = try await replacement(in: session)
    #expect(screen.contains("404"))
    #expect(screen.contains("post 1 of"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    // The source may work again the next time.
    #expect(remembered == url + "\n")
    let printed = try start(["--plain"])
    #expect(try await printed.waitForExit() == .exited(0))
    let text = String(decoding: await printed.transcript, as: UTF8.self)
    #expect(text.contains("tideline: the last timeline failed: \(url)"))
    #expect(text.split(whereSeparator: \.isNewline).count > 60)
    server.stop()
    let empty = try await ProgramUnderTest.run(["--plain"], home: home)
    #expect(empty.status == .exited(65), "an empty pipe is read, not what was open last")
  }

  @Test(arguments: ["missing", "binary", "directory"])
  func aFailingLastFileOpensTheBundledTimeline(kind: String) async throws {
    let path = home.path + "/tides.jsonl"
    switch kind {
    case "binary": try home.write([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 0, 0, 0], to: "tides.jsonl")
    case "directory":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    default: break
    }
    try remember(path)
    let session = try start()
    let screen = try await replacement(in: session)
    #expect(screen.contains(path))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func missingSourcesAreCounted() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    try remember(path, home.path + "/gone.xml")
    let session = try start()
    try await session.settle { $0.contains("#0 harbour") && $0.contains("1 of 2 failed · L") }
    await session.send("L")
    try await session.settle { $0.contains("gone.xml") && $0.contains("no such file") }
    await session.send("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// At most 500 sources and 64 kB are read.
  @Test func aLargeMemoryIsReadToItsLimits() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    let words = String(repeating: "x", count: 40)
    let many = (0..<200_000).map { "/nowhere/\(words)\($0)" }
    try remember(([path] + many).joined(separator: "\n"))
    try await open([], until: "499 of 500 failed")
    // A source beyond the limit, and one after a line that is cut.
    for first in [Array(repeating: "/none", count: 500), [String(repeating: "/n", count: 40_000)]] {
      try remember((first + [path]).joined(separator: "\n"))
      let session = try start()
      let screen = try await session.settle { $0.contains("post 1 of 60") }
      #expect(!screen.contains("#0 harbour"))
      await session.send("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
  }

  @Test func tooManySourcesAreNotRemembered() async throws {
    let path = try home.write(TestTimeline.lines(1), to: "tides.jsonl")
    try remember(path)
    let log = home.path + "/log"
    try await open(
      ["--log-file", log] + Array(repeating: path, count: 501), until: "#0 harbour")
    #expect(remembered == path + "\n")
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains("not remembered: there are too many sources"))
  }

  @Test func theBundledTimelineCanAlwaysBeOpened() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    try remember(path)
    let session = try start(["--bundled"])
    let screen = try await session.settle { $0.contains("post 1 of") }
    #expect(!screen.contains("#0 harbour") && !screen.contains("the last timeline failed"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(remembered == path + "\n")
    let printed = try await ProgramUnderTest.run(["--bundled", "--plain"], home: home)
    #expect(printed.status == .exited(0) && !printed.text.isEmpty && printed.errorText.isEmpty)
    let both = try await ProgramUnderTest.run(["--bundled", path], home: home)
    #expect(both.status == .exited(64))
  }

  /// The reason can be read while the screen is open.
  @Test(arguments: [false, true]) func aDamagedLibraryIsReported(isRemembered: Bool) async throws {
    try home.write(String(repeating: "no database ", count: 1_000), to: "data/tideline/library.db")
    if isRemembered { try remember(home.write(TestTimeline.lines(3), to: "tides.jsonl")) }
    let session = try ProgramUnderTest.start(
      [], home: home, size: TerminalSize(columns: 240, rows: 24))
    let screen = try await session.settle {
      $0.contains("post 1 of") && $0.contains("; the last timeline is shown")
    }
    #expect(screen.contains("#0 harbour") == isRemembered)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aDamagedMemoryIsIgnored() async throws {
    try remember("\u{1B}[2J\u{0}", "-", "http://", "\u{FFFD}")
    let session = try start()
    let screen = try await replacement(in: session)
    #expect(screen.contains("post 1 of"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The bundled timeline in place of the last one, with the reason.
  private func replacement(in session: TerminalSession) async throws -> ScreenSnapshot {
    try await session.settle {
      $0.contains("the last timeline failed") && $0.contains("post 1 of")
    }
  }
}
