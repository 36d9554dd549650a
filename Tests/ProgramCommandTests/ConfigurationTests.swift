import FoundationEssentials
import TestSupport
import Testing

/// The user's configuration file: names of sources, settings, and reports of mistakes.
@Suite(.ownThreads) struct ConfigurationTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func configure(_ text: String) throws {
    try home.write(text, to: "config/tideline/config")
  }

  private func check(_ arguments: [String] = []) async throws -> PipedRun.Result {
    try await ProgramUnderTest.run(["--check-config"] + arguments, home: home)
  }

  @Test func aValidFileIsCheckedSilently() async throws {
    let missing = try await check()
    #expect(missing.status == .exited(0) && missing.text == "" && missing.errorText == "")
    try configure(
      """
      # what I like
      set animation off
      set mouse on
      set refresh 60
      set keep 365
      bind J page-down
      bind f9 inspect
      bind X toggle-cover
      unbind q
      source news https://harbour.example/feed.xml https://gauge.example/feed.json
      """)
    let sound = try await check()
    #expect(sound.status == .exited(0) && sound.text == "")
    #expect(sound.errorText == "", "\(sound.errorText)")
  }

  @Test func everyMistakeIsReportedWithItsLine() async throws {
    try configure(
      """
      set tempo fast
      set mouse maybe
      bind J page-dwon
      nonsense
      source news
      source a/b https://harbour.example/
      source demo https://harbour.example/
      source news gopher://harbour.example/
      source news tides.xml
      source news http://
      set article
      set width
      set refresh # minutes
      set animation off
      """)
    let path = home.path + "/config/tideline/config"
    let result = try await check()
    #expect(result.status == .exited(65) && result.text == "")
    let lines = result.errorText.split(separator: "\n").map(String.init)
    let told = [
      "no setting is called 'tempo'", "mouse is on or off, not 'maybe'",
      "no command is called 'page-dwon'; nearest: page-down",
      "no command is called 'nonsense'", "it takes a name and a source or several",
      "'a/b' is not a valid name",
      "demo is a word of the command line", "gopher://harbour.example/",
      "'tides.xml' is neither a URL nor a path from / or ~/ on", "it has no host",
      "'set article' lacks a value", "'set width' lacks a value", "'set refresh' lacks a value",
    ]
    #expect(lines.count == told.count, "\(lines)")
    for (index, (line, text)) in zip(lines, told).enumerated() {
      #expect(line.hasPrefix("tideline: \(path):\(index + 1): ") && line.contains(text), "\(line)")
    }
    let other = try home.write("bind j\n", to: "other")
    let named = try await check(["--config", other])
    #expect(named.status == .exited(65))
    #expect(named.errorText.split(separator: "\n").count == 1)
    let missing = try await check(["--config", home.path + "/none"])
    #expect(missing.status == .exited(66) && missing.errorText.contains("/none: No such file"))
    #expect(try await check(["feed.xml"]).status == .exited(64))
  }

  /// The timeline opens with any file, and the file's problem is shown.
  @Test(arguments: ["lines", "binary", "words"])
  func badFilesDoNotStopTheTimeline(kind: String) async throws {
    let bytes: [UInt8] =
      switch kind {
      case "lines": Array(String(repeating: "bind J end\n", count: 1_000_000).utf8)
      case "binary": (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 8) }
      default: Array(String(repeating: "nonsense of any kind\n", count: 1_000_000).utf8)
      }
    try home.write(bytes, to: "config/tideline/config")
    let path = try home.write(TestTimeline.lines(5), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: 140, rows: 20))
    let screen = try await session.settle { $0.contains("post 1 of 5") }
    #expect(
      screen.contains(kind == "lines" ? "larger than 64 KiB" : "more in :messages)"),
      "\(screen.line(18))")
    await session.send("J")
    if kind == "lines" { try await session.settle { $0.contains("post 5 of 5") } }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await check().status == .exited(65))
  }

  @Test func namesOpenTheirSources() async throws {
    let one = try home.write(TestTimeline.lines(2), to: "one.jsonl")
    try home.write(TestTimeline.lines(3), to: "two.jsonl")
    try configure("source tides \(one)\nsource both \(one) ~/two.jsonl\n")
    let plain = try await ProgramUnderTest.run(["tides", "--plain"], home: home)
    let file = try await ProgramUnderTest.run([one, "--plain"], home: home)
    #expect(plain.status == .exited(0) && plain.text == file.text && !plain.text.isEmpty)
    let merged = try await ProgramUnderTest.run(["both", "--json"], home: home)
    #expect(merged.text.split(separator: "\n").count == 5, "\(merged.errorText)")
    let unknown = try await ProgramUnderTest.run(["gauge", "--plain"], home: home)
    #expect(unknown.status == .exited(66))
    let session = try ProgramUnderTest.start(["tides"], home: home)
    try await session.settle { $0.contains("#0 harbour") && $0.contains("post 1 of 2") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aNameCanBeAddedOnScreen() async throws {
    let one = try home.write(TestTimeline.lines(2), to: "one.jsonl")
    let session = try ProgramUnderTest.start(
      [one], home: home, size: TerminalSize(columns: 120, rows: 20))
    try await session.settle { $0.contains("post 1 of 2") }
    await session.send(":source tides \(one)\r")
    try await session.settle { $0.contains("kept: from now on \"tideline tides\" opens it") }
    await session.send(":source a/b \(one)\r")
    try await session.settle { $0.contains("'a/b' is not a valid name") }
    await session.send(":source gauge \(one)\r")
    try await session.settle { $0.contains("\"tideline gauge\"") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    let file = try String(
      contentsOfFile: home.path + "/config/tideline/config", encoding: .utf8)
    #expect(file == "source tides \(one)\nsource gauge \(one)\n")
    for name in ["tides", "gauge"] {
      let plain = try await ProgramUnderTest.run([name, "--json"], home: home)
      #expect(plain.text.split(separator: "\n").count == 2, "\(plain.errorText)")
    }
  }

  @Test func filesPrecedeNames() async throws {
    let one = try home.write(TestTimeline.lines(2), to: "one.jsonl")
    try home.write(TestTimeline.lines(4), to: "tides")
    try configure("source tides \(one)\n")
    let result = try await ProgramUnderTest.run(
      ["tides", "--json"], home: home, workingFolder: home.path)
    #expect(result.text.split(separator: "\n").count == 4)
  }

  @Test func aPasswordInTheFileIsNotRepeated() async throws {
    try configure("source news https://reader:tide-secret@/feed\nsource x ftp://a:tide-secret@b/\n")
    let result = try await check()
    #expect(result.status == .exited(65))
    #expect(result.errorText.split(separator: "\n").count == 2)
    #expect(!result.errorText.contains("tide-secret"), "\(result.errorText)")
  }

  @Test func mouseReportingCanBeSwitchedOff() async throws {
    let path = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("#0 harbour") }
    func reportsMouse() async -> Bool { await session.snapshot.modes[1006] == true }
    #expect(await reportsMouse())
    await session.send(":set mouse off\r")
    try await session.settle { $0.contains("post 1 of 3") && !$0.contains(":set") }
    #expect(await !reportsMouse())
    await session.send(":set mouse on\r")
    try await session.settle { $0.contains("post 1 of 3") && !$0.contains(":set") }
    #expect(await reportsMouse())
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try configure("set mouse off\n")
    let quiet = try ProgramUnderTest.start([path], home: home)
    try await quiet.settle { $0.contains("#0 harbour") }
    #expect(await quiet.snapshot.modes[1006] != true)
    await quiet.send("q")
    #expect(try await quiet.waitForExit() == .exited(0))
  }
}
