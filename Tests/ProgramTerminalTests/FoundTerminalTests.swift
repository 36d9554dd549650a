import Glibc
import TestSupport
import Testing

/// Terminals that reply late or in pieces, that were left in a strange state, or that have no
/// alternate screen.
@Suite(.ownThreads) struct FoundTerminalTests {
  private let home: TemporaryFolder
  private let path: String

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  /// A terminal whose replies the test sends; the program waits `milliseconds` for them.
  private func openMute(
    term: String = "xterm-256color", milliseconds: Int, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    var personality = TerminalPersonality.mute
    personality.term = term
    var environment = environment
    environment["TIDELINE_PROBE_MILLISECONDS"] = "\(milliseconds)"
    return try ProgramUnderTest.start(
      [path], home: home, environment: environment, size: TerminalSize(columns: 60, rows: 20),
      personality: personality)
  }

  private func leave(_ session: TerminalSession, by key: String = "q") async throws {
    await session.send(key)
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await session.isCooked())
  }

  /// Replies of urxvt, whose strings end with a lone ESC.
  @Test(arguments: [1, 60_000]) func anEscapeThatEndsAStringIsNoKey(milliseconds: Int) async throws
  {
    let session = try openMute(milliseconds: milliseconds)
    let started = milliseconds == 1 ? "post 1 of 40" : "\u{1B}[c"
    try await session.waitFor(written: started)
    let colors = ["10;rgb:ffff/ffff/ffff", "11;rgb:0000/0000/0000", "4;0;rgb:1/1/1"]
    await session.send(colors.map { "\u{1B}]\($0)\u{1B}" }.joined() + "\u{1B}[?1;2c")
    await session.send("\u{1B}]11;rgb:0000/0000/0000\u{1B}")
    let screen = try await session.settle { $0.contains("post 1 of 40") }
    #expect(!screen.contains("does nothing"))
    await session.send(TerminalKey.escape)
    try await session.waitFor(text: "Esc does nothing here")
    try await leave(session)
  }

  /// Pieces with more than a second between them, after the program has stopped waiting.
  @Test(arguments: [
    ["\u{1B}[?62;", "4;22c"], ["\u{1B}[<0;10", ";5M"], ["\u{1B}[M *", "%"],
    ["\u{1B}[", "?2026;2$y"],
    ["\u{1B}P>|XTe", "rm(379)\u{1B}\\"], ["\u{1B}]11;rgb:0000/", "0000/0000\u{1B}", "\\"],
    ["\u{1B}_Gi=31;", "OK\u{1B}\\"], ["\u{1B}[200~q", "q\rq", "\u{1B}[20", "1~"],
  ]) func piecesOfRepliesAreNoKeys(pieces: [String]) async throws {
    let session = try openMute(milliseconds: 1)
    try await session.settle { $0.contains("post 1 of 40") }
    for piece in pieces {
      await session.send(piece)
      try await session.watch(for: .milliseconds(1200))
    }
    let screen = await session.snapshot
    // A mouse report selects the post at its position.
    #expect(screen.contains("of 40") && !screen.contains("does nothing"))
    await session.send("gj")
    try await session.waitFor(text: "post 2 of 40")
    try await leave(session)
  }

  /// After a timeout the program reports it, and keys work again.
  @Test func aPasteWithoutAnEndIsDropped() async throws {
    let session = try openMute(milliseconds: 1)
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("\u{1B}[200~Gq")
    try await session.waitFor(text: "the paste did not end")
    await session.send("q more of it\u{1B}[201~")
    await session.send("j")
    try await session.waitFor(text: "post 2 of 40")
    try await leave(session)
  }

  /// Replies that arrive while the program exits are neither echoed nor left for the shell.
  @Test func lateRepliesDoNotReachTheShell() async throws {
    let session = try openMute(milliseconds: 5000)
    try await session.waitFor(written: "\u{1B}[c")
    await session.send("\u{1B}[6;18;9t\u{1B}[?62;22c")
    try await session.settle { $0.contains("post 1 of 40") }
    let count = await session.transcript.count
    try await session.resize(columns: 70, rows: 22)
    try await session.waitFor(written: "\u{1B}[16t\u{1B}[c", after: count)
    await session.send("q")
    try await session.waitFor(written: "\u{1B}[?1049l")
    await session.send("\u{1B}[6;18;9t\u{1B}[?62;22c")
    #expect(try await session.waitForExit() == .exited(0))
    let after = await session.snapshot
    #expect(!after.contains("62;22c"))
    #expect(try await session.isCooked())
  }

  @Test(arguments: [
    "vte-256color", "gnome-256color", "konsole-256color", "mlterm", "st-256color", "foot-extra",
    "contour", "wezterm", "tmux-direct",
  ]) func modernTerminalsAreQueried(term: String) async throws {
    let session = try openMute(term: term, milliseconds: 60_000)
    try await session.waitFor(written: "\u{1B}[>0q")
    try await session.waitFor(written: "\u{1B}[c")
    await session.send("\u{1B}[?62;22c")
    try await session.settle { $0.contains("post 1 of 40") }
    #expect(await !session.hasWritten("\u{1B}_"))
    try await leave(session)
  }

  // MARK: The last row

  /// - Returns: the folder of a terminfo entry without an alternate screen.
  private func withoutAlternateScreen(_ changes: String = "") async throws -> String {
    let entry = try home.write(
      "tide-plain|test,\n\tsmcup@, rmcup@,\(changes) use=xterm-256color,\n", to: "plain.ti")
    let compiled = try await PipedRun.run(
      path: "/usr/bin/env", arguments: ["tic", "-x", "-o", home.path + "/terminfo", entry],
      environment: ProgramUnderTest.environment(home: home))
    #expect(compiled.status == .exited(0), "\(compiled.errorText)")
    return home.path + "/terminfo"
  }

  @Test(arguments: ["q", TerminalKey.control("c"), "TERM", "ABRT"])
  func withoutAnAlternateScreenTheLastRowIsCleared(ending: String) async throws {
    var personality = TerminalPersonality.xterm
    personality.term = "tide-plain"
    let session = try ProgramUnderTest.start(
      [path], home: home, environment: ["TERMINFO": try await withoutAlternateScreen()],
      size: TerminalSize(columns: 60, rows: 20), personality: personality)
    let before = try await session.settle { $0.contains("post 1 of 40") }
    #expect(!before.isAlternate && !before.line(19).allSatisfy { $0 == " " })
    switch ending {
    case "TERM": await session.send(signal: SIGTERM)
    case "ABRT": await session.send(signal: SIGABRT)
    default: await session.send(ending)
    }
    try await session.waitForExit()
    let after = await session.snapshot
    let cursor = [after.cursorRow, after.cursorColumn]
    #expect(cursor == [19, 0])
    #expect(after.line(19).allSatisfy { $0 == " " }, "\(after.text)")
    #expect(after.isCursorVisible)
  }

  // MARK: The terminal's initial state

  /// Margins, character sets, insert mode and disabled wrapping: the screen equals that of a fresh
  /// terminal, also after a stop.
  @Test(arguments: [
    #"\033[5;10r"#, #"\033[?69h\033[10;30s"#, #"\033(0"#, #"\033)0\016"#, #"\033[4h"#,
    #"\033[5;10r\033[?6h"#, #"\033[?7l"#, #"\033[20h"#,
    #"\033(0\016\033[4h\033[?69h\033[10;30s\033[5;10r\033[?6h\033[?7l\033[20h"#,
  ]) func leftoverModesAreReset(sequences: String) async throws {
    func open(_ before: String) async throws -> (TerminalSession, ScreenSnapshot) {
      let script =
        "set -m; printf '\(before)'; \"$0\" \"$@\"; printf '\(before)'; echo has stopped; "
        + "read line; printf '\(before)'; $line; wait"
      let session = try ProgramUnderTest.start(
        by: script, [path], home: home, size: TerminalSize(columns: 60, rows: 20))
      return (session, try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") })
    }
    let (_, plain) = try await open("")
    let (session, found) = try await open(sequences)
    // What is measured at rest moves the scroll bar.
    let isPlain = found.withoutLastColumn.cells == plain.withoutLastColumn.cells
    #expect(isPlain, "\(found.text)")
    let program = try #require(await session.childProcess)
    kill(program, SIGTSTP)
    try await session.waitFor("the shell's screen") { !$0.isAlternate }
    let count = await session.transcript.count
    await session.send("fg\n")
    try await session.waitFor(written: "\u{1B}[?1049h", after: count)
    let again = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    let isPlainAgain = again.withoutLastColumn.cells == plain.withoutLastColumn.cells
    #expect(isPlainAgain, "\(again.text)")
  }

  /// A terminal that did not use UTF-8, recognized by showing the two bytes of an é in two columns,
  /// does not use it afterwards either.
  @Test(arguments: [(2, "q"), (3, "q"), (3, "TERM")])
  func theEncodingIsRestored(columns: Int, ending: String) async throws {
    let session = try openMute(milliseconds: 60_000)
    try await session.waitFor(written: "\u{1B}[c")
    #expect(await session.hasWritten("\u{1B}%G"))
    await session.send("\u{1B}[1;\(columns)R\u{1B}[1;3R\u{1B}[1;3R\u{1B}[?62;22c")
    try await session.settle { $0.contains("post 1 of 40") }
    let count = await session.transcript.count
    if ending == "TERM" { await session.send(signal: SIGTERM) } else { await session.send(ending) }
    try await session.waitForExit()
    let isGivenBack = await session.hasWritten("\u{1B}%@", after: count)
    #expect(isGivenBack == (columns == 3))
  }
}
