import TestSupport
import Testing

@testable import Feeds
@testable import TextLayout

/// The prefilter must not miss any word that a post shows.
@Suite struct RowPrefilterTests {
  /// Markup as in RSS and Atom.
  @Test(arguments: Rounds.seeds(2))
  func missesNothingInFeeds(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = { (count: Int) in
      (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
        .replacing("\\\"", with: "\"").replacing("\\", with: "")
    }
    let escaped = { (text: String) in
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
    let items = (0..<20).map { index in
      """
      <item><title>\(escaped(text(4)))</title><guid>https://tide.example/\(index)</guid>
      <author>\(escaped(text(2))) (tide@sea.example) \(escaped(text(2)))</author>
      <category>\(escaped(text(1)))</category>
      <description>\(escaped(text(30)))</description></item>
      <item><content:encoded><![CDATA[\(text(30).replacing("]]", with: ""))]]></content:encoded>
      <link>https://tide.example</link><enclosure url="a.mp3" title="\(index) tide"/></item>
      <item><media:description>\(escaped(text(8)))</media:description></item>
      """
    }
    let rss = "<rss><channel><title>Seas</title>" + items.joined() + "</channel></rss>"
    check(Array(rss.utf8), .rss, seed, "RSS")
    let entries = items.map {
      $0.replacing("item>", with: "entry>").replacing(
        "<description", with: "<content type=\"html\""
      )
      .replacing("/description", with: "/content").replacing("author>", with: "summary>")
    }
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + entries.joined() + "</feed>"
    check(Array(atom.utf8), .atom, seed, "Atom")
  }

  private func mayMatch(
    _ word: String, _ row: String, _ format: FeedFormat = .jsonl
  ) throws -> Bool {
    let needle = try #require(TextNeedle(word)?.longestWord)
    var filter = try #require(
      RowPrefilter(words: [needle], format: format, head: DocumentHead()))
    return Array(row.utf8).withUnsafeBytes { filter.mayMatch($0) }
  }

  @Test(arguments: [
    ("harbour", #"{"content_text":"the Harbour wall"}"#),
    ("harbour", #"{"content_html":"the har<b>bo</b>ur wall"}"#),
    ("harbour", #"{"content_html":"har\u003cb\u003ebour"}"#),
    ("harbour", #"{"content_html":"har<a title='x > y' href=\"z\">bour"}"#),
    ("harbour", #"{"content_html":"har<!-- a > b -->bour"}"#),
    ("harbour", #"{"content_text":"\u0068arbour"}"#),
    ("harbour", #"{"content_html":"h&aacute;rbour"}"#),
    ("harbour", #"{"content_html":"h&#97;rbour"}"#),
    ("harbour", #"{"content_html":"h&#x61rbour"}"#),
    ("harbour", #"{"content_html":"har&shy;bour"}"#),
    ("harbour", #"{"content_html":"har&custom;bour"}"#),
    ("harbour", #"{"content_text":"har\u001b[1mbour"}"#),
    ("harbour", "{\"content_text\":\"ha\u{301}r\u{AD}bour\"}"),
    ("office", "{\"content_text\":\"oﬃce\"}"), ("abc", "{\"content_text\":\"ＡＢＣ\"}"),
    ("strasse", #"{"content_html":"Stra&szlig;e"}"#), ("カモメ", "{\"content_text\":\"ｶﾓﾒ\"}"),
    ("水位", #"{"content_text":"\u6c34\u4f4d"}"#), ("x", #"{"content_text":"x"}"#),
    ("𠮷野", #"{"content_text":"\ud842\udfb7\u91ce"}"#),
    ("users", #"C:\users\marit"#), ("uface", #"C:\uface"#),
    ("harbour", #"{"content_html":"har<img class='emoji' alt=\"bour\">"}"#),
    ("harbour", #"{"content_html":"har<img class=emoji alt=bour>"}"#),
    ("harbour", #"{"content_html":"har<a title=\u0022x > y\u0022>bour"}"#),
    ("harbour", #"{"content_html":"har\u003ca title=\u0022x > y\u0022\u003ebour"}"#),
  ])
  func findsInLines(_ word: String, _ row: String) throws {
    #expect(try mayMatch(word, row))
  }

  @Test(arguments: [
    ("harbour", "<item><title>h&amp;aacute;rbour</title></item>"),
    ("harbour", "<item><description>har&lt;b&gt;bour&lt;/b&gt;</description></item>"),
    ("harbour", "<item><description>har&lt;a title=\"1 &gt; 0\"&gt;bour</description></item>"),
    ("harbour", "<item><description>har<![CDATA[bour]]></description></item>"),
    (
      "harbour",
      "<item><description><![CDATA[ha<em class=\"x>y\">rbour</em>]]></description></item>"
    ),
    ("harbour", "<item><description>ha&lt;b>r&lt;/b>bour</description></item>"),
    ("harbour", "<item><description>h&lt;b&gt;&lt;i>arbo&lt;/b&gt;ur</description></item>"),
    ("harbour", "<item><description>har&lt;a title=\"x > y\">bour</description></item>"),
    ("harbour", "<item><description>har&lt;a title='\" > y'>bour</description></item>"),
    (
      "harbour",
      "<item><description>har&lt;a title=&quot;x > y&quot;>bour</description></item>"
    ),
    ("harbour", "<item><description>har&lt;a title= \"x > y\">bour</description></item>"),
    ("harbour", "<item><description>har&lt;!-- a > b -->bour</description></item>"),
    ("harbour", "<item><description>har&lt;b <![CDATA[>]]>bour</description></item>"),
  ])
  func findsInFeeds(_ word: String, _ row: String) throws {
    #expect(try mayMatch(word, row, .rss))
  }

  @Test(arguments: [
    ("harbour", #"{"content_text":"the harbor, our wall, har bour"}"#),
    ("harbour", #"{"content_html":"<p class='h'>over<\/p> <p>the wall"}"#),
    ("harbour", #"{"content_text":"漁船は三隻とも戻りました 🌊 é — “q” &amp; more"}"#),
    ("潮位", #"{"content_text":"漁船は三隻とも戻りました 潮 位"}"#),
  ])
  func skipsOthers(_ word: String, _ row: String) throws {
    #expect(try !mayMatch(word, row))
  }

  /// If each letter were scanned for again, such a row would take minutes.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "h' ", "alt=h ", "<b a=h ", "h&#39; ", "h]]", ";h ", "h\\\" ", "h\\u0027 ", "<i h='h ",
      "=h&gt; ",
    ])
  func scansLongRowsOnce(_ piece: String) throws {
    let word = try #require(TextNeedle("harbour")?.longestWord)
    let text = String(repeating: piece, count: 5_000)
    for (format, row) in [
      (FeedFormat.jsonl, "{\"content_html\":\"\(text)\"}"),
      (.rss, "<item><description>\(text)</description></item>"),
      (.rss, "<item><description>\(text)&gt;\(text)</description></item>"),
    ] {
      var filter = try #require(
        RowPrefilter(words: [word], format: format, head: DocumentHead()))
      let mayMatch = Array(row.utf8).withUnsafeBytes { filter.mayMatch($0) }
      #expect(!mayMatch)
    }
  }

  /// Words as a search takes them from a shown post.
  private func words(of post: Post, _ generator: inout SeededGenerator) -> [String] {
    var texts: [String] = []
    _ = post.anySearchedText {
      texts.append($0)
      return false
    }
    return (0..<8).compactMap { _ in
      guard let text = texts.randomElement(using: &generator), !text.isEmpty else { return nil }
      let characters = Array(text)
      let start = Int.random(in: 0..<characters.count, using: &generator)
      let length = Int.random(in: 1...30, using: &generator)
      return String(characters[start..<min(characters.count, start + length)])
    }
  }

  func check(_ bytes: [UInt8], _ format: FeedFormat, _ seed: UInt64, _ name: String) {
    var generator = SeededGenerator(seed: seed)
    var scanner = RowScanner(format: format, offset: FeedReader.byteOrderMark(of: bytes))
    var rows: [RowScanner.Row] = []
    bytes.dropFirst(FeedReader.byteOrderMark(of: bytes)).withUnsafeBytes {
      scanner.consume($0) { rows.append($0) }
    }
    scanner.finish { rows.append($0) }
    let reader = RowReader(format: format, head: scanner.head)
    for row in rows.prefix(200) {
      let own = bytes[row.start..<row.end]
      let post = own.withUnsafeBytes { reader.post($0, offset: row.start, length: $0.count) }
      for text in words(of: post, &generator) {
        guard let needle = TextNeedle(text) else { continue }
        var matcher = TextMatcher()
        if reader.sourceNames.contains(where: { matcher.contains(needle, in: $0) }) { continue }
        guard
          var filter = reader.filter(for: [[needle]])
        else { continue }
        let mayMatch = own.withUnsafeBytes { filter.mayMatch($0) }
        #expect(mayMatch, "seed \(seed), \(name) at \(row.start): '\(text)' is missed")
      }
    }
  }

  @Test(arguments: Rounds.seeds(6))
  func missesNoGeneratedWord(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for index in 0..<20 { bytes += Self.row(index, &generator) + [0x0A] }
    check(bytes, .jsonl, seed, "lines")
    var statuses: [UInt8] = []
    for index in 0..<20 { statuses += Self.status(index, &generator) + [0x0A] }
    check(statuses, .jsonl, seed, "statuses")
    let activities = (0..<20).map { index in
      String(decoding: Self.activity(index, &generator), as: UTF8.self)
    }
    let outbox = "{\"orderedItems\":[" + activities.joined(separator: ",") + "]}"
    check(Array(outbox.utf8), .activitypub, seed, "activities")
  }

  private static let pieces = [
    "tide", "Harbour", "ha", "r", "b<b>o</b>u", "é", "&eacute;", "&amp;", "&#233;", "&#8217;",
    "\\u00e9",
    "\\u003cb\\u003e", "<i>", "</i>", "<a href='x>y'>", "</a>", "ｶﾞ", "が", "水位", "&nbsp;", " ", " ",
    "\\n", "\\\"", "\\\\", "<br>", "ﬁ", "s\u{301}", "\u{AD}", "&lt;", "a < b", "x > y",
    "<!-- > -->", "🌊",
    "<span class=\\\"invisible\\\">", "</span>",
    "<a class=\\\"x\\\" href=\\\"https://y.example\\\">", "<p hidden>", "<button>",
    "<img class='emoji' alt='cd'>", "<img width=16 alt=\\\"cd\\\">",
    "<img height=8 alt=cd width=8>",
    "<img width=16 alt=' e f '>", "<img alt='it`s \\\"ab\\\"' title='x>y' class=emoji>",
    "<img class=\\\"emoji\\\" alt=\\\"潮\\\" title=\\\"x>y\\\"/>", "<img alt='no picture'>",
    "<img src='a.png' alt='large' width='640'>", "<img width=1 alt=c>", "<img width=9 alt=c >",
    "ab", "cd", "ef", "a", "c", "e", "\\r", "<wbr>", "<sub>2</sub>", "<sup> ab </sup>",
    "<sup><a href='#n'>1</a></sup>", "<q>", "</q>", "<ul><li>", "<ol start=3><li>", "</li>",
    "</ol>",
    "<math><mi> a </mi>\\n<mi>b</mi><mo>=</mo></math>", "<math alttext='ab'><mn>1</mn></math>",
    "<msup><mi> m </mi> <mtext> a b </mtext></msup>", "<math>", "</math>", "<mi> c </mi>",
    "<table><tr><td>", "</td><td>", "</table>", "<figcaption>", "<caption>", "<details><summary>",
    "</summary>", "<div>", "</div>", "<p hidden>x</p>", "<h2 class='hidden'>", "<hr>",
    "<iframe src='https://x.example' title='cd'></iframe>", "<video title='ab'>cd</video>",
    "<object data='x' title='e'>f</object>", "<embed src='x' title='g'>",
    "<ruby>水<rt>みず</rt></ruby>", "<ruby>a<rp>(<rt>b<rp>)</ruby>", "<dl><dt>a<dt>b<dd>c<dd>",
    "&nbspc", "&check;", "&centb", "&Eacutec", "a <3 b", "a<b ",
    "<input type=checkbox>", "<script>x</script>", "<b title='x>y'>", "<?php a > b ?>", "]]",
    "<pre>", "</pre>", "<!-- <p> -->", "<i hidden>", "<template>", "</template>", "it's", "“", "--",
    "\\u003cimg width=8 alt=\\u0027cd\\u0027\\u003e", "&#39;", "&quot;", "&gt;",
    "\\t", "&#32;", "\u{3000}",
    "\\ud83c\\udf0a", "&hellip;", "&weird;", "AT&T", "\\u0007", "&copy2", "<p>", "</p>", "'", "ß",
  ]

  private static func text(_ count: Int, _ generator: inout SeededGenerator) -> String {
    (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private static func status(_ index: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let account =
      "{\"acct\":\"tide\",\"display_name\":\"\(text(2, &generator))\",\"url\":\"https://har.bour.example/@t\"}"
    return Array(
      """
      {"id":"\(index)","uri":"https://sea.example/\(index)","content":"\(text(30, &generator))",\
      "account":\(account),"spoiler_text":"\(text(1, &generator))","visibility":"public",\
      "media_attachments":[{"type":"image","url":"https://sea.example/a.png",\
      "description":"\(text(4, &generator))"}],\
      "card":{"url":"https://sea.example","title":"\(text(3, &generator))","html":"<a class=x>"}}
      """.utf8)
  }

  private static func activity(_ index: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    func text(_ count: Int) -> String { Self.text(count, &generator) }
    let address = "https://sea.example/users/harbour"
    let account = Bool.random(using: &generator)
    let author = account ? "\"\(address)\"" : "{\"id\":\"\(address)\",\"name\":\"\(text(2))\"}"
    let type = Int.random(in: 0..<4, using: &generator) == 0 ? "Like" : "Create"
    return Array(
      """
      {"id":"\(address)/\(index)","type":"\(type)","actor":"\(address)","to":["\(address)"],\
      "object":{"id":"\(address)/\(index)/note","type":"Note","summary":"\(text(2))",\
      "attributedTo":\(author),"url":"https://sea.example/@harbour/\(index)",\
      "content":"\(text(30))","contentMap":{"en":"\(text(3))"},\
      "tag":[{"type":"Hashtag","href":"https://sea.example/tags/ab","name":"#ab"}],\
      "attachment":[{"type":"Document","mediaType":"image/png","url":"/a.png","name":"\(text(3))"}],\
      "replies":{"type":"Collection","first":{"next":"\(address)?page=true","items":[]}}}}
      """.utf8)
  }

  private static func row(_ index: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    func text(_ count: Int) -> String { Self.text(count, &generator) }
    let field = Bool.random(using: &generator) ? "content_html" : "content_text"
    return Array(
      """
      {"id":"\(index)","title":"\(text(6))","\(field)":"\(text(40))",\
      "authors":[{"name":"\(text(3))"}],"tags":["\(text(2))"]}
      """.utf8)
  }
}
