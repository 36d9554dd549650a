import TestSupport
import Testing

/// Logs that the system's tools rotate, overwrite, truncate and recreate while the real program
/// shows them.
@Suite(.ownThreads) struct RotationScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func shell(_ script: String) async throws {
    let result = try await PipedRun.run(
      path: "/bin/sh", arguments: ["-ec", script], environment: ["PATH": "/usr/bin:/bin"],
      workingFolder: home.path)
    #expect(result.status == .exited(0), "\(script): \(result.errorText)")
  }

  @Test(arguments: [
    ("mv log log.1; : > log", "the old one"), ("mv log log.1", "was deleted"),
    ("rm log", "was deleted"), (": > log", "was cut to 0 bytes"),
    ("truncate -s 0 log", "was cut to 0 bytes"), ("printf '' > new; mv new log", "the old one"),
  ])
  func linesAppendedLaterShow(_ script: String, _ message: String) async throws {
    try home.write("old words\n", to: "log")
    let session = try ProgramUnderTest.start(
      [home.path + "/log"], home: home, size: TerminalSize(columns: 120, rows: 20))
    try await session.settle { $0.contains("old words") && $0.contains("post 1 of 1") }
    try await shell(script)
    // The old content stays until there is new content.
    let between = try await session.settle { $0.contains(message) }
    #expect(between.contains("old words"))
    try await shell("echo 'new words' >> log")
    let after = try await session.settle { $0.contains("new words") }
    #expect(!after.contains("old words") && !after.contains(message) && !after.contains("empty"))
    try await shell("echo 'and more' >> log")
    try await session.settle { $0.contains("and more") }
    try await session.waitUntilIdle(within: .seconds(20))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test(arguments: [
    "printf 'new words\\n' > new; cp new log", "printf 'new words\\n' > new; mv new log",
    "printf 'new words\\n\\nand many more of them\\n' > new; cat new > log",
    "mv log log.1; printf 'new words\\n' > log",
  ])
  func newContentsShowAtOnce(_ script: String) async throws {
    try home.write("old words of the log\n", to: "log")
    let session = try ProgramUnderTest.start([home.path + "/log"], home: home)
    try await session.settle { $0.contains("old words") && $0.contains("post 1 of 1") }
    try await shell(script)
    let after = try await session.settle { $0.contains("new words") }
    #expect(!after.contains("old words"))
  }

  /// A writer that does not append continues at its offset in a truncated file.
  @Test func aHoleIsMarkedBeforeLaterLines() async throws {
    try home.write("old words\n", to: "log")
    let session = try ProgramUnderTest.start([home.path + "/log"], home: home)
    try await session.settle { $0.contains("old words") }
    try await shell(
      "truncate -s 0 log; printf 'new words\\n' | dd of=log bs=1 seek=3000000 conv=notrunc"
    )
    let after = try await session.settle { $0.contains("new words") }
    #expect(after.contains("a hole of 3000000 zero bytes") && !after.contains("old words"))
  }

  @Test func aTextWithZeroBytesIsText() async throws {
    try await shell(
      "printf 'first line\\nhalf a li' > log; head -c 5000 /dev/zero >> log; "
        + "printf 'after the crash\\nwith\\0 one\\n' >> log")
    let session = try ProgramUnderTest.start([home.path + "/log"], home: home)
    let screen = try await session.settle { $0.contains("post 1 of 2") }
    #expect(screen.contains("half a li") && screen.contains("⚠ a hole of 5000 zero bytes"))
    #expect(screen.contains("after the crash") && screen.contains("with one"))
    let pipe = try await ProgramUnderTest.run(
      ["--plain", home.path + "/log"], home: home)
    #expect(pipe.status == .exited(0) && pipe.text.contains("a hole of 5000 zero bytes"))
  }
}
