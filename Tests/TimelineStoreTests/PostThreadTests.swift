import Feeds
import HTTP
import HTTPTransport
import TestSupport
import Testing

@testable import TimelineStore

/// Conversations, put together from posts and requested from servers.
@Suite struct PostThreadTests {
  private func post(_ id: String, answering parent: String? = nil, url: String? = nil) -> Post {
    var post = Post(id: id)
    post.inReplyTo = parent
    post.url = url
    return post
  }

  private func text(_ thread: PostThread) -> String {
    let above = thread.ancestors.map(\.id).joined(separator: " ")
    let below = thread.answers.map { "\($0.depth)\($0.post.id)" }.joined(separator: " ")
    return "\(above) | \(below)"
  }

  @Test func answersFollowTheirParents() {
    let posts = [
      post("a"), post("b", answering: "a"), post("me", answering: "b"), post("c", answering: "me"),
      post("other"), post("d", answering: "c"), post("e", answering: "me"),
      post("f", answering: "https://x.example/e"),
    ]
    let thread = PostThread(of: posts[2], among: posts, isWhole: false)
    #expect(text(thread) == "a b | 1c 2d 1e")
    var named = posts
    named[6].url = "https://x.example/e"
    #expect(text(PostThread(of: posts[2], among: named, isWhole: false)) == "a b | 1c 2d 1e 2f")
    for index in named.indices {
      named[index].idInFeed = named[index].id
      named[index].id = "feed#\(named[index].id)"
    }
    #expect(
      text(PostThread(of: named[2], among: named, isWhole: false))
        == "feed#a feed#b | 1feed#c 2feed#d 1feed#e 2feed#f")
  }

  /// Their answers are looked through once, not once for each of them.
  @Test(.timeLimit(.minutes(1))) func manyPostsMayHaveOneName() {
    let doubles = (0..<2_500).map { _ in post("x", answering: "me") }
    let answers = (0..<2_499).map { post("\($0)", answering: "x") }
    let thread = PostThread(of: post("me"), among: doubles + answers, isWhole: false)
    #expect(thread.answers.count == 4_999)
    #expect(thread.answers.map(\.depth).max() == 2)
  }

  @Test func noPostOfAServerIsDropped() {
    // The server has its own numbers, and one post between was deleted.
    let posts = [
      post("1"), post("2", answering: "1"), post("4", answering: "3"), post("5", answering: "4"),
      post("6", answering: "gone"),
    ]
    let own = post("elsewhere", answering: "2")
    let thread = PostThread(of: own, key: "3", among: posts, isWhole: true)
    #expect(text(thread) == "1 2 | 14 25 16")
    #expect(text(PostThread(of: own, among: [], isWhole: true)) == " | ")
    let listed = [post("p"), post("me"), post("x"), post("y", answering: "x")]
    #expect(text(PostThread(of: post("me"), among: listed, isWhole: true)) == "p | 1x 1y")
  }

  @Test func threadsAreMerged() {
    var thread = PostThread(
      of: post("me"), among: [post("a", answering: "me")], isWhole: false)
    thread.merge(
      PostThread(
        of: post("me", answering: "r"),
        among: [post("r"), post("a", answering: "me"), post("b", answering: "me")], isWhole: false))
    #expect(text(thread) == "r | 1a 1b")
  }

  /// Whatever posts say they answer, each appears once, and the search ends.
  @Test(arguments: UInt64(1)...40)
  func cyclesEnd(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &random)
    let posts = (0..<count).map { index in
      post(
        "\(index)",
        answering: Bool.random(using: &random)
          ? "\(Int.random(in: 0..<count, using: &random))" : nil)
    }
    for isWhole in [false, true] {
      let thread = PostThread(of: posts[0], among: posts, isWhole: isWhole)
      let ids = thread.ancestors.map(\.id) + thread.answers.map(\.post.id)
      #expect(Set(ids).count == ids.count && !ids.contains("0"), "seed \(seed)")
      if isWhole { #expect(ids.count == count - 1, "seed \(seed)") }
      for (index, answer) in thread.answers.enumerated() where answer.depth > 1 {
        let parent = thread.answers[..<index].last { $0.depth == answer.depth - 1 }
        #expect(parent?.post.id == answer.post.inReplyTo, "seed \(seed)")
      }
    }
  }

  // MARK: Servers

  @Test(
    arguments: [
      ("https://sea.example/@gauge/123", "https://sea.example/api/v1/statuses/123/context"),
      (
        "https://sea.example/users/gauge/statuses/123",
        "https://sea.example/api/v1/statuses/123/context"
      ),
      ("http://127.0.0.1:81/@a/9", "http://127.0.0.1:81/api/v1/statuses/9/context"),
      ("https://sea.example/notice/AbC1", "https://sea.example/api/v1/statuses/AbC1/context"),
      (
        "https://bsky.app/profile/gauge.example/post/3k2",
        "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread"
          + "?uri=at://gauge.example/app.bsky.feed.post/3k2&depth=10&parentHeight=80"
      ),
      ("https://sea.example/@gauge/123/embed", nil), ("https://sea.example/@gauge/12x", nil),
      ("https://sea.example/2024/01/123", nil), ("https://sea.example/", nil),
      ("ftp://sea.example/@gauge/123", nil), ("https://sea.example/@gauge/..%2f", nil),
      ("https://bsky.app/profile/a&b/post/3k2", nil), ("javascript:/@a/1", nil), ("", nil),
    ] as [(String, String?)])
  func onlyKnownServersAreAsked(address: String, asked: String?) {
    var post = post("x", url: address)
    post.reach = .privateAddresses
    let question = ThreadReader.question(about: post)
    #expect(question?.link.url == asked)
    #expect(question == nil || question?.format == .bluesky || question?.link.reach == post.reach)
    #expect((ThreadReader.server(of: post) == nil) == (asked == nil))
  }

  private func reader() -> ThreadReader {
    ThreadReader(transport: CurlTransport(userAgent: "tideline/test"))
  }

  @Test func aServersThreadIsRead() async throws {
    let server = try MisbehavingServer()
    func status(_ id: String, _ parent: String?) -> String {
      let answered = parent.map { "\"\($0)\"" } ?? "null"
      return
        "{\"id\":\"\(id)\",\"created_at\":\"2024-01-01T00:00:00Z\",\"in_reply_to_id\":\(answered),"
        + "\"content\":\"<p>status \(id)</p>\",\"account\":{\"id\":\"1\",\"acct\":\"a\"},"
        + "\"uri\":\"https://sea.example/\(id)\",\"media_attachments\":[]}"
    }
    let body =
      "{\"ancestors\":[\(status("1", nil))],\"descendants\":[\(status("4", "3")),\(status("5", "4"))]}"
    server.route(
      "/api/v1/statuses/3/context",
      MisbehavingServer.Step.response(type: "application/json", body: Array(body.utf8)))
    var own = post("https://elsewhere.example/3", answering: "1", url: server.url("/@a/3"))
    own.reach = .privateAddresses
    let thread = try await reader().thread(of: own)
    #expect(thread.map(text) == "1 | 14 25")
    #expect(thread?.answers.first?.post.reach == .privateAddresses)
    #expect(server.seen.paths == ["/api/v1/statuses/3/context"])
    server.stop()
  }

  @Test func refusalsAreReported() async throws {
    let server = try MisbehavingServer()
    server.route("/api/v1/statuses/3/context", MisbehavingServer.Step.response(status: 401))
    server.route(
      "/api/v1/statuses/4/context",
      MisbehavingServer.Step.response(type: "text/html", body: Array("<html>no".utf8)))
    for (number, reason) in [(3, "HTTP status 401"), (4, "")] {
      var own = post("x", url: server.url("/@a/\(number)"))
      own.reach = .privateAddresses
      do throws(SourceError) {
        let thread = try await reader().thread(of: own)
        Issue.record("\(number): \(thread.map(text) ?? "nil")")
      } catch {
        #expect(error.message.contains(reason) && error.message.contains("/api/v1/statuses"))
      }
    }
    server.stop()
  }

  /// A document from the network cannot refer to this machine.
  @Test func publicPostsCannotReachLocalhost() async throws {
    let server = try MisbehavingServer()
    do throws(SourceError) {
      _ = try await reader().thread(of: post("x", url: server.url("/@a/3")))
      Issue.record("it was asked")
    } catch {
      #expect(server.seen.paths.isEmpty)
    }
    server.stop()
  }
}
