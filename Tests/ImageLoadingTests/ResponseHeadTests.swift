import Testing

@testable import HTTPTransport

@Suite struct ResponseHeadTests {
  private func events(_ lines: [String], _ head: inout ResponseHead) -> [ResponseHead.Event] {
    lines.map { head.take(Array(($0 + "\r\n").utf8)) }
  }

  /// RFC 9112, 5.2.
  @Test(arguments: [" ", "\t"]) func continuedLinesAreNoFields(blank: String) {
    var head = ResponseHead()
    _ = events(["HTTP/1.1 200 OK", "A: 1", "\(blank)B: 2", "C: 3", ""], &head)
    #expect(head.headers.fields.map(\.name) == ["A", "C"])
  }

  @Test func aHeadIsCompleteWithItsEmptyLine() {
    var head = ResponseHead()
    #expect(
      events(["HTTP/1.1 200 OK", "A: b", "C:d  ", "no field", ": x", " folded: e", ""], &head)
        == [.more, .more, .more, .more, .more, .more, .complete])
    #expect(head.status == 200)
    #expect(head.headers.fields.map { [$0.name, $0.value] } == [["A", "b"], ["C", "d"]])
  }

  @Test func interimResponsesAreSkipped() {
    var head = ResponseHead()
    #expect(
      events(["HTTP/1.1 103 Early Hints", "Link: x", ""], &head) == [.more, .more, .more])
    #expect(
      events(["HTTP/2 302", "location: /b", ""], &head) == [.more, .more, .complete])
    #expect(head.headers["Location"] == "/b")
    #expect(events(["HTTP/2 404 ", ""], &head) == [.more, .complete])
    #expect(head.status == 404 && head.headers.fields.isEmpty)
  }

  @Test(arguments: ["", "HTTP/1.1", "HTTP/1.1 x", "HTTP/1.1 99", "ICY 200 OK", "\u{0}\u{1}"])
  func otherLinesBeginNoHead(line: String) {
    var head = ResponseHead()
    #expect(events([line], &head) == [.malformed])
  }

  @Test func allHeadsTogetherAreBounded() {
    let lines = ["HTTP/1.1 103 Early Hints", "", "HTTP/1.1 200 OK", "A: b", ""]
    let length = lines.reduce(0) { $0 + $1.utf8.count + 2 }
    var head = ResponseHead(maximumBytes: length)
    #expect(events(lines, &head) == [.more, .more, .more, .more, .complete])
    head = ResponseHead(maximumBytes: length - 1)
    #expect(events(lines, &head) == [.more, .more, .more, .more, .tooLong])
  }
}
