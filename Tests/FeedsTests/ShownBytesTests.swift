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

  private func activity(_ type: String, _ object: String) -> String {
    #"{"@context":"https://a.example","id":"https://a.example/1","type":"\#(type)","#
      + #""actor":"https://a.example/users/gauge","to":["https://a.example/all"],"object":\#(object)}"#
  }

  /// Of what somebody wrote neither addresses nor markup are shown; whatever else was done is told
  /// with its address.
  @Test func leavesAddressesOfActivitiesOut() throws {
    let note =
      #"{"id":"https://a.example/2","type":"Note","url":["https://a.example/3"],"#
      + #""attributedTo":["https://a.example/users/gauge"],"content":"<p class='x'>tide</p>","#
      + #""contentMap":{"en":"<p class='x'>tide</p>"},"likes":{"id":"https://a.example/4","n":[true]},"#
      + #""tag":[{"type":"Hashtag","href":"https://a.example/5","name":"on ebb"}]}"#
    let text = try #require(self.text(activity("Create", note), .activitypub))
    for word in ["tide", "ebb", "gauge", "a.example"] { #expect(text.contains(word)) }
    for word in ["class", "https", "href", "content", "/4"] {
      #expect(!text.contains(word), "\(word) in \(text)")
    }
    #expect(self.text(activity("Like", note), .activitypub) == nil)
    #expect(self.text(activity("Create", "\"https://a.example/2\""), .activitypub) == nil)
    let like = activity("Like", "\"https://a.example/2\"")
    #expect(self.text(activity("Create", like), .activitypub) == nil)
  }

  private static let html =
    "<p class=\"entry\">Wind with <a class=\"mention\" href=\"https://tide.example/1?a=1&amp;b=2\" "
    + "rel=\"nofollow\">naïve south</a>, <span class=\"note\">the path</span> of gauge</p>\n"
    + "<p><img src=\"https://tide.example/1.jpg\" alt=\"Küste by with\" class=\"wide\"></p>"

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// Rows as feeds have them, in each way to write them.
  private static let rows: [(row: String, format: FeedFormat)] = [
    (
      "<entry><link href=\"https://a.example\"/><id>https://a.example</id>"
        + "<content type=\"html\">\(escaped(html))</content></entry>", .atom
    ),
    (
      "<entry><content type=\"html\">" + escaped(html).replacing(">", with: "&gt;")
        + "</content></entry>", .atom
    ),
    (
      "<item><guid>https://a.example</guid><description>\(escaped(html))</description></item>", .rss
    ),
    ("<item><description><![CDATA[\(html)]]></description></item>", .rss),
    (
      "{\"id\":\"https://a.example\",\"content_html\":\""
        + html.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\"}", .jsonl
    ),
  ]

  /// A word of markup makes no post: not of the rows that it stands in, nor by a letter that it
  /// begins with before one of the tags that may hide what follows.
  @Test(arguments: ["class", "href", "https", "src", "nofollow", "tide gauge", "the gauge"])
  func makesNoPostOfMarkup(_ query: String) throws {
    let needle = try #require(TextNeedle(query))
    for (row, format) in Self.rows {
      let reader = RowReader(format: format, head: DocumentHead())
      var filter = try #require(
        reader.filter(for: [[needle]]))
      let mayShow = Array(row.utf8).withUnsafeBytes { filter.mayShow($0, reader) }
      #expect(!mayShow, "\(format): \(row)")
    }
  }
}
