import TestSupport
import Testing

/// Statuses on the screen of the real program, with content hidden behind warnings.
@Suite(.ownThreads) struct SocialScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func status(_ id: Int, _ text: String, _ more: String = "") -> String {
    """
    {"id":"\(id)","created_at":"2019-12-08T03:48:33.901Z","content":"<p>\(text)</p>","reblog":null,
     "account":{"acct":"gauge","username":"gauge","display_name":"Harbour gauge","url":"https://tideline.example/@gauge"},
     "replies_count":\(id),"favourites_count":40,"media_attachments":[]\(more.isEmpty ? "" : ",")\(more)}
    """
  }

  private func open(_ statuses: [String], columns: Int = 60, rows: Int = 24) throws
    -> TerminalSession
  {
    let path = try home.write("[" + statuses.joined(separator: ",\n") + "]\n", to: "home.json")
    return try ProgramUnderTest.start(
      [path], home: home, size: TerminalSize(columns: columns, rows: rows))
  }

  private var everything: [String] {
    let quoted = status(90, "Quoted words of the gauge, a little longer than the narrow screen")
    return [
      status(
        1, "Which way?",
        """
        "poll":{"expires_at":"2019-12-09T00:00:00Z","options":[{"title":"Ebb","votes_count":3},{"title":"Flood","votes_count":1}]},
        "card":{"url":"https://charts.example/","title":"Charts"}
        """),
      status(2, "See this", "\"quote\":{\"state\":\"accepted\",\"quoted_status\":\(quoted)}"),
      status(3, "Hidden words", "\"spoiler_text\":\"Storm ahead\",\"sensitive\":true"),
      status(
        4, "Folded words",
        "\"filtered\":[{\"filter\":{\"title\":\"sport\",\"filter_action\":\"hide\"}}]"),
    ]
  }

  @Test(arguments: [("statuses-wide", 64, 30), ("statuses-narrow", 24, 44)])
  func everyPartIsLaidOut(golden: String, columns: Int, rows: Int) async throws {
    let session = try open(everything, columns: columns, rows: rows)
    try await session.settle { $0.contains("filtered: sport") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot, matches: golden)
  }

  @Test func openingAPostKeepsItsWarningState() async throws {
    let link = "Hidden <a href='https://sea.example/end'>words</a>"
    let warned = status(3, link, "\"spoiler_text\":\"Storm ahead\",\"sensitive\":true")
    let session = try open([warned, status(5, "Another")])
    try await session.settle { $0.contains("x shows it") }
    await session.send(TerminalKey.enter)
    let covered = try await session.settle { $0.contains("published") }
    // Links do not reveal hidden content either.
    #expect(!covered.contains("words") && !covered.contains("sea.example"))
    await session.send("x")
    try await session.settle { $0.contains("link 1") && $0.contains("sea.example/end") }
    await session.send("xu")
    let listed = try await session.settle { $0.contains("1 link") }
    #expect(!listed.contains("sea.example"))
    await session.send("qq")
    try await session.settle { !$0.contains("published") }
    await session.send("x" + TerminalKey.enter)
    try await session.settle { $0.contains("published") && $0.contains("Hidden words") }
  }

  @Test func aThreadsFailureIsShown() async throws {
    let session = try open([status(3, "Alone", "\"url\":\"http://127.0.0.1:9/@gauge/3\"")])
    try await session.settle { $0.contains("Alone") }
    await session.send(TerminalKey.enter)
    let detail = try await session.settle { $0.contains("the thread could not be read: ") }
    #expect(!detail.contains("/context"))
  }

  @Test func warningsCanBeToggled() async throws {
    let rest = (5...30).map { status($0, "Status \($0)") }
    let session = try open([everything[2]] + rest)
    let before = try await session.settle { $0.contains("⚠ Storm ahead · x shows it") }
    #expect(!before.contains("Hidden words"))
    #expect(before.contains("x shows what is hidden"))
    await session.send("x")
    let shown = try await session.settle { $0.contains("Hidden words") }
    #expect(shown.line(0) == before.line(0))
    #expect(shown.contains("x hides it again"))
    await session.send("x")
    let after = try await session.settle { !$0.contains("Hidden words") }
    #expect(after.list(rows: 22) == before.list(rows: 22))
    await session.send("jx")
    try await session.settle { $0.contains("nothing is hidden in this post") }
    // The status names the key that the user has bound.
    await session.send(":unbind x\r:bind X toggle-cover\rk")
    try await session.settle { $0.contains("X shows what is hidden") }
  }

  @Test func revealedPostsStayAndNothingAboveMoves() async throws {
    let rest = (5...60).map { status($0, "Status \($0)") }
    let session = try open(Array(rest[..<3]) + [everything[2]] + Array(rest[3...]))
    try await session.settle { $0.contains("⚠ Storm ahead") }
    await session.send("4G")
    let before = try await session.settle { $0.contains("post 4 of") && $0.line(1).contains("⚠") }
    await session.send("x")
    let shown = try await session.settle { $0.contains("Hidden words") }
    #expect(shown.line(0) == before.line(0))
    await session.send("G")
    try await session.settle { $0.contains("Status 60") }
    await session.send("4G")
    let again = try await session.settle { $0.contains("post 4 of") && $0.contains("Hidden") }
    #expect(again.line(0) == before.line(0))
  }

  @Test func hiddenPicturesAreNotFetched() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/p.png", MisbehavingServer.Step.response(body: TestPicture.png))
    let media =
      "\"media_attachments\":[{\"type\":\"image\",\"url\":\"\(server.url("/p.png"))\",\"meta\":null}]"
    let text = status(1, "Words").replacing("\"media_attachments\":[]", with: media)
    let session = try open([text.replacing("\"reblog\":null", with: "\"sensitive\":true")])
    let before = try await session.settle { $0.contains("⚠ sensitive · x shows it") }
    #expect(before.contains("Words") && !before.hasPicture)
    try await session.waitUntilIdle()
    #expect(server.seen.paths.isEmpty)
    await session.send("x")
    try await session.settle { $0.hasPicture }
  }
}
