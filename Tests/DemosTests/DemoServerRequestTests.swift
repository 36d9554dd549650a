import Testing

@testable import Demos

@Suite struct DemoServerRequestTests {
  private func parse(_ text: String) -> DemoServerRequest.Parsing {
    DemoServerRequest.parse(Array(text.utf8))
  }

  @Test func aRequestIsReadWhenItsHeadIsComplete() {
    let text = "GET /a/b.png?x=1 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n"
    let request = DemoServerRequest(method: "GET", path: "/a/b.png", staysOpen: true)
    #expect(parse(text) == .request(request, length: text.utf8.count))
    #expect(parse(text + "GET /") == .request(request, length: text.utf8.count))
    for count in 0..<text.utf8.count {
      #expect(DemoServerRequest.parse(Array(text.utf8.prefix(count))) == .incomplete)
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nconnection: Close\r\n\r\n",
    "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])
  func someConnectionsEndWithTheirAnswer(text: String) {
    guard case .request(let request, _) = parse(text) else {
      Issue.record("not a request")
      return
    }
    #expect(!request.staysOpen && request.path == "/")
  }

  @Test(arguments: [
    "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "get / HTTP/1.1\r\n\r\n",
    "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
    "GET / HTTP/1.1\r\n: x\r\n\r\n", "\u{0}\u{1}\u{ff}\r\n\r\n", " / HTTP/1.1\r\n\r\n",
  ])
  func nonsenseIsToldApart(text: String) {
    #expect(parse(text) == .nonsense)
  }

  @Test func aHeadHasALimit() {
    let start = "GET / HTTP/1.1\r\nX: "
    let room = DemoServerRequest.limit - start.utf8.count - 4
    let longest = start + String(repeating: "x", count: room) + "\r\n\r\n"
    guard case .request = parse(longest) else {
      Issue.record("the longest head is refused")
      return
    }
    #expect(parse(start + String(repeating: "x", count: room + 1) + "\r\n\r\n") == .nonsense)
    #expect(parse(String(repeating: "x", count: DemoServerRequest.limit)) == .nonsense)
  }
}
