import Feeds
import TestSupport
import Testing

/// Very many posts and feeds.
@Suite(.ownThreads) struct PostBoundTests {
  typealias Step = MisbehavingServer.Step

  /// The documents of `Scripts/hostile`, which measures the memory, are forty times as long.
  @Test func theRestOfAnAnswerIsReported() async throws {
    let home = try TemporaryFolder()
    let server = try MisbehavingServer()
    let text = String(repeating: "x\n\n", count: 50_010)
    server.route("/notes", Step.response(type: "text/plain", body: Array(text.utf8)))
    let result = try await ProgramUnderTest.run(
      ["--plain", "--format", "text", server.url("/notes")], home: home)
    #expect(result.status == .exited(0))
    #expect(result.output.count { $0 == UInt8(ascii: "x") } == 50_000)
    #expect(
      result.errorText.hasSuffix(
        "/notes: only the first 50000 posts are kept, the maximum\n"))
    server.stop()
  }

  /// More than 500 feeds with a post each, and no more descriptors than a shell may allow.
  @Test func aListMayNameVeryManyFeeds() async throws {
    let home = try TemporaryFolder()
    let server = try MisbehavingServer()
    let feed = "{\"title\":\"t\",\"items\":[{\"id\":\"a\",\"content_text\":\"tide\"}]}"
    server.answer { path in
      path.hasPrefix("/feed")
        ? Step.response(type: "application/feed+json", body: Array(feed.utf8)) : nil
    }
    let outlines = (0..<520).map { "<outline xmlUrl=\"\(server.url("/feed\($0)"))\"/>" }
    let path = try home.write(
      "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>", to: "feeds.opml")
    let result = try await ProgramUnderTest.run(["--json", path], home: home)
    #expect(result.status == .exited(0) && result.errorText.isEmpty)
    #expect(result.text.split(separator: "\n").count == 520)
    server.stop()
  }

  /// A document that is read row by row, whose items share a few ids.
  @Test func printedIDsAreUnique() async throws {
    let home = try TemporaryFolder()
    let text = String(repeating: "The tide rises and falls. ", count: 2_000)
    var random = SeededGenerator(seed: 11)
    let choices = ["a", "a#2", "a#2#2", "a#3", "b \"\\"]
    let ids = (0..<90).map { _ in choices.randomElement(using: &random) ?? "" }
    let items = ids.enumerated().map { number, id in
      "<item><guid>\(id)</guid><title>\(number % 2 == 0 ? "even" : "odd")</title>"
        + "<description><![CDATA[\(text)]]></description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>"
    #expect(feed.utf8.count > 4 << 20)
    let path = try home.write(feed, to: "feed.xml")
    for (arguments, step) in [([], 1), (["--filter", "odd"], 2)] {
      let result = try await ProgramUnderTest.run(["--json", path] + arguments, home: home)
      #expect(result.status == .exited(0) && result.errorText.isEmpty)
      let printed = result.text.split(separator: "\n").map { $0.prefix { $0 != "," } }
      var unique = UniqueIDs()
      let expected = stride(from: step - 1, to: 90, by: step).map { number in
        var post = Post(id: ids[number])
        unique.number(&post)
        let escaped = post.id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "{\"id\":\"\(escaped)\""
      }
      #expect(printed.map(String.init) == expected && Set(expected).count == expected.count)
    }
  }
}
