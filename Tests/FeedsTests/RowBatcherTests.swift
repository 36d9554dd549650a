import TestSupport
import Testing
import TextLayout

@testable import Feeds

@Suite struct RowBatcherTests {
  private let lines = """
    \u{FEFF}{"id":"1","content_text":"one 🌊 潮","authors":[{"name":"Gauge"}]}\r
    not JSON, but text

    {"id":2,"content_html":"<p>two</p>"}
      {"unknown":"field"}
    {"id":"3","content_text":"cut off
    {"content_text":"no id"}
    """

  private func posts(
    _ bytes: [UInt8], _ format: FeedFormat, cuts: [Int] = []
  ) -> [Post] {
    var pieces: [[UInt8]] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      pieces.append(Array(bytes[start..<cut]))
      start = cut
    }
    return readRows(pieces, format)
  }

  @Test func jsonLines() throws {
    let found = posts(Array(lines.utf8), .jsonl)
    #expect(
      found.map(\.body.plainText) == [
        "one 🌊 潮", "not JSON, but text", "two", "{\"unknown\":\"field\"}", "cut off", "no id",
      ])
    #expect(found.map { $0.damage == nil } == [true, true, true, true, false, true])
    #expect(try found.at(0).id == "1")
    #expect(try found.at(0).author?.name == "Gauge")
    #expect(try found.at(2).id == "2")
    #expect(try found.at(5).id.hasPrefix("byte "))
  }

  @Test func plainText() throws {
    let text = "first line\nsecond #tide\r\n\r\n \n\nsee https://x.example/a, (@gauge)\u{1B}[1m\n"
    let found = posts(Array(text.utf8), .text)
    #expect(found.map(\.id) == ["byte 0", "byte 30"])
    #expect(try found.at(0).body.plainText == "first line\nsecond #tide")
    #expect(try runs(found.at(0).body).map(\.1.role) == [.body, .tag])
    #expect(try found.at(1).body.links == ["https://x.example/a"])
    #expect(try runs(found.at(1).body).map(\.1.role) == [.body, .link, .body, .tag, .body])
  }

  @Test func textWithoutBlankLinesIsCutIntoRows() {
    let text = (0..<250).map { "line \($0)\n" }.joined()
    let found = posts(Array(text.utf8), .text)
    #expect(found.count == 3)
    #expect(found.map(\.body.plainText).joined(separator: "\n") + "\n" == text)
  }

  @Test func invalidBytesAndZerosAreMarked() {
    let bytes = Array("fine\n\nb".utf8) + [0xFF] + Array("d\n\nz".utf8) + [0] + Array("ero\n".utf8)
    let found = posts(bytes, .text)
    #expect(found.map(\.body.plainText) == ["fine", "b\u{FFFD}d", "zero"])
    #expect(found.map { $0.damage == nil } == [true, false, false])
    let json = Array("{\"content_text\":\"b".utf8) + [0xFF] + Array("d\"}".utf8)
    #expect(posts(json, .jsonl).map(\.body.plainText) == ["b\u{FFFD}d"])
    #expect(posts(json, .jsonl).first?.damage != nil)
  }

  @Test func piecesDoNotMatter() {
    for seed in UInt64(1)...40 {
      var generator = SeededGenerator(seed: seed)
      for (format, source) in [(FeedFormat.jsonl, lines), (.text, lines + "\n\nend\n\n")] {
        let bytes = Array(source.utf8)
        let whole = posts(bytes, format)
        let count = Int.random(in: 1...30, using: &generator)
        let cuts = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &generator) }
        #expect(posts(bytes, format, cuts: cuts.sorted()) == whole, "seed \(seed)")
      }
    }
    let bytes = Array(lines.utf8)
    #expect(posts(bytes, .jsonl, cuts: Array(0..<bytes.count)) == posts(bytes, .jsonl))
  }

  @Test func offsetsAreThoseOfTheSource() {
    var batcher = RowBatcher(format: .jsonl, offset: 1_000)
    let found = batcher.consume(Array("{\"title\":\"a\"}\n{\"title\":\"b\"}\n".utf8))
    #expect(found.posts().map(\.id) == ["byte 1000", "byte 1014"])
  }
}
