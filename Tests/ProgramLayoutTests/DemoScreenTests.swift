import TestSupport
import Testing

/// Compares each demo's screen with the output of `--frames`.
@Suite(.ownThreads) struct DemoScreenTests {
  /// The demos of layouts, in the order in which the program lists them.
  static let demos = ["autolayout", "slack", "moments", "tweets", "placeholders"]
  private static let screenRows = 44
  /// The rows above the caption and the status.
  private static let listRows = screenRows - 3
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Opens a demo at its first row.
  private func open(_ demo: String, columns: Int = 80, _ arguments: [String] = []) async throws
    -> TerminalSession
  {
    let session = try ProgramUnderTest.start(
      ["demo", demo] + arguments, home: home,
      size: TerminalSize(columns: columns, rows: Self.screenRows))
    if demo == "autolayout" {
      try await session.settle { $0.contains("row 2 of 15") }
      await session.send("g")
    }
    return session
  }

  /// Waits for all pictures, including one that fails at first and is retried.
  private func settle(_ session: TerminalSession, columns: Int) async throws -> ScreenSnapshot {
    try await session.settle("all pictures on the screen", quiet: .milliseconds(500)) {
      $0.columns == columns && !$0.contains("↓ ") && !$0.contains("for a retry")
        && $0.contains(" 1 of ") && $0.hasPictures
    }
  }

  private func expectViews(
    of demo: String, on screen: ScreenSnapshot, columns: Int, _ arguments: [String] = []
  ) async throws {
    let rows = try await DemoRow.rows(
      of: demo, ["--width", "\(columns - 1)", "--rows", "0-9"] + arguments, home: home)
    // On a narrow screen the caption has two lines.
    let listRows = columns < 76 ? Self.listRows - 1 : Self.listRows
    let check = DemoScreenCheck(screen: screen, listHeight: listRows, rows: rows)
    #expect(check.checkedViews >= 4)
    #expect(check.problems == [], "\(demo) at \(columns) columns:\n\(screen.text)")
  }

  @Test(arguments: demos) func theScreenMatchesFrames(demo: String) async throws {
    let session = try await open(demo)
    _ = try await settle(session, columns: 80)
    await session.send("G")
    try await session.settle { !$0.contains(" 1 of ") && !$0.contains("↓ ") }
    await session.send("g")
    let screen = try await settle(session, columns: 80)
    try await expectViews(of: demo, on: screen, columns: 80)
    let narrow = 53
    try await session.resize(columns: narrow, rows: Self.screenRows)
    let resized = try await settle(session, columns: narrow)
    try await expectViews(of: demo, on: resized, columns: narrow)
    await session.send("q")
    let status = try await session.waitForExit()
    #expect(status == .exited(0), "\(status)")
  }

  @Test func theProvokedConflictIsOnlyLogged() async throws {
    let log = home.path + "/log"
    let session = try await open("moments", ["--provoke-conflict", "--log-file", log])
    _ = try await settle(session, columns: 80)
    await session.send("G")
    try await session.settle { !$0.contains(" 1 of ") && !$0.contains("↓ ") }
    await session.send("g")
    let screen = try await settle(session, columns: 80)
    #expect(!screen.contains("Unable to") && !screen.contains("Encapsulated"))
    try await expectViews(of: "moments", on: screen, columns: 80, ["--provoke-conflict"])
    let text = String(decoding: try PackageFiles.bytes(at: log), as: UTF8.self)
    #expect(text.contains("Unable to simultaneously satisfy constraints."))
    #expect(text.contains("'Encapsulated-Layout-Height' cell.height == 4"))
  }

  @Test(arguments: demos) func theNotesPageDescribesTheDemo(demo: String) async throws {
    let session = try await open(demo)
    try await session.settle { $0.contains(" 1 of ") }
    await session.send("?")
    let page = try await session.settle { $0.contains("closes this page") }
    #expect(page.line(1).contains("demo \(demo)"))
    let words = ["moments": "picture", "tweets": "constraint", "placeholders": "pictures"]
    #expect(page.contains(words[demo] ?? "icon"))
    if demo == "autolayout" {
      #expect(page.contains("Will attempt to recover by breaking constraint"))
    }
  }

  // MARK: Fetches, by the trace

  private func fetches(_ state: String, in trace: String) throws -> [String] {
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      guard line.contains("\"state\":\"\(state)\"") else { return nil }
      return line.split(separator: "\"url\":\"").last?.split(separator: "\"").first.map(String.init)
    }
  }

  @Test func autolayoutFetchesEachPictureOnce() async throws {
    let trace = home.path + "/trace"
    let session = try await open("autolayout", ["--trace", trace])
    _ = try await settle(session, columns: 80)
    for keys in ["G", "g", "GgGg"] {
      await session.send(keys)
      try await session.settle { !$0.contains("↓ ") }
    }
    await session.send("q")
    try await session.waitForExit()
    let started = try fetches("done", in: trace)
    #expect(started.count == 5)
    #expect(Set(started).count == 5)
  }

  @Test func aFailedMomentIsRetried() async throws {
    let trace = home.path + "/trace"
    let session = try await open("moments", ["--trace", trace])
    _ = try await settle(session, columns: 80)
    await session.send("q")
    try await session.waitForExit()
    let retried = try fetches("retried", in: trace).filter { $0.hasSuffix("/3.jpeg") }
    #expect(retried.count == 1 && retried[0].contains("/flaky/"))
    let arrived = try fetches("done", in: trace)
    #expect(retried.filter { !arrived.contains($0) } == [])
    #expect(try fetches("failed", in: trace) == [])
  }

  @Test func placeholdersFetchLittleMoreThanWhatIsVisible() async throws {
    let trace = home.path + "/trace"
    let session = try await open("placeholders", ["--trace", trace, "--no-image-cache"])
    _ = try await settle(session, columns: 80)
    await session.send("q")
    try await session.waitForExit()
    let done = try fetches("done", in: trace)
    // The screen has 42 rows, and 21 below it are prepared; a picture takes at least twelve.
    #expect((3...7).contains(done.count))
    #expect(Set(done).count == done.count, "a picture was fetched twice: a loop")
  }

  /// All rows are measured before the first frame, and once more if later answers of the terminal
  /// change the proportions of its cells.
  @Test func tweetsAreAllMeasuredInTheFirstFrame() async throws {
    let trace = home.path + "/trace"
    var personality = TerminalPersonality.xterm
    personality.holdsAnswers = true
    let session = try ProgramUnderTest.start(
      ["demo", "tweets", "--trace", trace], home: home,
      size: TerminalSize(columns: 80, rows: Self.screenRows), personality: personality)
    try await session.settle { $0.contains(" by constraints.") }
    #expect(await session.heldAnswers > 0)
    await session.releaseAnswers()
    _ = try await settle(session, columns: 80)
    await session.send("q")
    try await session.waitForExit()
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    let frames = text.split(separator: "\n").filter { $0.contains("\"event\":\"frame\"") }
    let measured = frames.compactMap { frame in
      frame.firstMatch(of: /"measuredRows":(\d+),/).flatMap { Int($0.1) }
    }
    #expect(measured.count == frames.count)
    #expect(measured.first == 200 && measured.last == 400, "\(measured)")
    #expect(measured.allSatisfy { $0 == 200 || $0 == 400 }, "\(measured)")
    let heights = try await DemoRow.rows(of: "tweets", ["--width", "79"], home: home).map(\.height)
    let total = "\"totalHeight\":\(heights.reduce(0, +)),"
    #expect(frames.allSatisfy { $0.contains(total) })
  }
}

extension ScreenSnapshot {
  /// Whether any cell has the colour of a picture.
  fileprivate var hasPictures: Bool { cells.contains { $0.contains(where: \.hasPictureColor) } }
}
