import FoundationEssentials
import TestSupport
import Testing

/// Commands by name and the user's own keys, in the real program.
@Suite(.ownThreads) struct CommandPromptScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func open(
    _ options: [String] = [], columns: Int = 90, rows: Int = 20
  ) async throws -> TerminalSession {
    let path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
    let session = try ProgramUnderTest.start(
      options + [path], home: home, size: TerminalSize(columns: columns, rows: rows))
    try await session.settle { $0.contains("#0 harbour") }
    return session
  }

  private func expectEnd(_ session: TerminalSession, status: Int32 = 0) async throws {
    #expect(try await session.waitForExit() == .exited(status))
    let screen = await session.snapshot
    #expect(!screen.isAlternate && screen.isCursorVisible)
    #expect(try await session.isCooked())
  }

  @Test func commandsAreTypedAfterAColon() async throws {
    let session = try await open()
    let before = await session.snapshot
    #expect(!before.isCursorVisible)
    await session.send(":")
    let prompt = try await session.settle { $0.line(18) == " :" }
    #expect(prompt.isCursorVisible && prompt.cursorRow == 18 && prompt.cursorColumn == 2)
    #expect(prompt.list(rows: 18) == before.list(rows: 18))
    await session.send("toggle-c" + TerminalKey.tab)
    let completed = try await session.settle { $0.line(18) == " :toggle-cover" }
    #expect(completed.line(19).contains("toggle-cover: show what a content warning"))
    await session.send(TerminalKey.enter)
    try await session.settle { $0.line(18).contains("nothing is hidden in this post") }
    await session.send(":12 top" + TerminalKey.enter)
    let twelfth = try await session.settle { $0.contains("post 12 of 40") }
    #expect(twelfth.line(0).contains("#11 harbour") && !twelfth.isCursorVisible)
    await session.send(":" + TerminalKey.up + TerminalKey.up)
    try await session.settle { $0.line(18) == " :toggle-cover" }
    await session.send(TerminalKey.escape)
    try await session.settle { $0.contains("post 12 of 40") }
    await session.send(":topp" + TerminalKey.enter)
    try await session.settle { $0.line(18).contains("no command is called 'topp'; nearest: top") }
    await session.send(":inspect" + TerminalKey.enter)
    try await session.settle { $0.contains("F12 closes") }
    await session.send(":wider" + TerminalKey.enter + ":inspect" + TerminalKey.enter)
    try await session.settle { !$0.contains("F12 closes") }
    await session.send(":quit" + TerminalKey.enter)
    try await expectEnd(session)
  }

  @Test func demosHaveAPrompt() async throws {
    let session = try ProgramUnderTest.start(
      ["demo", "tweets", "--pictures", "off"], home: home,
      size: TerminalSize(columns: 90, rows: 20))
    try await session.settle { $0.contains(" 1 of ") }
    await session.send(":end" + TerminalKey.enter)
    try await session.settle { !$0.contains(" 1 of ") }
    await session.send(":back" + TerminalKey.enter)
    try await expectEnd(session)
  }

  @Test func aTerminalOfThreeRowsHasAPrompt() async throws {
    let session = try await open(columns: 40, rows: 3)
    let before = await session.snapshot
    await session.send(":9 next")
    let prompt = try await session.settle { $0.line(2) == " :9 next" }
    #expect(Array(prompt.lines.prefix(2)) == Array(before.lines.prefix(2)))
    await session.send(TerminalKey.escape)
    try await session.settle { $0.lines == before.lines }
    await session.send(":quit" + TerminalKey.enter)
    try await expectEnd(session)
  }

  // MARK: The configuration

  @Test func keysAreReadFromTheUsersFile() async throws {
    try home.write(
      """
      # what I am used to
      bind J end
      bind gg top          # as in other programs
      bind ctrl-t align-top
      bind f5 reload
      unbind q
      """, to: "config/tideline/config")
    let session = try await open()
    // The last line shows the keys as they are bound, and no command without a key.
    let first = try await session.settle { $0.contains("post 1 of 40") }
    let hint = " j k posts  Enter opens  o link  / finds  Space b pages  F filters"
    #expect(first.contains(hint))
    #expect(!first.contains("q quit"))
    await session.send("J")
    try await session.settle { $0.contains("post 40 of 40") }
    await session.send("gg")
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("4j" + TerminalKey.control("t"))
    let aligned = try await session.settle { $0.contains("post 5 of 40") }
    #expect(aligned.line(0).contains("#4 harbour"))
    await session.send("\u{1B}[15~")
    try await session.settle { $0.contains("reloaded") || $0.contains("nothing to reload") }
    await session.send("q?")
    let help = try await session.settle { $0.contains("First keys") }
    #expect(help.contains("post 5 of 40"), "q does nothing")
    #expect(help.contains("? or Esc closes this page"))
    await session.send("G")
    try await session.settle { $0.contains("next section of the panel") }
    await session.send("?" + TerminalKey.control("c"))
    try await expectEnd(session, status: 130)
    #expect(await !session.snapshot.contains("tideline:"), "nothing is wrong with it")
  }

  /// The other lines take effect, and the program continues.
  @Test func badLinesAreShownOnScreenAndOnExit() async throws {
    let path = try home.write(
      "bind J end\nbind K topp\nbind pagedown end\nbind ctrl-c top\n", to: "mine/keys")
    let session = try await open(["--config", path], columns: 160)
    let first = "2: no command is called 'topp'; nearest: top"
    try await session.settle { $0.line(18).contains(" keys:\(first) (2 more in :messages)") }
    await session.send("J")
    let end = try await session.settle { $0.contains("post 40 of 40") }
    #expect(!end.contains("topp"))
    await session.send(TerminalKey.control("c"))
    try await expectEnd(session, status: 130)
    let screen = await session.snapshot
    let lines = [
      first, "3: no key is called 'pagedown'; nearest: page-down", "4: Ctrl-C cannot be bound",
    ]
    for line in lines {
      #expect(screen.lines.contains("tideline: \(path):\(line)"), "\(screen.text)")
    }
  }

  @Test(arguments: ["config/tideline", ""]) func badFilesAreNotFatal(folder: String)
    async throws
  {
    // A folder in place of the file, or binary data.
    if folder.isEmpty {
      try home.write(
        (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "config/tideline/config")
    } else {
      try home.write("", to: folder + "/config/file")
    }
    let session = try await open(columns: 120)
    try await session.settle {
      $0.line(18).contains(folder.isEmpty ? "larger than 64 KiB" : "not a file")
    }
    await session.send("q")
    try await expectEnd(session)
  }
}
