import FoundationEssentials
import TestSupport
import Testing

/// A password in a URL is sent to its origin and appears nowhere.
@Suite(.ownThreads) struct PasswordTests {
  typealias Step = MisbehavingServer.Step

  private let home: TemporaryFolder
  private let server: MisbehavingServer
  private let other: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
    other = try MisbehavingServer()
  }

  private func url(_ path: String) -> String {
    "http://me:hunter2@127.0.0.1:\(server.port)\(path)"
  }

  /// Serves a feed with addresses in every field, relative ones and ones with passwords of their
  /// own.
  private func routeFeed() {
    let away = "http://you:hunter3@127.0.0.1:\(other.port)"
    let body = """
      {"version":"https://jsonfeed.org/version/1.1","title":"T","home_page_url":"http://you:hunter3@127.0.0.1:\(server.port)/",
      "feed_url":"http://you:hunter3@127.0.0.1:\(server.port)/feed","icon":"\(away)/icon.png","next_url":"/older","items":[
      {"id":"1","url":"http://you:hunter3@127.0.0.1:\(server.port)/1","external_url":"\(away)/e","image":"picture.png",
      "content_html":"<p>One <a href='\(away)/a'>link</a> <a href='b'>near</a></p><img src='\(away)/i.png'>",
      "author":{"name":"A","url":"\(away)/u","avatar":"\(away)/avatar.png"},
      "attachments":[{"url":"\(away)/f.pdf","mime_type":"application/pdf"},
      {"url":"//you:hunter3@127.0.0.1:\(other.port)/g.pdf","mime_type":"application/pdf"}]}]}
      """
    server.route("/feed", Step.response(type: "application/feed+json", body: Array(body.utf8)))
    server.route("/picture.png", Step.response(type: "image/png", body: TestPicture.png))
    server.route(
      "/older",
      Step.response(body: Array("{\"items\":[{\"id\":\"2\",\"content_text\":\"Two\"}]}".utf8)))
  }

  /// All files below the home folder.
  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: home.path).compactMap { path in
      FileManager.default.contents(atPath: home.path + "/" + path).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  @Test func passwordsGoToTheirOriginOnly() async throws {
    routeFeed()
    let session = try ProgramUnderTest.start(
      [
        url("/feed"), "--trace", home.path + "/trace.jsonl", "--log-file", home.path + "/log",
      ], home: home, size: TerminalSize(columns: 120, rows: 40))
    var screens = [try await session.settle { $0.contains("post 1 of 2") && $0.hasPicture }]
    await session.send("i")
    screens.append(try await session.settle())
    await session.send("q")
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    for screen in screens { #expect(!screen.text.contains("hunter"), "\(screen.text)") }
    let kept = try files()
    #expect(kept.contains { $0.contains("http://127.0.0.1:\(server.port)/feed\n") })
    for text in kept { #expect(!text.contains("hunter"), "\(text)") }
    // me:hunter2
    #expect(Set(server.seen.paths) == ["/feed", "/picture.png", "/older"])
    for head in server.seen.heads {
      #expect(head.contains("Authorization: Basic bWU6aHVudGVyMg==\r\n"))
    }
    for head in server.seen.heads + other.seen.heads {
      #expect(!head.contains("hunter") && !head.lowercased().contains("referer"))
    }
    #expect(!other.seen.heads.isEmpty)
    for head in other.seen.heads { #expect(!head.lowercased().contains("authorization")) }
    server.stop()
    other.stop()
  }

  @Test func noneIsPrinted() async throws {
    routeFeed()
    server.route("/away", Step.redirect(to: "http://you:hunter3@127.0.0.1:\(other.port)/x"))
    server.route("/odd", Step.redirect(to: "ftp://you:hunter3@127.0.0.1/x"))
    server.route("/bad", Step.redirect(to: "http://you:hunter3@[/x"))
    for arguments in [
      [url("/feed"), "--json"], [url("/feed"), "--plain"], [url("/missing")], [url("/away")],
      [url("/odd")], [url("/bad")], [url("/feed"), url("/missing")],
      ["http://me:hunter2@127.0.0.1:99999/"], ["http://me:hunter2@127.0.0.1:1/"],
      ["http://me:hunter2/x@127.0.0.1/"], ["http:/me:hunter2@127.0.0.1/"], ["ftp://me:hunter2@a/"],
      ["file://me:hunter2@a/b"], ["http://me:hunter2@"], ["demo", "http://me:hunter2@a/"],
    ] {
      let result = try await ProgramUnderTest.run(arguments, home: home)
      #expect(!result.text.contains("hunter"), "\(arguments): \(result.text)")
      #expect(!result.errorText.contains("hunter"), "\(arguments): \(result.errorText)")
    }
    server.stop()
    other.stop()
  }
}
