import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Links that a browser opens on the terminal: it has the screen and the keys until it ends.
@Suite(.ownThreads) struct TextBrowserTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Writes a script that behaves like such a browser: it takes the screen, shows the page, reads a
  /// key and restores the terminal. `body` runs with the key in `$key`.
  private func browser(_ body: String = "", named name: String = "w3m") throws {
    let script = """
      #!/bin/sh
      echo $$ > \(home.path)/begun
      [ -t 0 ] && [ -t 1 ] && [ -t 2 ] || exit 90
      before=$(stty -g)
      stty -icanon -echo min 1
      printf '\\033[?1049h\\033[?1003h\\033[?25l\\033[2J\\033[HPage of %s' "$1"
      key=$(dd bs=1 count=1 2>/dev/null)
      \(body)
      printf '\\033[?25h\\033[?1003l\\033[?1049l'
      stty "$before"
      echo "$key" >> \(home.path)/keys
      """
    let path = try home.write(script, to: "bin/" + name)
    try #require(chmod(path, 0o755) == 0)
  }

  private var path: String { "\(home.path)/bin:/usr/bin:/bin" }

  private func timeline() throws -> String {
    let posts = (1...3).map {
      TestTimeline.json([
        "id": "\($0)", "title": "Post \($0)", "content_text": "Text.",
        "url": "https://127.0.0.1/\($0)",
      ])
    }
    return try home.write(posts.joined(separator: "\n") + "\n", to: "tides.jsonl")
  }

  private func open(_ environment: [String: String]) async throws -> TerminalSession {
    let session = try ProgramUnderTest.start(
      [timeline()], home: home, environment: ["PATH": path].merging(environment) { $1 })
    try await session.settle { $0.contains("post 1 of 3") }
    return session
  }

  private func expectRestored(_ session: TerminalSession) async throws {
    let screen = await session.snapshot
    #expect(!screen.isAlternate && screen.isCursorVisible)
    let left = [1000, 1002, 1003, 1006, 2004].filter { screen.modes[$0] == true }
    #expect(left.isEmpty)
    #expect(try await session.isCooked())
  }

  private func read(_ name: String) -> String {
    (try? String(contentsOfFile: home.path + "/" + name, encoding: .utf8)) ?? ""
  }

  /// Whether the browser that was started last still runs.
  private var browserRuns: Bool {
    guard let line = read("begun").split(separator: "\n").first, let process = Int32(line) else {
      return false
    }
    return kill(process, 0) == 0
  }

  @Test(arguments: [
    ("w3m", "w3m"), ("lynx -nonums %s", "-"), ("elinks", "elinks"), ("no-such:links %s", "links"),
    ("sh -c 'exec browsh \"$1\"' _ %s", "browsh"),
  ])
  func theBrowserBorrowsTheScreen(browsers: String, name: String) async throws {
    // An option before the address is shown as the page.
    let isOption = name == "-"
    try browser(named: isOption ? "lynx" : name)
    let session = try await open(["BROWSER": browsers])
    let before = await session.snapshot
    for key in ["x", "q"] {
      let count = await session.transcript.count
      await session.send("o")
      let page = try await session.settle {
        $0.contains(isOption ? "Page of -nonums" : "Page of https://127.0.0.1/1")
      }
      #expect(!page.contains("post 1 of 3") && !page.contains("opens http"))
      await session.send(key)
      let after = try await session.settle { !$0.contains("Page of") && $0.contains("post 1 of 3") }
      #expect(after.list(rows: 22) == before.list(rows: 22))
      #expect(!after.contains("not opened") && !after.contains("opens http"))
      #expect(after.modes[1003] != true && after.modes[1002] == true)
      // The terminal's capabilities are known and not queried again.
      #expect(await !session.hasWritten("\u{1B}[>0q", after: count))
    }
    #expect(read("keys") == "x\nq\n", "keys are the browser's while it runs")
    await session.send("j")
    try await session.settle { $0.contains("post 2 of 3") }
    await session.send("q")
    // No answer of the terminal is missing: the program would wait 5 seconds for it.
    #expect(try await session.waitForExit(within: .seconds(4)) == .exited(0))
    try await expectRestored(session)
  }

  @Test func canBeSet() async throws {
    try browser(named: "reader")
    let session = try await open([:])
    await session.send(":set opener reader %s\r")
    await session.send(":set opener-terminal on\ro")
    try await session.settle { $0.contains("Page of https://127.0.0.1/1") }
    await session.send("x")
    try await session.settle { $0.contains("post 1 of 3") }
    await session.send(":set opener-terminal off\ro")
    try await session.settle { $0.contains("not opened: reader ended with status 90") }
  }

  @Test(arguments: [
    ("exit 3", "not opened: w3m ended with status 3"),
    ("kill -9 $$", "not opened: w3m was ended by signal 9"),
    ("kill -SEGV $$", "not opened: w3m was ended by signal 11"),
  ])
  func crashesAreReportedAndRepaired(body: String, told: String) async throws {
    try browser(body)
    let session = try await open(["BROWSER": "w3m"])
    await session.send("o")
    try await session.settle { $0.contains("Page of") }
    await session.send("x")
    let after = try await session.settle { $0.contains(told) }
    #expect(after.contains("post 1 of 3") && !after.contains("Page of"))
    #expect(!after.contains("opens http"))
    #expect(after.modes[1003] != true && after.isAlternate)
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  @Test func failuresToStartAreReported() async throws {
    let session = try await open(["BROWSER": "w3m:lynx", "PATH": "/no/such/folder"])
    await session.send("o")
    let after = try await session.settle { $0.contains("not opened: w3m cannot be started: No") }
    #expect(!after.contains("opens http") && after.contains("Post 1"))
  }

  /// The program ends after the browser, even if the browser ignores signals.
  @Test(arguments: [SIGTERM, SIGHUP], ["", "trap '' TERM HUP; read line"])
  func aSignalEndsBoth(signal: Int32, body: String) async throws {
    try browser(body)
    let session = try await open(["BROWSER": "w3m"])
    await session.send("o")
    try await session.settle { $0.contains("Page of") }
    if !body.isEmpty {
      await session.send("x")
      try await session.settle()
    }
    await session.send(signal: signal)
    // On a busy machine the time to end is over before the browser has ended.
    let status = try await session.waitForExit()
    #expect(status == .exited(128 + signal) || status == .signalled(signal))
    try await expectRestored(session)
    #expect(!browserRuns)
  }

  /// Ctrl-C ends only the browser.
  @Test func interruptsGoToTheBrowser() async throws {
    try browser()
    let session = try await open(["BROWSER": "w3m"])
    await session.send("o")
    try await session.settle { $0.contains("Page of") }
    await session.send(TerminalKey.control("c"))
    let after = try await session.settle { $0.contains("post 1 of 3") && !$0.contains("Page of") }
    #expect(after.contains("not opened: w3m was ended by signal 2"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await expectRestored(session)
  }

  /// In a shell with job control, both stop and both continue.
  @Test(arguments: [TerminalKey.control("z"), "s"])
  func stoppingStopsBoth(key: String) async throws {
    try browser(
      "while [ \"$key\" = s ]; do kill -STOP $$; key=$(dd bs=1 count=1 2>/dev/null); done")
    let script = #"set -m; "$0" "$@"; echo "has stopped"; read line; $line; wait; echo "has ended""#
    let session = try ProgramUnderTest.start(
      by: script, [timeline()], home: home, environment: ["PATH": path, "BROWSER": "w3m"])
    try await session.settle { $0.contains("post 1 of 3") }
    await session.send("o")
    try await session.settle { $0.contains("Page of") }
    await session.send(key)
    try await session.waitFor(text: "has stopped")
    #expect(try await session.isCooked(), "whatever the browser had set")
    let deadline = ContinuousClock.now + TerminalSession.patience
    while await !session.hasEveryDescendantStopped(), .now < deadline {
      try await session.watch(for: .milliseconds(5))
    }
    await session.send("fg\n")
    // Until then the terminal gathers keys to lines. What the shell prints depends on its version.
    while try await session.isCooked(), .now < deadline {
      try await session.watch(for: .milliseconds(20))
    }
    await session.send("x")
    try await session.settle { $0.isAlternate && $0.contains("post 1 of 3") }
    await session.send("q")
    try await session.waitFor(text: "has ended")
    try await expectRestored(session)
  }
}
