import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Files and folders named by options, and failures of standard output.
@Suite(.ownThreads) struct OutputFileTests {
  private let home: TemporaryFolder
  private let posts: String

  init() throws {
    home = try TemporaryFolder()
    posts = try home.write(TestTimeline.lines(3), to: "tides.jsonl")
    try home.write("source tides \(posts)\n", to: "config/tideline/config")
  }

  private func run(_ arguments: [String]) async throws -> PipedRun.Result {
    try await ProgramUnderTest.run(arguments, home: home, workingFolder: home.path)
  }

  /// Runs the program by a script of bash, in which it is `"$0" "$@"`.
  private func run(by script: String, _ arguments: [String]) async throws -> PipedRun.Result {
    try await PipedRun.run(
      path: "/bin/bash",
      arguments: ["--norc", "--noprofile", "-c", script, try ProgramUnderTest.path()] + arguments,
      environment: ProgramUnderTest.environment(home: home), workingFolder: home.path)
  }

  /// Expects one error line that contains all of `parts`, and no output.
  private func expectRefusal(
    _ result: PipedRun.Result, _ status: Int32, _ parts: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == .exited(status), sourceLocation: sourceLocation)
    let lines = result.errorText.split(separator: "\n")
    #expect(
      lines.count == 1 && lines[0].hasPrefix("tideline: ") && result.text == "",
      "\(result.errorText)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(
        result.errorText.contains(part), "\(result.errorText)", sourceLocation: sourceLocation)
    }
  }

  /// Arguments of runs that use these options and need no terminal.
  private var plain: [String] { ["--plain", posts] }
  private let demo = ["demo", "slack", "--frames", "--rows", "0-0"]

  // MARK: Files that are written

  @Test(arguments: ["--trace", "--log-file"])
  func unwritableFilesAreReported(option: String) async throws {
    let before = try files
    expectRefusal(try await run(plain + [option]), 64, [option])
    expectRefusal(try await run(plain + [option, ""]), 64, [option, "empty"])
    for path in [home.path, home.path + "/no/folder/x", "/proc/x", posts + "/x"] {
      expectRefusal(
        try await run(plain + [option, path]), 74, [option, "\(path): cannot be written"])
    }
    expectRefusal(try await run(demo + [option, "/proc/x"]), 74, [option, "/proc/x: cannot"])
    for way in [plain, demo] {
      let null = try await run(way + [option, "/dev/null"])
      #expect(null.status == .exited(0) && null.errorText == "" && null.text != "")
    }
    #expect(try files == before)
  }

  @Test func theLastOfTwoOptionsCounts() async throws {
    let result = try await run(["--plain", posts, "--trace", "one", "--trace", "two"])
    #expect(result.status == .exited(0))
    let made = try files
    #expect(made.contains("two") && !made.contains("one"))
  }

  @Test(arguments: ["--trace", "--log-file"])
  func inputFilesAreNotOverwritten(option: String) async throws {
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/link", withDestinationPath: posts)
    try FileManager.default.linkItem(atPath: posts, toPath: home.path + "/hard")
    let settings = home.path + "/config/tideline/config"
    let archive = try home.write(#"{"orderedItems":[]}"#, to: "archive/outbox.json")
    let inputs = [posts, settings, archive]
    let kept = try inputs.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let uses: [(script: String, arguments: [String])] = [
      (#""$0" "$@""#, [posts, option, posts]), (#""$0" "$@""#, ["link", option, posts]),
      (#""$0" "$@""#, [posts, option, "./link"]), (#""$0" "$@""#, [posts, option, "hard"]),
      (#""$0" "$@""#, ["tides", option, posts]),
      (#""$0" "$@" <tides.jsonl"#, ["-", option, posts]),
      (#""$0" "$@" <tides.jsonl"#, [option, "/dev/fd/0"]),
      (#""$0" "$@" 3<tides.jsonl"#, ["/dev/fd/3", option, "tides.jsonl"]),
      (#""$0" "$@""#, [posts, option, settings]), (#""$0" "$@""#, ["archive", option, archive]),
      (#""$0" "$@""#, [posts, "--config", settings, option, settings]),
      (#""$0" "$@""#, ["demo", "slack", "--frames", option, settings]),
    ]
    for use in uses {
      let result = try await run(by: use.script, use.arguments)
      expectRefusal(result, 64, [option, "is used already"])
    }
    let both = try await run(["--plain", posts, "--trace", "both", "--log-file", "both"])
    expectRefusal(both, 64, ["--trace: both is used already"])
    let now = try inputs.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(now == kept)
  }

  @Test func anExistingTraceIsEmptied() async throws {
    let trace = try home.write(String(repeating: "old\n", count: 1_000), to: "trace")
    #expect(try await run(["--plain", posts, "--trace", trace]).status == .exited(0))
    #expect(try String(contentsOfFile: trace, encoding: .utf8) == "")
  }

  @Test(arguments: ["--trace", "--log-file"])
  func aFullDiskFailsAtTheEnd(option: String) async throws {
    let (path, server) = try postWithPicture()
    defer { server.stop() }
    let session = try ProgramUnderTest.start(
      [path, option, "/dev/full"], home: home, size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.hasPicture && !$0.contains("↓") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(74))
    let isTold = await session.snapshot
      .contains("tideline: \(option): /dev/full: cannot be written: No space left on device")
    #expect(isTold)
  }

  /// A timeline of one post with a picture that is cached on disk, and its server.
  private func postWithPicture() throws -> (path: String, server: MisbehavingServer) {
    let server = try MisbehavingServer()
    let picture = TestPicture.numbered(columns: 8, rows: 4)
    server.answer { _ in
      [.head(length: picture.count, fields: [("Cache-Control", "max-age=9999")]), .send(picture)]
    }
    let post = TestTimeline.json(["title": "#0 harbour", "image": server.url("/0.png")])
    return (try home.write(post + "\n", to: "pictures.jsonl"), server)
  }

  /// With any umask.
  @Test(arguments: ["0", "777"]) func writtenFilesArePrivate(umask: String) async throws {
    let (path, server) = try postWithPicture()
    defer { server.stop() }
    let session = try ProgramUnderTest.start(
      by: "umask \(umask); exec \"$0\" \"$@\"",
      [path, "--trace", home.path + "/trace", "--log-file", home.path + "/log"], home: home)
    try await session.settle { $0.hasPicture && !$0.contains("↓") }
    await session.send(":source mine \(path)\r")
    try await session.settle { $0.contains("kept: from now on") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    var count = 0
    for name in try files {
      let isMade = ["state", "cache", "trace", "log"].contains { name.hasPrefix($0) }
      guard isMade else { continue }
      var status = stat()
      #expect(lstat(home.path + "/" + name, &status) == 0)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      #expect(status.st_mode & 0o7777 == (isFolder ? 0o700 : 0o600), "\(name)")
      if !isFolder { count += 1 }
    }
    // The last timeline, the place, the picture, the trace and the log.
    #expect(count == 5)
  }

  // MARK: Files and folders that are read

  @Test func unreadableSettingsAre66() async throws {
    expectRefusal(try await run(plain + ["--config"]), 64, ["--config"])
    expectRefusal(try await run(plain + ["--config", ""]), 64, ["--config", "empty"])
    for path in [home.path, "/dev/zero", "no/folder/x"] {
      expectRefusal(try await run(plain + ["--config", path]), 66, ["--config: \(path): "])
    }
    for way in [plain, demo, ["--check-config"], ["--keys"], ["--list-sources"], ["--list-themes"]]
    {
      expectRefusal(try await run(way + ["--config", "none"]), 66, ["--config: none: No such"])
    }
    let now = try files
    #expect(!now.contains("none") && !now.contains("no"))
  }

  @Test func unusableCacheFoldersAre74() async throws {
    let before = try files
    expectRefusal(try await run(plain + ["--cache-dir"]), 64, ["--cache-dir"])
    expectRefusal(try await run(plain + ["--cache-dir", ""]), 64, ["--cache-dir", "empty"])
    for path in [posts + "/x/y", "/dev/null", "tides.jsonl"] {
      expectRefusal(
        try await run(plain + ["--cache-dir", path]), 74, ["--cache-dir: \(path): Not a directory"])
    }
    for way in [plain, demo] {
      expectRefusal(try await run(way + ["--cache-dir", posts]), 74, ["--cache-dir: \(posts): "])
      #expect(try await run(way + ["--cache-dir", "not/yet"]).status == .exited(0))
    }
    expectRefusal(try await run(["cache", "info", "--cache-dir", ""]), 64, ["--cache-dir"])
    expectRefusal(try await run(["cache", "info", "--cache-dir", posts]), 66, [posts])
    for action in ["info", "clear"] {
      let none = try await run(["cache", action, "--cache-dir", "not/yet"])
      #expect(none.status == .exited(0) && none.text.contains("0 pictures"))
    }
    // No folder is created before there is something to keep.
    #expect(try files == before)
  }

  private var files: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: home.path).sorted() }
  }

  // MARK: Standard output

  private static let printing = [
    ["--version"], ["--help"], ["demo", "--help"], ["cache", "--help"], ["--check-config"],
    ["--keys"], ["--list-sources"], ["--list-themes"], ["cache", "info"], ["cache", "clear"],
    ["demo", "--list"],
    ["demo", "slack", "--frames", "--rows", "0-1"], ["--generate-completion-script", "fish"],
    ["tides", "--plain"], ["tides", "--json"], ["tides", "--plain", "--filter", "nothing-fits"],
  ]

  @Test(arguments: printing) func aFullDiskIs74(arguments: [String]) async throws {
    expectRefusal(
      try await run(by: #""$0" "$@" >/dev/full"#, arguments), 74,
      ["standard output: cannot be written: No space left on device"])
  }

  @Test(arguments: printing) func aClosedPipeIsNoFailure(arguments: [String]) async throws {
    let result = try await run(by: #"exec 4> >(:); wait $!; "$0" "$@" >&4"#, arguments)
    #expect(result.status == .exited(0) && result.errorText == "")
  }
}
