import Testing
import TextLayout

@testable import Feeds

@Suite struct NamesAndTitlesTests {
  @Test(arguments: [
    ("sea@example.org (Sea Watch)", "Sea Watch"), ("Sea Watch (sea@example.org)", "Sea Watch"),
    ("Sea Watch <sea@example.org>", "Sea Watch"), ("\"Sea Watch\" <sea@example.org>", "Sea Watch"),
    ("<sea@example.org> Sea Watch", "Sea Watch"), ("mailto:sea@example.org (Sea)", "Sea"),
    ("Sea Watch (Harbour)", "Sea Watch (Harbour)"), ("sea@example.org", "sea@example.org"),
    ("sea@example.org ()", "sea@example.org ()"), ("Sea &amp; Co", "Sea & Co"),
    ("sea@example.org (Sea (Watch))", "Sea (Watch)"), ("@sea", "@sea"), ("", ""),
    ("Sea Watch (https://sea.example/)", "Sea Watch"), ("A <B> C", "A <B> C"),
  ])
  func names(_ text: String, _ name: String) throws {
    #expect(PersonName.shown(text) == name)
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let posts = try read(
      rss(
        "<item><title>a</title><author>\(escaped)</author></item>"
          + "<item><title>b</title><dc:creator>\(escaped)</dc:creator></item>", head: "")
    ).posts
    #expect(posts.map { $0.author?.name ?? "" } == [name, name])
  }

  @Test(arguments: [
    ("A&amp;#x3C;B", "A<B"), ("A&#x3C;B", "A<B"), ("if a&lt;b", "if a<b"),
    ("if a &lt; b and b &gt; c", "if a < b and b > c"),
    ("&lt;b&gt;bold&lt;/b&gt; word", "bold word"),
    ("Using &lt;div&gt; well", "Using <div> well"),
    ("Vec&lt;Int&gt; is a type", "Vec<Int> is a type"),
    ("One &lt;b&gt;two", "One <b>two"), ("Cut &lt;a href=&quot;http://x.exam", "Cut"),
    ("&lt;b&gt;Cut&lt;/b", "Cut"), ("&lt;a href=\"x\"&gt;Half a link", "Half a link"),
    ("&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;", "One two"), ("a&lt;br&gt;b", "a b"),
    ("&lt;![CDATA[Inner]]&gt; words", "Inner words"), ("a&lt;!-- no --&gt;b", "ab"),
    ("What &lt;?php begins", "What <?php begins"), ("Fish &amp;amp; chips", "Fish & chips"),
    ("&lt;script&gt; tags", "<script> tags"), ("&lt;3 the sea", "<3 the sea"),
    ("1 &lt;&lt; 2", "1 << 2"), ("&lt;i&gt;&lt;b&gt;x&lt;/i&gt;", "<b>x"),
  ])
  func titles(_ xml: String, _ title: String) throws {
    let posts = try read(rss("<item><title>\(xml)</title><guid>1</guid></item>")).posts
    #expect(posts.map(\.title.plainText) == [title])
    #expect(posts.first?.damage == nil)
  }

  /// Atom declares the type of a title.
  @Test(arguments: [
    ("html", "&lt;b&gt;one", "one"), ("html", "if a&lt;b", "if a<b"), ("html", "A&amp;lt;B", "A<B"),
    ("text", "a &lt;b&gt;c&lt;/b&gt;", "a <b>c</b>"), ("text", "A&amp;amp;B", "A&B"),
    ("html", "&lt;div&gt;whole&lt;/div&gt;", "whole"),
    ("xhtml", "<div xmlns='http://www.w3.org/1999/xhtml'>x <b>y</b></div>", "x y"),
  ])
  func declaredTitles(_ type: String, _ xml: String, _ title: String) throws {
    let posts = try read(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>F</title><entry><id>1</id>"
        + "<title type=\"\(type)\">\(xml)</title></entry></feed>"
    ).posts
    #expect(posts.map(\.title.plainText) == [title])
  }

  @Test func windows1252NumbersAreCharacters() throws {
    let post = try #require(
      try read(
        rss(
          """
          <item><title>It&#146;s &#x93;so&#X94;</title><description>a &#150; b &amp;#151; c &#8364;
          </description></item><item><title><![CDATA[10 &#128;]]></title></item>
          """)
      ).posts.first)
    #expect(post.title.plainText == "It’s “so”")
    #expect(post.body.plainText == "a – b — c €")
    let html = HTMLReader.read("&#133;<b>&#x80;</b>&#129;&#1146;", base: nil)
    #expect(html.text.plainText == "…€Ѻ")
    #expect(
      CharacterReferenceRepair.repaired(html: "&#999999999999;&#;&#x;&#12&#146")
        == "\u{FFFD}&#;&#x;&#12&#8217;")
    // XML has neither rule.
    let xml = Array("&#999999999999;&#0;&#146".utf8)
    #expect(CharacterReferenceRepair.repaired(xml) == xml)
  }

  @Test func characterNamesMatchBrowsers() {
    let shown = { (html: String) in HTMLReader.read(html, base: "https://a.example/").text }
    #expect(shown("&check;&colon;&lpar;x&rpar;&NotEqualTilde;<b>&hearts;").plainText == "✓:(x)≂̸♥")
    #expect(shown("&CounterClockwiseContourIntegral;&AT;&hellip;").plainText == "∳&AT;…")
    // Some names count without a semicolon, even if letters follow; others do not.
    #expect(
      shown("a&nbspb &copy 1 &Eacutex &AMP; &notit; &notin; &hellip").plainText
        == "a\u{A0}b © 1 Éx & ¬it; ∉ &hellip")
    #expect(shown("&nosuch; &; & &1; &check").plainText == "&nosuch; &; & &1; &check")
    // Addresses often contain text that resembles a reference.
    let link = shown("<a href=\"/?a=1&copy=2&amp;lt=3\">b &lt c</a>")
    #expect(link.links == ["https://a.example/?a=1&copy=2&lt=3"])
    #expect(link.plainText == "b < c")
    // A `<` that begins no tag does not hide a reference, and the search for one is bounded.
    #expect(shown("1 < 2 &nbsp3").plainText == "1 < 2 \u{A0}3")
    let long = String(repeating: "&nbsp ", count: 20_000)
    #expect(shown(long + "end").plainText.hasSuffix("end"))
  }

  /// An invalid date of publication is replaced by that of the last change, without damage.
  @Test func datesFallBackToOthers() throws {
    let atom = try read(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>1</id><published>soon</published>"
        + "<updated>2020-01-10T14:33:00Z</updated></entry>"
        + "<entry><id>2</id><published>soon</published></entry></feed>"
    ).posts
    #expect(atom.map(\.published) == [1_578_666_780, nil])
    #expect(atom.map(\.damage) == [nil, "not a date: “soon”"])
    let rss = try read(
      rss(
        """
        <item xmlns:dcterms="http://purl.org/dc/terms/"><guid>1</guid><pubDate>soon</pubDate>
        <dcterms:modified>2020-01-10T14:33:00Z</dcterms:modified></item>
        <item xmlns:d="http://purl.org/dc/terms/"><guid>2</guid>
        <d:issued>2020-01-10T14:33:00Z</d:issued></item>
        """)
    ).posts
    #expect(rss.map(\.published) == [1_578_666_780, 1_578_666_780])
    #expect(rss.map(\.damage) == [nil, nil])
    let json = try read(
      #"{"items":[{"id":"1","date_published":"soon","date_modified":"2020-01-10T14:33:00Z"}]}"#)
    #expect(json.posts.first?.published == 1_578_666_780)
    #expect(json.posts.first?.damage == nil)
  }

  /// A time without a zone is written unchanged, and reads back without a zone.
  @Test func zonelessTimesAreNotUTC() throws {
    let posts = try read(
      rss(
        """
        <item><guid>1</guid><pubDate>Fri, 10 Jan 2020 14:33:00 XYZ</pubDate></item>
        <item><guid>2</guid><pubDate>10 Jan 2020</pubDate></item>
        <item><guid>3</guid><pubDate>Fri, 10 Jan 2020 14:33:00 +0200</pubDate></item>
        """, head: "")
    ).posts
    #expect(posts.map(\.hasZone) == [false, false, true])
    #expect(
      posts.map { PostWriter.plainText($0) } == [
        "2020-01-10 14:33", "2020-01-10", "2020-01-10 12:33 UTC",
      ])
    for post in posts {
      let again = try #require(try read(PostWriter.jsonItem(post)).posts.first)
      #expect(again.published == post.published)
      #expect(again.hasZone == post.hasZone)
    }
  }
}
