import HTTP
import TestSupport
import Testing

@testable import HTTPTransport

/// Invalid responses, each with its message.
@Suite(.timeLimit(.minutes(10))) struct BadAnswerTests {
  typealias Step = MisbehavingServer.Step

  private static func raw(_ text: String) -> Step { .send(Array(text.utf8)) }

  private static let answers: [(steps: [Step], message: String)] = [
    ([], "cannot reach 127.0.0.1: it closed the connection without an answer"),
    ([raw("<html>hello</html>")], "not a valid HTTP answer: it begins with no status line of HTTP"),
    ([raw("HTTP/1.1\r\n\r\n")], "not a valid HTTP answer: it begins with no status line of HTTP"),
    ([raw("HTTP/1.1 200 OK\r\n")], "not a valid HTTP answer: it ends before its headers do"),
    (
      [raw("HTTP/1.1 200 OK\r\nContent-Length: 5")],
      "not a valid HTTP answer: it ends before its headers do"
    ),
    (
      [raw("HTTP/9.9 200 OK\r\n\r\nabc")],
      "not a valid HTTP answer: it begins with no status line of HTTP"
    ),
    (
      [raw("HTTP/1.1 99 No\r\n\r\n")],
      "not a valid HTTP answer: it begins with no status line of HTTP"
    ),
    ([raw("HTTP/1.1 999 Odd\r\n\r\nabc")], "HTTP status 999"),
    (
      [raw("HTTP/1.1 20 Odd\r\n\r\nabc")],
      "not a valid HTTP answer: it begins with no status line of HTTP"
    ),
    (
      [raw("ICY 200 OK\r\n\r\nabc")],
      "not a valid HTTP answer: it begins with no status line of HTTP"
    ),
    (
      [raw("\u{1B}[2J\u{7}\r\n\r\n")],
      "not a valid HTTP answer: it begins with no status line of HTTP"
    ),
    (
      [raw("HTTP/1.1 103 Early\r\n\r\n")],
      "cannot reach 127.0.0.1: it closed the connection without an answer"
    ),
    (
      [raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc")],
      "not a valid HTTP answer: it switches to another protocol"
    ),
    ([.head(status: 204, length: 9)], "fetched"),
    ([.head(status: 304)], "HTTP status 304 (not modified)"),
    ([.head(status: 206), raw("abc")], "fetched"),
    ([.head(status: 205)], "fetched"),
    ([.head(status: 200, length: 10), raw("abc")], "ended after 3 of 10 bytes"),
    ([.head(status: 200, length: 3), raw("abcdef")], "fetched"),
    (
      [.head(fields: [("Content-Length", "-5")]), raw("abc")],
      "not a valid HTTP answer: its headers cannot be read"
    ),
    ([.head(fields: [("Content-Length", "99999999999999999999999")]), raw("abc")], "fetched"),
    (
      [.head(fields: [("Content-Length", "9223372036854775807")]), raw("abc")],
      "larger than the limit of 64 MB"
    ),
    (
      [.head(fields: [("Content-Length", "3"), ("Content-Length", "4")]), raw("abc")],
      "not a valid HTTP answer: it gives two different lengths"
    ),
    (
      [.head(fields: [("Content-Length", "x")]), raw("abc")],
      "not a valid HTTP answer: its headers cannot be read"
    ),
    ([.head(status: 204, fields: [("Content-Length", "9223372036854775807")])], "fetched"),
    (
      [.head(fields: [("Transfer-Encoding", "chunked")]), raw("4\r\nab")], "broke off after 2 bytes"
    ),
    (
      [.head(fields: [("Transfer-Encoding", "chunked")]), raw("xyz\r\n")],
      "not a valid HTTP answer: its chunks cannot be read"
    ),
    (
      [.head(fields: [("Transfer-Encoding", "chunked")]), raw("FFFFFFFFFFFFFFFFFF\r\na")],
      "not a valid HTTP answer: its chunks cannot be read"
    ),
    (
      [.head(fields: [("Transfer-Encoding", "chunked")]), raw("7fffffffffffffff\r\na")],
      "broke off after 1 byte"
    ),
    (
      [.head(fields: [("Transfer-Encoding", "chunked")]), raw("-1\r\na")],
      "not a valid HTTP answer: its chunks cannot be read"
    ),
    (
      [.head(fields: [("Transfer-Encoding", "squeezed")]), raw("abc")],
      "not a valid HTTP answer: its compression cannot be read"
    ),
    // As in browsers.
    ([.head(fields: [("Content-Encoding", "squeezed")]), raw("abc")], "fetched"),
    (
      [.head(fields: [("Content-Encoding", "gzip")]), raw("abc")],
      "not a valid HTTP answer: its compression cannot be read"
    ),
    ([.head(fields: [("Content-Encoding", "gzip")])], "fetched"),
    (
      [.head(fields: [("Content-Encoding", "br")]), raw("abcdefgh")],
      "not a valid HTTP answer: its compression cannot be read"
    ),
    (
      [
        .head(fields: [("Content-Encoding", "gzip, gzip, gzip, gzip, gzip, gzip, gzip")]), raw("a"),
      ], "not a valid HTTP answer: its compression cannot be read"
    ),
    (Step.redirect(to: "/a"), "redirected more than 3 times"),
    (Step.redirect(to: ""), "not a valid HTTP answer: it redirects without saying where"),
    ([.head(status: 302)], "not a valid HTTP answer: it redirects without saying where"),
    (Step.redirect(to: "http://"), "not a valid HTTP answer: it redirects to an invalid address"),
    (Step.redirect(to: "http://["), "not a valid HTTP answer: it redirects to an invalid address"),
    (Step.redirect(to: "http:///x"), "not a valid HTTP answer: it redirects to an invalid address"),
    (Step.redirect(to: "//"), "not a valid HTTP answer: it redirects to an invalid address"),
    (Step.redirect(to: ":"), "HTTP status 404 (not found)"),
    (
      Step.redirect(to: "http://127.0.0.1:99999/"),
      "not a valid HTTP answer: it redirects to an invalid address"
    ),
    (
      Step.redirect(to: "http://127.0.0.1:0/"),
      "not a valid HTTP answer: it redirects to an invalid address"
    ),
    (
      Step.redirect(to: "http://a b/"),
      "not a valid HTTP answer: it redirects to an invalid address"
    ),
    (
      Step.redirect(to: "http://a%00b/"),
      "not a valid HTTP answer: it redirects to an invalid address"
    ),
    (
      Step.redirect(to: "ftp://tide.example/"),
      "“ftp:” cannot be fetched, only http: and https: can"
    ),
    (
      Step.redirect(to: "file:///etc/passwd"),
      "“file:” cannot be fetched, only http: and https: can"
    ),
    (
      Step.redirect(to: "data:text/plain,a"), "“data:” cannot be fetched, only http: and https: can"
    ),
    (
      Step.redirect(to: "javascript:alert(1)"),
      "“javascript:” cannot be fetched, only http: and https: can"
    ),
    (
      Step.redirect(to: "http://me:hunter2@["),
      "not a valid HTTP answer: it redirects to an invalid address"
    ),
    (
      Step.redirect(to: "ftp://me:hunter2@tide.example/"),
      "“ftp:” cannot be fetched, only http: and https: can"
    ),
    ([.head(status: 300)], "HTTP status 300 (multiple choices)"),
    ([.head(status: 305, fields: [("Location", "/b")])], "HTTP status 305"),
  ]

  @Test(arguments: answers.indices) func messagesAreTrue(_ index: Int) async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    let (steps, message) = Self.answers[index]
    server.route("/a", steps)
    var limits = HTTPLimits()
    limits.maximumRedirects = 3
    let request = HTTPRequest(url: server.url("/a"), reach: .everywhere, limits: limits)
    var said = "fetched"
    do throws(HTTPError) {
      _ = try await CurlTransport(userAgent: "tideline/test").fetch(request)
    } catch {
      said = "\(error)"
    }
    #expect(said.replacing(":\(server.port)", with: "") == message)
  }
}
