import Glibc
import TestSupport
import Testing

/// Terminals that answer queries after the first frame, or never: the program does not wait for them,
/// and its screen ends up as on a terminal that answers at once.
@Suite(.ownThreads) struct LateAnswerTests {
  private let home: TemporaryFolder
  private let path: String
  private static let size = TerminalSize(columns: 60, rows: 20, cellWidth: 9, cellHeight: 15)

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(TestTimeline.lines(40), to: "tides.jsonl")
  }

  private func open(
    _ personality: TerminalPersonality, answersLate: Bool, _ arguments: [String] = [],
    environment: [String: String] = [:]
  ) throws -> TerminalSession {
    var personality = personality
    personality.holdsAnswers = answersLate
    return try ProgramUnderTest.start(
      ["--no-state"] + arguments + [path], home: home, environment: environment, size: Self.size,
      personality: personality)
  }

  private static func light(_ personality: TerminalPersonality) -> TerminalPersonality {
    var personality = personality
    personality.background = "rgb:ffff/ffff/ffff"
    return personality
  }

  private func leave(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await session.isCooked())
    let screen = await session.snapshot
    #expect(!screen.isAlternate && screen.isCursorVisible)
  }

  private static let personalities: [TerminalPersonality] = [
    .xterm, light(.xterm), .indexed256, light(.foot), .sixel, .xtermSixel, .kitty, .iterm2,
  ]

  @Test(arguments: personalities.indices)
  func theFirstFrameIsCorrectedByTheAnswers(number: Int) async throws {
    let personality = Self.personalities[number]
    let late = try open(personality, answersLate: true)
    let first = try await late.settle { $0.contains("post 1 of 40") }
    #expect(first.isAlternate)
    #expect(await late.heldAnswers > 0, "nothing was answered by then")
    let count = await late.transcript.count
    await late.releaseAnswers()
    let punctual = try open(personality, answersLate: false)
    let expected = try await punctual.settle { $0.contains("post 1 of 40") }
    let corrected = try await late.settle { $0.contains("post 1 of 40") }
    #expect(
      corrected.withoutLastColumn.cells == expected.withoutLastColumn.cells, "\(corrected.text)")
    let erasures = String(decoding: await late.transcript[count...], as: UTF8.self)
      .matches(of: /\u{1B}\[H?\u{1B}?\[?2?J/).count
    #expect(erasures <= 1, "redrawn once")
    // What the screen has learnt holds for later frames.
    for session in [late, punctual] { await session.send("jj ") }
    let (moved, wanted) = (try await late.settle(), try await punctual.settle())
    #expect(moved.withoutLastColumn.cells == wanted.withoutLastColumn.cells, "\(moved.text)")
    for session in [late, punctual] { try await leave(session) }
  }

  /// Pictures are symbols at first, and then what the terminal draws, at its proportions.
  @Test(arguments: [TerminalPersonality.sixel, .kitty, .iterm2].indices)
  func picturesAreDrawnByTheAnswers(number: Int) async throws {
    let personality = [TerminalPersonality.sixel, .kitty, .iterm2][number]
    let timeline = try PictureTimeline(in: home)
    func start(late: Bool) throws -> TerminalSession {
      var personality = personality
      personality.holdsAnswers = late
      return try timeline.start(
        ["--allow-private-addresses", "--no-state"], personality: personality)
    }
    let late = try start(late: true)
    try await late.settle { $0.contains("post 1 of 30") }
    await late.releaseAnswers()
    let punctual = try start(late: false)
    for session in [late, punctual] {
      try await session.settle { $0.contains("post 1 of 30") }
      for key in ["j", "j", "g"] { await session.send(key) }
    }
    let expected = try await punctual.settle(quiet: .milliseconds(400))
    let corrected = try await late.settle(quiet: .milliseconds(400))
    // The thumb depends on the rows that were measured before.
    #expect(corrected.withoutLastColumn.text == expected.withoutLastColumn.text)
    if personality.version.hasPrefix("foot") { await timeline.expectCovered(late, "corrected") }
    for session in [late, punctual] { try await leave(session) }
  }

  /// Keys act before the answers; these move nothing.
  @Test func keysDoNotWaitForAnswers() async throws {
    let session = try open(Self.light(.sixel), answersLate: true)
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("jjj")
    try await session.settle { $0.contains("post 4 of 40") }
    await session.releaseAnswers()
    let screen = try await session.settle { $0.contains("of 40") }
    #expect(screen.contains("post 4 of 40") && !screen.contains("does nothing"), "\(screen.text)")
    try await leave(session)
  }

  @Test func aTerminalThatNeverAnswersShowsTheTimeline() async throws {
    let session = try open(.mute, answersLate: false)
    try await session.settle { $0.contains("post 1 of 40") }
    await session.send("j")
    try await session.settle { $0.contains("post 2 of 40") }
    try await leave(session)
  }

  /// Answers that come while the program leaves reach neither the screen nor the shell.
  @Test(arguments: ["q", TerminalKey.control("c"), "TERM"])
  func answersDuringTheEndAreDropped(ending: String) async throws {
    let session = try open(.xterm, answersLate: true)
    try await session.settle { $0.contains("post 1 of 40") }
    let count = await session.transcript.count
    if ending == "TERM" { await session.send(signal: SIGTERM) } else { await session.send(ending) }
    try await session.waitFor(written: "\u{1B}[?1049l", after: count)
    await session.releaseAnswers()
    try await session.waitForExit()
    #expect(try await session.isCooked())
    let after = await session.snapshot
    #expect(!after.isAlternate && !after.contains("62;22c") && !after.contains("rgb:"))
  }

  /// A stop drops the answers; the queries are sent again, and their answers are used.
  @Test func aStopBeforeTheAnswers() async throws {
    let script = "set -m; \"$0\" \"$@\"; echo has stopped; read line; $line; wait"
    var personality = Self.light(.xterm)
    personality.holdsAnswers = true
    let session = try ProgramUnderTest.start(
      by: script, ["--no-state", path], home: home, size: Self.size, personality: personality)
    try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    let program = try #require(await session.childProcess)
    kill(program, SIGTSTP)
    try await session.waitFor(text: "has stopped")
    await session.dropAnswers()
    let count = await session.transcript.count
    await session.send("fg\n")
    try await session.waitFor(written: "\u{1B}[c", after: count)
    let punctual = try open(Self.light(.xterm), answersLate: false)
    let expected = try await punctual.settle { $0.contains("post 1 of 40") }
    let screen = try await session.settle { $0.isAlternate && $0.contains("post 1 of 40") }
    #expect(screen.withoutLastColumn.cells == expected.withoutLastColumn.cells, "\(screen.text)")
    try await leave(punctual)
  }

  /// The content fails while the terminal answers: it was never taken over.
  @Test(arguments: [false, true]) func aFailureBeforeTheFirstFrame(answersLate: Bool) async throws {
    let page = try home.write("<!DOCTYPE html><html><body>Hi</body></html>", to: "page.html")
    var personality = TerminalPersonality.xterm
    personality.holdsAnswers = answersLate
    let session = try ProgramUnderTest.start(
      [page], home: home, size: TerminalSize(columns: 200, rows: 20), personality: personality)
    #expect(try await session.waitForExit() == .exited(65))
    #expect(await !session.hasWritten("\u{1B}[?1049h"))
    #expect(await session.snapshot.contains("HTML"))
    #expect(try await session.isCooked())
  }
}
