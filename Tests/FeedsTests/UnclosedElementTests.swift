import Testing
import TextLayout

@testable import Feeds

/// An element of a feed without an end tag does not contain the elements that follow it.
@Suite struct UnclosedElementTests {
  static let elements = [
    #"<enclosure url="https://x.example/x.jpg" type="image/jpeg" length="1">"#,
    #"<ENCLOSURE URL='https://x.example/x.mp3'>"#, "<category>News", "<category>",
    "<category domain='d'>a<category>b", #"<media:thumbnail url="https://x.example/t.jpg">"#,
    #"<media:content url="https://x.example/c.jpg" medium="image">"#,
    #"<media:content url="https://x.example/c.jpg"><media:title>Low tide</media:title>"#,
    #"<media:content url="https://x.example/1.jpg"><media:content url="https://x.example/2.jpg">"#,
    #"<media:group><media:content url="https://x.example/c.jpg" medium="image"/>"#,
    #"<media:group><media:content url="https://x.example/c.jpg" medium="image">"#,
    "<media:credit>Marit", "<media:keywords>a, b", #"<source url="https://x.example/">Tides"#,
    "<guid>abc", "<guid isPermaLink='false'>", "<link>https://x.example/1",
    #"<link href="https://x.example/1">"#, #"<atom:link rel="self" href="https://x.example/">"#,
    #"<itunes:image href="https://x.example/i.jpg">"#, "<itunes:explicit>no",
    "<comments>https://x.example/c", "<dc:creator>Marit", "<slash:comments>3", "<author>m@x (M)",
    "<wibble>", "<wibble>a<b>c", "<br>", "<hr>", "<img src='https://x.example/p.jpg'>",
    "<image><url>https://x.example/i.png</url>", "<itunes:owner><itunes:name>Marit</itunes:name>",
    #"<enclosure url="https://x.example/1.mp3"><enclosure url="https://x.example/2.mp3">"#,
    "<guid>abc<category>News", "<x:y><x:z>",
  ]

  private static let parts = [
    "<title>Tide</title>", "<description>Body</description>",
    "<pubDate>Sat, 09 Mar 2024 08:05:00 GMT</pubDate>",
  ]

  private static func item(_ unclosed: String, before place: Int, end: String = "</item>")
    -> String
  {
    var parts = parts
    parts.insert(unclosed, at: place)
    return "<item>" + parts.joined(separator: "\n") + end
  }

  @Test(arguments: elements) func keepsNoPartOfItsItem(unclosed: String) throws {
    for place in 0...3 {
      for end in ["</item>", "\n"] {
        let whole = "<item><title>n</title><guid>n</guid></item>"
        let items = [whole, Self.item(unclosed, before: place, end: end), whole]
        let posts = try read(rss(items.joined(separator: "\n"))).posts
        #expect(posts.count == 3)
        let post = try posts.at(1)
        #expect(post.title.plainText == "Tide", "before part \(place)")
        #expect(post.body.plainText == "Body")
        #expect(post.published == 1_709_971_500)
        #expect(post.damage?.contains("has no end") == true)
        #expect(try posts.at(0).damage == nil && posts.at(2).damage == nil)
      }
    }
  }

  /// Its own content is read as well.
  @Test func keepsItsOwn() throws {
    let post = { (element: String) throws in
      try read(rss(Self.item(element, before: 1))).posts.at(0)
    }
    #expect(try post("<category>News<category>Sport</category>").tags == ["News", "Sport"])
    #expect(try post("<guid>abc").id == "abc")
    #expect(try post("<link>https://x.example/1").url == "https://x.example/1")
    #expect(try post("<dc:creator>Marit").author?.name == "Marit")
    #expect(
      try post(
        #"<enclosure url="https://x.example/1.mp3"><enclosure url="https://x.example/2.mp3">"#
      )
      .attachments.map(\.url) == ["https://x.example/1.mp3", "https://x.example/2.mp3"])
    let media = try post(
      #"<media:content url="https://x.example/c.jpg"><media:title>Low tide</media:title>"#
        + #"<media:thumbnail url="https://x.example/t.jpg">"#)
    #expect(
      media.pictures == [
        Post.Picture(url: "https://x.example/c.jpg", alternativeText: "Low tide")
      ])
    #expect(
      try post("<category>a").damage == "XML error in line 4: “category” has no end")
  }

  /// A text that contains an unclosed element ends before the next part, too.
  @Test(arguments: [
    ("<title>Tide<description>Body</description>", "Tide", "Body"),
    ("<title>Tide<br>tables</title><description>a<br>b</description>", "Tide tables", "a\nb"),
    ("<title>Tide<br/>tables</title><description>Body</description>", "Tide tables", "Body"),
    ("<title>Tide</title><description>a <b>bold<guid>1</guid>", "Tide", "a bold"),
    ("<title>Tide</title><description>Body<link>https://x.example/</link>", "Tide", "Body"),
    ("<description>Body<title>Tide</title>", "Tide", "Body"),
    ("<title>Tide</title><content:encoded>Body<guid>1</guid>", "Tide", "Body"),
    (
      "<title>Tide</title><description>a<img src='https://x.example/p.jpg'>b<p>c</description>",
      "Tide", "a\n\nb\n\nc"
    ),
  ])
  func textEndsBeforeTheNextPart(item: String, title: String, body: String) throws {
    let pubDate = "<pubDate>Sat, 09 Mar 2024 08:05:00 GMT</pubDate>"
    let post = try read(rss("<item>\(item)\(pubDate)</item>")).posts.at(0)
    #expect(post.title.plainText == title)
    #expect(post.body.plainText == body)
    #expect(post.published == 1_709_971_500)
  }

  /// Elements with an end tag keep their content.
  @Test func closedMediaKeepsItsContent() throws {
    let post = try read(
      rss(
        #"<item><title>Tide</title><media:group><media:content url="https://x.example/c.jpg">"#
          + "<media:title>Low tide</media:title><media:description>Words</media:description>"
          + #"<media:thumbnail url="https://x.example/t.jpg"/></media:content></media:group>"#
          + "<category>a</item>")
    ).posts.at(0)
    #expect(post.pictures.map(\.alternativeText) == ["Words"])
    #expect(post.body.plainText == "Words")
    #expect(post.tags == ["a"])
  }

  @Test(arguments: [
    #"<link href="https://x.example/1">"#,
    #"<link rel="enclosure" href="https://x.example/1.mp3">"#,
    "<category term='a'>", "<author><name>Marit</name>", "<author><name>Marit",
    "<contributor><name>Jon</name><email>j@x</email>", "<rights>all",
    "<source><id>1</id>", "<thr:in-reply-to ref='1'>", "<media:thumbnail url='https://x/t.jpg'>",
  ])
  func atomEntriesToo(unclosed: String) throws {
    let feed =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Tides</title><entry><id>7</id>\(unclosed)"
      + "<title>Tide</title><updated>2024-03-09T08:05:00Z</updated>"
      + "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>Body</p></div>"
      + "</content></entry><entry><id>8</id><title>Next</title></entry></feed>"
    let posts = try read(feed).posts
    #expect(posts.map(\.title.plainText) == ["Tide", "Next"])
    #expect(try posts.at(0).body.plainText == "Body")
    #expect(try posts.at(0).published == 1_709_971_500)
    #expect(try posts.at(0).damage?.contains("has no end") == true)
    #expect(try posts.at(0).id == "7")
  }

  @Test(arguments: [
    "<link>https://x.example/", "<language>en", "<image><url>https://x.example/i.png</url>",
    #"<atom:link rel="self" href="https://x.example/feed">"#, "<title>Tides",
  ])
  func headsOfFeedsToo(unclosed: String) throws {
    let title = unclosed.hasPrefix("<title>") ? "" : "<title>Tides</title>"
    let document = try read(
      rss(
        "<item><title>one</title></item>",
        head: "\(unclosed)\(title)<webMaster>w</webMaster><managingEditor>Marit</managingEditor>"))
    #expect(document.info.title == "Tides")
    #expect(document.posts.first?.title.plainText == "one")
    #expect(document.posts.last?.damage?.contains("has no end") == true)
  }
}
