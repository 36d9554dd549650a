import TestSupport
import Testing

@testable import Feeds
@testable import TextLayout

/// What is left out of a row's bytes must be what no post shows, and most of its markup.
@Suite struct ShownBytesTests {
  private func shown(_ row: String, _ format: FeedFormat) -> ShownBytes? {
    Array(row.utf8).withUnsafeBufferPointer { ShownBytes(of: $0, format: format, keepsOrder: true) }
  }

  private func text(_ row: String, _ format: FeedFormat = .jsonl) -> String? {
    shown(row, format).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(arguments: [
    #"{"id":"1","url":"https://a.example","content_html":"<p class=\"x\">tide <a href='y' rel=\"z\">b</a></p>"}"#,
    #"{"id":1,"content_html":"\u003cp class=\u0022x\u0022\u003etide \u003ca href=\"y\"\u003eb\u003c\/a\u003e\u003c/p\u003e"}"#,
    #"{"content":"<p class=\"x\" data-class>tide <br/>b</p>","account":{"url":"https://a.example"}}"#,
  ])
  func leavesMarkupOut(_ row: String) throws {
    let text = try #require(self.text(row))
    #expect(text.contains("tide") && text.contains("b"))
    for word in ["class", "href", "rel", "https", "content", "account"] {
      #expect(!text.contains(word), "\(word) in \(text)")
    }
  }
}
