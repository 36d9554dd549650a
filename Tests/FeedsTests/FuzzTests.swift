import TestSupport
import Testing

@testable import Feeds

/// Random damage causes no crash and no hang, and lets nothing through that a terminal could obey.
@Suite struct FuzzTests {
  private static let samples: [String] =
    [
      rss(
        """
        <item><title>One &amp; <![CDATA[<b>two</b>]]></title><link>/a?b=1&amp;c=2</link>
        <description>&lt;p&gt;x &lt;a href="y"&gt;z&lt;/a&gt;&lt;ul&gt;&lt;li&gt;i&lt;/ul&gt;</description>
        <pubDate>Mon, 26 Jun 2017 19:40:58 GMT</pubDate><guid>1</guid>
        <enclosure url="a.jpg" type="image/jpeg"/></item><item><title>Two</title></item>
        """),
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://x/"><title>T</title><entry><id>1</id>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>x<b>y</b></p></div></content>
      <updated>2017-06-27T00:54:20Z</updated></entry><entry><id>2</id></entry></feed>
      """,
      """
      {"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","content_html":
      "<p>x<img src='a.png' width=3></p>","authors":[{"name":"A"}],"tags":["t"],"attachments":
      [{"url":"u","mime_type":"audio/ogg"}]},{"id":2,"content_text":"\\u00e9\\ud83c\\udf0a"}]}
      """,
      "{\"id\":\"1\",\"content_text\":\"a\"}\n{\"title\":\"b\"}\ntext #tag https://x.example/\n",
      "{\"rss\":{\"channel\":{\"title\":\"T\",\"item\":[{\"title\":\"a\"},{\"description\":\"<b>x\"}]}}}",
      "plain text\nline two\n\nnext @name paragraph",
    ] + SocialSamples.all.map(\.1)

  private static let splices: [[UInt8]] = [
    [0], [0x1B, 0x5B], [0xFF], [0xE2, 0x80, 0xAE], Array("\\ud800".utf8), Array("&#27;".utf8),
    Array("<![CDATA[".utf8), Array("]]>".utf8), Array("<!--".utf8), Array("<item>".utf8),
    Array("</".utf8), Array("&".utf8), Array("\"".utf8), Array("{[".utf8), Array("]}".utf8),
    Array("<div><pre><ul><li>".utf8), Array("<!DOCTYPE x [<!ENTITY a \"b\">]>".utf8), [0x0A],
    Array("&lt;table&gt;&lt;td&gt;".utf8), Array("\\u001b".utf8), Array("99999999999".utf8),
  ]

  func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: place)
      case 3:
        let end = min(bytes.count, place + Int.random(in: 0..<80, using: &generator))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      default:
        bytes.insert(contentsOf: Self.splices.randomElement(using: &generator) ?? [], at: place)
      }
    }
    return bytes
  }

  func check(_ bytes: [UInt8], _ format: FeedFormat?, _ note: String) {
    do throws(FeedError) {
      let document = try FeedReader.read(bytes, format: format, baseURL: "http://x.example/f")
      for post in document.posts {
        for string in strings(of: post) where isUnsafe(string) {
          Issue.record("\(note): unsafe: \(string.debugDescription)")
        }
        let written = PostWriter.plainText(post) + PostWriter.jsonItem(post)
        if isUnsafe(written) { Issue.record("\(note): unsafe when written") }
      }
      #expect(Set(document.posts.map(\.id)).count == document.posts.count, "\(note)")
    } catch {
      #expect(!error.message.isEmpty && !isUnsafe(error.message), "\(note)")
    }
  }

  @Test func syntheticInputs() {
    for seed in Rounds.seeds(60) {
      var generator = SeededGenerator(seed: seed)
      for sample in Self.samples {
        check(damaged(Array(sample.utf8), &generator), nil, "seed \(seed)")
      }
      let any = FeedFormat.allCases.randomElement(using: &generator)
      let sample = Self.samples.randomElement(using: &generator) ?? ""
      check(damaged(Array(sample.utf8), &generator), any, "seed \(seed) as \(any as Any)")
    }
  }

  @Test func noise() {
    for seed in Rounds.seeds(100) {
      var generator = SeededGenerator(seed: seed)
      let alphabet = Array("<>/&;[]{}\"':,=! \n-abip#?\\u0".utf8)
      let bytes = (0..<200).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      for format in FeedFormat.allCases { check(bytes, format, "seed \(seed)") }
      let html = HTMLReader.read(String(decoding: bytes, as: UTF8.self), base: "http://x/")
      #expect(!isUnsafe(html.text.plainText), "seed \(seed)")
    }
  }
}
