import TestSupport
import Testing

/// A post whose pictures stand between its paragraphs, on the screen of the real program. The
/// scroll bar is not compared: its length depends on the pictures off the screen that have arrived.
@Suite(.ownThreads) struct BlockScreenTests {
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    for path in ["/pier.png", "/buoy.png"] {
      server.route(path, MisbehavingServer.Step.response(body: TestPicture.png))
    }
    server.route("/missing.png", MisbehavingServer.Step.response(status: 404))
  }

  private func feed() throws -> String {
    let words = "The gauge at the pier was read at dusk, when the tide had turned."
    let items = (1...3).map { number in
      """
      <item><title>Reading \(number)</title><guid>r\(number)</guid><description><![CDATA[
      <p>\(words)</p><p><img src="\(server.url("/pier.png"))" alt="The pier at dusk"></p>
      <p>Second paragraph. \(words)</p>
      <figure><img src="\(server.url("/buoy.png"))" alt="A buoy"><figcaption>Seen from the \
      ferry</figcaption></figure>
      <ul><li>High water</li><li>Low water</li></ul>
      <img src="\(server.url("/missing.png"))" alt="Lost"><p>Last paragraph of \(number).</p>
      ]]></description></item>
      """
    }
    return try home.write(
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title>\
      \(items.joined())</channel></rss>
      """, to: "harbour.xml")
  }

  @Test(arguments: [60, 100, 160]) func picturesStandInTheText(columns: Int) async throws {
    let session = try ProgramUnderTest.start(
      [feed()], home: home, size: TerminalSize(columns: columns, rows: 30))
    try await session.settle { $0.contains("post 1 of 3") && $0.hasPicture }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot.withoutLastColumn, matches: "blocks-\(columns)-top")
    // Into the post, by lines and by a page.
    await session.send(String(repeating: TerminalKey.control("e"), count: 7) + " ")
    try await session.settle { !$0.contains("Reading 1") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot.withoutLastColumn, matches: "blocks-\(columns)-page")
    await session.send("G")
    try await session.settle { $0.contains("Last paragraph of 3.") }
    try await session.waitUntilIdle()
    try expectScreen(await session.snapshot.withoutLastColumn, matches: "blocks-\(columns)-end")
  }
}
