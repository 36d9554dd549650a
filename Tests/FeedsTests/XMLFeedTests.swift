import Testing
import TextLayout

@testable import Feeds

@Suite struct XMLFeedTests {
  @Test func rss2() throws {
    let document = try read(
      rss(
        """
        <item><title>High &amp; low</title><link>/tide/1</link><guid isPermaLink="false">t-1</guid>
        <description>&lt;p&gt;Short&lt;/p&gt;</description>
        <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[<p>Long
        <a href="more">text</a></p><img src="/a.jpg" width="800" height="600" alt="Pier">]]>
        </content:encoded><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Gauge</dc:creator>
        <pubDate>Mon, 26 Jun 2017 19:40:58 GMT</pubDate><category>tide</category>
        <category>tide</category><category>sea</category>
        <enclosure url="http://x.example/a.mp3" type="audio/mpeg" length="1234"/>
        <enclosure url="/a.jpg" type="image/jpeg" length="1"/></item>
        <item><description>no title</description></item>
        """,
        head: """
          <title>Tide &amp;amp; time</title><link>https://x.example/</link><language>en</language>
          <image><url>/icon.png</url></image>
          """))
    #expect(document.format == .rss)
    #expect(document.info.title == "Tide & time")
    #expect(document.info.homePage == "https://x.example/")
    #expect(document.info.icon == "https://x.example/icon.png")
    let post = try #require(document.posts.first)
    #expect(post.id == "t-1")
    #expect(post.title.plainText == "High & low")
    #expect(post.url == "https://x.example/tide/1")
    #expect(post.body.plainText == "Long text")
    #expect(post.body.links == ["https://x.example/tide/more"])
    #expect(post.author?.name == "Gauge")
    #expect(post.author?.avatar == "https://x.example/icon.png")
    #expect(post.published == 1_498_506_058)
    #expect(post.tags == ["tide", "sea"])
    #expect(post.language == "en")
    #expect(
      post.pictures == [
        Post.Picture(
          url: "https://x.example/a.jpg", alternativeText: "Pier", width: 800, height: 600, place: 1
        )
      ])
    #expect(
      post.attachments == [
        Post.Attachment(
          url: "http://x.example/a.mp3", mediaType: "audio/mpeg", byteCount: 1_234)
      ])
    #expect(try document.posts.at(1).body.plainText == "no title")
    #expect(try document.posts.at(1).author?.name == "Tide & time")
    #expect(try !document.posts.at(1).id.isEmpty)
  }

  @Test func rdf() throws {
    let document = try read(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
       xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="http://x.example/"><title>Tides</title><link>http://x.example/</link>
      <items><rdf:Seq><rdf:li rdf:resource="http://x.example/1"/></rdf:Seq></items></channel>
      <item rdf:about="http://x.example/1"><title>One</title><link>http://x.example/1</link>
      <dc:date>2017-06-27T00:54:20Z</dc:date><dc:creator>A</dc:creator><dc:creator>B</dc:creator>
      </item></rdf:RDF>
      """)
    #expect(document.format == .rss)
    #expect(document.posts.map(\.id) == ["http://x.example/1"])
    #expect(document.posts.first?.author?.name == "A, B")
    #expect(document.posts.first?.published == 1_498_524_860)
  }

  @Test func atom() throws {
    let document = try read(
      """
      <?xml version="1.0" encoding="utf-8"?><!-- a comment --><?xml-stylesheet href="x.css"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://x.example/feed/" xml:lang="de">
      <title type="html">T&amp;lt;em&amp;gt;</title><link href="/"/><link rel="self" href="f.atom"/>
      <author><name>Feed Author</name></author>
      <entry xml:base="sub/"><id>urn:1</id><title type="text">a &lt;b&gt; c</title>
      <link rel="enclosure" type="audio/ogg" href="a.ogg" length="5"/><link href="one.html"/>
      <updated>2017-06-27T00:54:20Z</updated>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>X <b>HT</b>ML</p>
      <ul><li>item</li></ul><img src="p.png"/></div></content>
      <category term="t" label="Tide"/>
      <thr:in-reply-to xmlns:thr="http://purl.org/syndication/thread/1.0" ref="urn:0"/></entry>
      <entry><id>urn:2</id><title type="html">&lt;i&gt;T&lt;/i&gt;</title>
      <content type="text">one &lt;two&gt;\n\nthree</content><author><name>Own</name>
      <uri>/me</uri></author><published>2017-06-26T00:00:00Z</published></entry>
      <entry><id>urn:3</id><content src="film.mp4" type="video/mp4"/><summary>Sum</summary></entry>
      </feed>
      """)
    #expect(document.format == .atom)
    #expect(document.info.feedURL == "http://x.example/feed/f.atom")
    #expect(document.info.language == "de")
    let posts = document.posts
    #expect(posts.map(\.id) == ["urn:1", "urn:2", "urn:3"])
    #expect(try posts.at(0).title.plainText == "a <b> c")
    #expect(try posts.at(0).url == "http://x.example/feed/sub/one.html")
    #expect(try posts.at(0).body.paragraphs.map(\.string) == ["X HTML", "item"])
    #expect(try posts.at(0).body.paragraphs.at(1).style.marker == "• ")
    #expect(try posts.at(0).pictures.map(\.url) == ["http://x.example/feed/sub/p.png"])
    #expect(try posts.at(0).attachments.map(\.url) == ["http://x.example/feed/sub/a.ogg"])
    #expect(try posts.at(0).author?.name == "Feed Author")
    #expect(try posts.at(0).tags == ["Tide"])
    #expect(try posts.at(0).inReplyTo == "urn:0")
    #expect(try runs(posts.at(1).title).map(\.1.traits) == [.italic])
    #expect(try posts.at(1).body.paragraphs.map(\.string) == ["one <two>", "three"])
    #expect(try posts.at(1).author?.url == "http://x.example/me")
    #expect(try posts.at(2).body.plainText == "Sum")
    #expect(try posts.at(2).attachments.map(\.mediaType) == ["video/mp4"])
  }

  /// Plain text in Media RSS has no tags, and keeps its lines.
  @Test(arguments: [
    ("", "0:00 Low&#10;4:10 &lt;high&gt; &amp; dry", "0:00 Low\n4:10 <high> & dry"),
    (" type=\"plain\"", "a &lt;b&gt;c&lt;/b&gt;", "a <b>c</b>"),
    (" type=\"HTML\"", "a &lt;b&gt;c&lt;/b&gt;&lt;br&gt;d", "a c\nd"),
    ("", "<![CDATA[one\n\ntwo]]>", "one\n\ntwo"),
  ])
  func mediaDescriptionIsPlainText(type: String, text: String, shown: String) throws {
    let item = "<item><media:group><media:description\(type)>\(text)</media:description>"
    let post = try read(rss(item + "</media:group></item>")).posts.at(0)
    #expect(post.body.plainText == shown)
  }

  @Test(arguments: [
    ("1:02:03", 3_723.0), ("62:03", 3_723), (" 3723 ", 3_723), ("3723.5", 3_723.5), ("0", nil),
    ("", nil), ("an hour", nil), ("1:2:3:4", nil), ("-5", nil), ("1e300", nil), ("nan", nil),
  ])
  func podcastDurationIsThatOfItsFile(text: String, seconds: Double?) throws {
    let file = "<enclosure url=\"http://x.example/a.mp3\" type=\"Audio/MPEG\"/>"
    for name in ["itunes:duration", "duration"] {
      let items = "<item><title>t</title>\(file)<\(name)>\(text)</\(name)></item>"
      let post = try read(rss(items)).posts.at(0)
      #expect(try post.attachments.at(0).duration == seconds, "\(name)")
    }
  }

  @Test func podcastSubtitleReplacesAMissingText() throws {
    let posts = try read(
      rss(
        """
        <item><title>a</title><itunes:subtitle>Low water</itunes:subtitle></item>
        <item><title>b</title><itunes:subtitle>no</itunes:subtitle><description>Own</description></item>
        """)
    ).posts
    #expect(posts.map(\.body.plainText) == ["Low water", "Own"])
  }

  @Test func linkedContentMayHaveABody() throws {
    let post = try read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>
      <content type="html" src="http://x.example/film.mp4">&lt;b&gt;A film&lt;/b&gt;</content>
      <summary>Sum</summary></entry></feed>
      """
    ).posts.at(0)
    #expect(post.body.plainText == "A film")
    #expect(post.attachments.map(\.url) == ["http://x.example/film.mp4"])
  }

  /// The vocabulary that a part of an item names is that of its content.
  @Test(arguments: ["http://www.w3.org/1999/xhtml", "urn:other", ""])
  func aPartInAnotherVocabularyIsRead(address: String) throws {
    let own = "xmlns=\"\(address)\""
    let parts = """
      <title \(own)>T</title><category \(own)>tide</category>\
      <description \(own)><p>One <b>two</b></p></description>
      """
    let post = try read(rss("<item>\(parts)</item>")).posts.at(0)
    #expect(
      post.title.plainText == "T" && post.body.plainText == "One two" && post.tags == ["tide"])
    let entry = try read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id \(own)>1</id><title \(own)>T</title>
      <content type="xhtml" \(own)><p>One <b>two</b></p></content></entry></feed>
      """
    ).posts.at(0)
    #expect(entry.id == "1" && entry.title.plainText == "T" && entry.body.plainText == "One two")
  }

  /// Atom's names in RSS, and RSS's in Atom, count if an item has none of its own.
  @Test func namesOfTheOtherFormatAreRead() throws {
    let entry = try read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><guid>g</guid><title>T</title>
      <link>http://x.example/1</link><pubDate>Thu, 01 Jan 1970 00:00:07 GMT</pubDate>
      <author>Ann</author><description>&lt;b&gt;x&lt;/b&gt; y</description></entry></feed>
      """
    ).posts.at(0)
    #expect(entry.id == "g" && entry.url == "http://x.example/1" && entry.published == 7)
    #expect(entry.author?.name == "Ann" && entry.body.plainText == "x y")
    let item = try read(
      """
      <rss xmlns:a="http://www.w3.org/2005/Atom"><channel><item><a:id>i</a:id><a:title>T</a:title>
      <a:link href="http://x.example/2"/><a:published>1970-01-01T00:00:08Z</a:published>
      <a:author><a:name>Bo</a:name></a:author><a:content type="html">&lt;i&gt;z&lt;/i&gt;</a:content>
      </item></channel></rss>
      """
    ).posts.at(0)
    #expect(item.id == "i" && item.url == "http://x.example/2" && item.published == 8)
    #expect(item.title.plainText == "T" && item.author?.name == "Bo")
    #expect(item.body.plainText == "z")
  }

  @Test func mediaRSS() throws {
    let posts = try read(
      rss(
        """
        <item><title>group</title><media:group><media:content url="http://x/s.jpg" width="100"
        medium="image"/><media:content url="http://x/m.jpg" width="1200" height="800" medium="image"/>
        <media:content url="http://x/l.jpg" width="4000" medium="image"/>
        <media:thumbnail url="http://x/t.jpg"/><media:description>Words</media:description>
        </media:group><media:rating>adult</media:rating></item>
        <item><title>thumb</title><media:thumbnail url="http://x/t1.jpg" width="75" height="50"/>
        <media:thumbnail url="http://x/t2.jpg"/></item>
        <item><title>film</title><media:content url="http://x/f.mp4" type="video/mp4"
        duration="12.5" fileSize="77"><media:title>Film</media:title>
        <media:thumbnail url="http://x/f.jpg"/></media:content></item>
        <item><title>same</title><description>&lt;img src="http://x/p-300x200.jpg?w=3"&gt;</description>
        <media:content url="https://x/p.jpg" medium="image"/></item>
        """)
    ).posts
    #expect(
      try posts.at(0).pictures == [Post.Picture(url: "http://x/m.jpg", width: 1_200, height: 800)])
    #expect(try posts.at(0).body.plainText == "Words")
    #expect(try posts.at(0).contentWarning == "adult")
    #expect(
      try posts.at(1).pictures == [Post.Picture(url: "http://x/t1.jpg", width: 75, height: 50)])
    #expect(try posts.at(2).pictures.map(\.url) == ["http://x/f.jpg"])
    #expect(
      try posts.at(2).attachments == [
        Post.Attachment(
          url: "http://x/f.mp4", mediaType: "video/mp4", title: "Film", byteCount: 77,
          duration: 12.5)
      ])
    #expect(try posts.at(3).pictures.map(\.url) == ["https://x/p.jpg"])
  }

  @Test func encodings() throws {
    let text = rss("<item><title>Flut in Büsum — 10 €</title></item>")
    let named = { (name: String) in
      text.replacing("version=\"1.0\"?", with: "version=\"1.0\" encoding=\"\(name)\"?")
    }
    var latin: [UInt8] = []
    for scalar in named("ISO-8859-1").unicodeScalars {
      switch scalar {
      case "€": latin.append(0x80)
      case "—": latin.append(0x97)
      default: latin.append(UInt8(scalar.value))
      }
    }
    let utf16 = Array(named("UTF-16").utf16)
    let little: [UInt8] = [0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big: [UInt8] = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("\n \n".utf8) + Array(named("UTF-8").utf8)
    for bytes in [Array(text.utf8), latin, little, big, marked] {
      let document = try FeedReader.read(bytes)
      #expect(document.posts.first?.title.plainText == "Flut in Büsum — 10 €")
      #expect(document.posts.count == 1)
      #expect(document.posts.first?.damage == nil)
    }
    var sjis = Array(named("Shift_JIS").utf8)
    let place = try #require(sjis.firstIndex(of: UInt8(ascii: "F")))
    let end = try #require(sjis[place...].firstIndex(of: UInt8(ascii: "<")))
    sjis.replaceSubrange(place..<end, with: [0x92, 0xAA])
    #expect(try FeedReader.read(sjis).posts.first?.title.plainText == "潮")
  }

  @Test func entities() throws {
    let document = try read(
      """
      <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY sea "the &#x1F30A; sea">
      <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % p "<!ENTITY q 'no'>"> %p;]>
      <rss><channel><title>T</title><item><title>&eacute;&nbsp;&sea;</title>
      <description>a&file;b &unknown; c &amp;lt;</description>
      <link>http://x.example/?a=&eacute;&amp;b=2</link></item></channel></rss>
      """)
    let post = try #require(document.posts.first)
    #expect(post.title.plainText == "é the 🌊 sea" || post.title.plainText == "é\u{A0}the 🌊 sea")
    #expect(post.url == "http://x.example/?a=é&b=2")
    #expect(post.body.plainText.hasPrefix("ab"))
    #expect(!post.body.plainText.contains("root:"))
    #expect(post.body.plainText.hasSuffix("c <"))
    #expect(post.damage?.contains("“file”") == true)
  }

  @Test func bareAmpersandsAreKept() throws {
    let document = try read(
      rss(
        """
        <item><title>Salt & sea AT&T</title><link>http://x.example/?a=1&b=2&amp;c=3</link>
        <description><![CDATA[a & b]]></description>
        <enclosure url="http://x.example/f?x=1&y=2" type="audio/mpeg"/></item>
        """))
    let post = try #require(document.posts.first)
    #expect(post.title.plainText == "Salt & sea AT&T")
    #expect(post.url == "http://x.example/?a=1&b=2&c=3")
    #expect(post.attachments.map(\.url) == ["http://x.example/f?x=1&y=2"])
    #expect(post.body.plainText == "a & b")
    #expect(post.damage == nil)
  }

  /// A `<` that begins no tag is text, in titles, in text and in values.
  @Test func bareBracketsAreKept() throws {
    let posts = try read(
      rss(
        """
        <item><title>I <3 you & a<b, 1<2</title><description>a < b <i>c</i> <= d</description>
        <enclosure url="http://x.example/f" type="audio/mpeg" title="1 < 2"/></item>
        <item><title>x<y</title><description>if x<y and y<"z" then <b>w</b></description></item>
        """)
    ).posts
    #expect(posts.map(\.title.plainText) == ["I <3 you & a<b, 1<2", "x<y"])
    #expect(posts.map(\.body.plainText) == ["a < b c <= d", "if x<y and y<\"z\" then w"])
    #expect(posts.first?.attachments.map(\.url) == ["http://x.example/f"])
    #expect(posts.map(\.damage) == [nil, nil])
    let many = String(repeating: "<a ", count: 200_000) + ">"
    #expect(BareMarkupRepair.repaired(Array(many.utf8)).count == 6 * 200_000 - 2)
  }

  @Test func relativeAddressesUseTheBaseURL() throws {
    let post = try read(
      rss(
        "<item><link>one</link><description>&lt;a href='two'&gt;x&lt;/a&gt;</description></item>"),
      baseURL: "https://tideline.example/feeds/rss"
    ).posts.first
    #expect(post?.url == "https://tideline.example/feeds/one")
    #expect(post?.body.links == ["https://tideline.example/feeds/two"])
  }
}
