import Testing

@testable import Feeds

/// A picture whose address cannot be used keeps its place and description, and a mark says why.
@Suite struct PictureAddressTests {
  private static let dot =
    "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

  /// Media types are compared without case; an unspecific one leaves the decision to the name.
  @Test(arguments: [
    ("a.jpg", "", true), ("a", "IMAGE/PNG", true), ("a", "Image/x", true),
    ("a.PNG", "application/octet-stream", true), ("a.mp3", "application/octet-stream", false),
    ("a.jpg", "Application/Octet-Stream", true), ("a.jpg", "audio/mpeg", false),
  ])
  func aFileIsAPictureByItsTypeOrName(name: String, type: String, isPicture: Bool) throws {
    #expect(FeedAddress.isPicture("https://x.example/\(name)", type: type) == isPicture)
    let address = "url=\"https://x.example/\(name)\" type=\"\(type)\""
    for element in ["enclosure", "media:content"] {
      let post = try read(rss("<item><title>t</title><\(element) \(address)/></item>")).posts.at(0)
      #expect(post.pictures.count == (isPicture ? 1 : 0), "\(element)")
      #expect(post.attachments.count == (isPicture ? 0 : 1), "\(element)")
    }
  }

  /// Addresses in the source, and what a post keeps of them.
  static let addresses = [
    ("javascript:alert(1)", "javascript:"), ("vbscript:x", "vbscript:"),
    ("JAVASCRIPT:x", "javascript:"),
    ("blob:https://x.example/1", "blob:"), ("about:blank", "about:"),
    ("ftp://x.example/a.png", nil),
    ("file:///etc/passwd", nil), ("pictures/a.png", nil), ("../a.png", nil), (dot, nil),
    (
      "data:image/png;base64," + String(repeating: "A", count: FeedAddress.longestPictureData),
      "data:"
    ),
    ("https://x.example/" + String(repeating: "a", count: 9_000), "https:"),
    (String(repeating: "a", count: 9_000), "https:"),
  ].map { ($0.0, $0.1 ?? $0.0) }

  /// Documents in which a picture has this address and, if it has a description, "low tide".
  private typealias Format = (name: String, hasWords: Bool, document: @Sendable (String) -> String)
  private static let documents: [Format] = [
    (
      "JSON Feed", true,
      {
        #"{"id":"1","attachments":[{"url":"\#($0)","mime_type":"image/png","title":"low tide"}]}"#
          + "\n{}"
      }
    ),
    ("JSON Feed's image", false, { #"{"id":"1","title":"a","image":"\#($0)"}"# + "\n{}" }),
    (
      "Mastodon", true,
      {
        #"[{"id":"1","uri":"u","content":"<p>a</p>","account":{"acct":"a"},"media_attachments":"#
          + #"[{"id":"2","type":"image","url":"\#($0)","description":"low tide"}]}]"#
      }
    ),
    (
      "Bluesky", true,
      {
        #"{"feed":[{"post":{"uri":"at://did:plc:a/app.bsky.feed.post/1","author":{"did":"did:plc:a","#
          + #""handle":"a.example"},"record":{"$type":"app.bsky.feed.post","text":"a","#
          + #""createdAt":"2026-01-01T00:00:00Z"},"embed":{"$type":"app.bsky.embed.images#view","#
          + #""images":[{"fullsize":"\#($0)","alt":"low tide"}]}}}]}"#
      }
    ),
    (
      "ActivityPub", true,
      {
        #"{"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","orderedItems":"#
          + #"[{"type":"Note","id":"https://x.example/1","content":"a","attachment":[{"type":"Image","#
          + #""url":"\#($0)","name":"low tide"}]}]}"#
      }
    ),
    (
      "enclosure", false,
      { rss(#"<item><title>a</title><enclosure url="\#($0)" type="image/png"/></item>"#) }
    ),
    (
      "Media RSS", true,
      {
        rss(
          #"<item><title>a</title><media:content xmlns:media="http://search.yahoo.com/mrss/" "#
            + #"url="\#($0)" medium="image"><media:description>low tide</media:description>"#
            + "</media:content></item>")
      }
    ),
    (
      "a thumbnail", false,
      {
        rss(
          #"<item><title>a</title><media:thumbnail xmlns:media="http://search.yahoo.com/mrss/" "#
            + #"url="\#($0)"/></item>"#)
      }
    ),
    (
      "Atom", false,
      {
        #"<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>1</id><title>a</title>"#
          + #"<content type="image/png" src="\#($0)"/></entry></feed>"#
      }
    ),
  ]

  @Test(arguments: documents.map(\.name)) func aPictureKeepsItsPlace(name: String) throws {
    let format = try #require(Self.documents.first { $0.name == name })
    for (written, kept) in Self.addresses {
      let post = try #require(try read(format.document(written)).posts.first)
      #expect(post.pictures.map(\.url) == [kept], "\(written.prefix(60))")
      if format.hasWords { #expect(post.pictures.first?.alternativeText == "low tide") }
    }
  }

  /// Except `data:`, which in a page is a placeholder until a script has run.
  @Test func htmlPicturesStay() {
    for (written, kept) in Self.addresses {
      let content = HTMLReader.read(#"<p>a</p><img src="\#(written)" alt="low tide">"#, base: nil)
      if written.hasPrefix("data:") {
        #expect(content.pictures.isEmpty && content.text.plainText.contains("[low tide]"))
      } else {
        #expect(content.pictures.map(\.url) == [kept], "\(written.prefix(60))")
        #expect(content.pictures.first?.alternativeText == "low tide")
      }
    }
    let lazy = HTMLReader.read(
      #"<img src="\#(Self.dot)" data-src="https://x.example/a.png">"#, base: nil)
    #expect(lazy.pictures.map(\.url) == ["https://x.example/a.png"])
  }

  /// Addresses of which only the scheme is kept stay separate pictures; a usable thumbnail precedes
  /// an unusable one.
  @Test func picturesStayDistinct() throws {
    let files = ["one", "two"].map {
      #"{"url":"javascript:\#($0)","mime_type":"image/png","title":"\#($0)"}"#
    }
    let item = #"{"id":"1","attachments":[\#(files.joined(separator: ","))]}"#
    let post = try #require(try read(item + "\n{}").posts.first)
    #expect(post.pictures.map(\.alternativeText) == ["one", "two"])
    let thumbnails =
      "<bigimage>javascript:x</bigimage><thumbnail>https://x.example/b.png</thumbnail>"
    let other = try #require(
      try read(rss("<item><title>a</title>\(thumbnails)</item>")).posts.first)
    #expect(other.pictures.map(\.url) == ["https://x.example/b.png"])
  }

  /// A listed picture without an address is a picture nevertheless.
  @Test func aPictureWithoutAnAddressKeepsItsWords() throws {
    for address in ["null", #""""#] {
      let status =
        #"[{"id":"1","uri":"u","content":"<p>a</p>","account":{"acct":"a"},"media_attachments":"#
        + #"[{"id":"2","type":"image","url":\#(address),"description":"low tide"}]}]"#
      let picture = try #require(try read(status).posts.first?.pictures.first)
      #expect(picture.url.isEmpty && picture.alternativeText == "low tide")
    }
    #expect(try read(#"{"id":"1","title":"a","image":""}"# + "\n{}").posts.first?.pictures == [])
  }
}
