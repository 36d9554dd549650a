import TestSupport
import Testing
import TextLayout

@testable import Feeds

@Suite struct PostStreamTests {
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
    var stream = PostStream(format: format)
    var posts: [Post] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      posts += stream.consume(bytes[start..<cut])
      start = cut
    }
    return posts + stream.finish()
  }

  @Test func jsonLines() {
    let found = posts(Array(lines.utf8), .jsonl)
    #expect(
      found.map(\.body.plainText) == [
        "one 🌊 潮", "not JSON, but text", "two", "{\"unknown\":\"field\"}", "cut off", "no id",
      ])
    #expect(found.map { $0.damage == nil } == [true, true, true, true, false, true])
    #expect(found[0].id == "1")
    #expect(found[0].author?.name == "Gauge")
    #expect(found[2].id == "2")
    #expect(found[5].id.hasPrefix("byte "))
  }

  @Test func plainText() {
    let text = "first line\nsecond #tide\r\n\r\n \n\nsee https://x.example/a, (@gauge)\u{1B}[1m\n"
    let found = posts(Array(text.utf8), .text)
    #expect(found.map(\.id) == ["byte 0", "byte 30"])
    #expect(found[0].body.plainText == "first line\nsecond #tide")
    #expect(runs(found[0].body).map(\.1.role) == [.body, .tag])
    #expect(found[1].body.links == ["https://x.example/a"])
    #expect(runs(found[1].body).map(\.1.role) == [.body, .link, .body, .tag, .body])
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

  @Test func piecesMakeNoDifference() {
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
    var stream = PostStream(format: .jsonl, offset: 1_000)
    let found = stream.consume("{\"title\":\"a\"}\n{\"title\":\"b\"}\n".utf8) + stream.finish()
    #expect(found.map(\.id) == ["byte 1000", "byte 1014"])
  }
}

@Suite struct PostWriterTests {
  private func roundTrip(_ post: Post) -> Post? {
    var stream = PostStream(format: .jsonl)
    let line = PostWriter.jsonItem(post)
    #expect(!line.contains("\n"))
    let posts = stream.consume((line + "\n").utf8) + stream.finish()
    #expect(posts.count == 1)
    return posts.first
  }

  @Test func everyFieldComesBack() {
    var post = Post(id: "urn:\"1\"")
    post.author = Post.Author(
      name: "Gauge", handle: "@gauge@tideline.example", url: "https://x.example/@gauge",
      avatar: "https://x.example/a.png")
    post.title = StyledText("High \\ low")
    post.body = StyledText("One\nline\n\nTwo 🌊")
    post.published = 1_498_524_860.25
    post.modified = 1_498_524_861
    post.url = "https://x.example/1"
    post.externalURL = "https://y.example/1"
    post.pictures = [
      Post.Picture(
        url: "https://x.example/p.webp", alternativeText: "Pier", width: 640, height: 480),
      Post.Picture(url: "https://x.example/picture?id=2"),
    ]
    post.attachments = [
      Post.Attachment(
        url: "https://x.example/a.ogg", mediaType: "audio/ogg", title: "Surf", byteCount: 77,
        duration: 1.5)
    ]
    post.tags = ["tide", "sea state"]
    post.language = "en"
    post.contentWarning = "storm"
    post.inReplyTo = "urn:0"
    post.damage = "cut off at byte 7"
    #expect(roundTrip(post) == post)
    #expect(roundTrip(Post(id: "x")) == Post(id: "x"))
  }

  @Test(arguments: [
    "<p>One <b>bold <i>both</i></b> <a href=\"https://x.example/?a=1&amp;b=2\">li<b>n</b>k</a>.</p>",
    "<ul><li>a</li><li>b<ol start=\"9\"><li>c</li><li>d</li></ol></li><li>e<p>f</p></li></ul><p>g</p>",
    "<blockquote>q<p>r</p><blockquote>s</blockquote></blockquote><h2>Head</h2><pre>a\n  b\n\nc</pre>",
    "x<br>y<hr><code>f()</code> <u>u</u> <s>s</s> &lt;&amp;&quot;",
    "<p>see <a class=\"hashtag\" href=\"https://x.example/t\">#tag</a></p><dl><dt>t</dt><dd>d</dd></dl>",
    "<figure><img src=\"https://x.example/p.jpg\"><figcaption>Cap</figcaption></figure>after",
  ])
  func styledTextComesBack(_ html: String) {
    var post = Post(id: "1")
    post.body = HTMLReader.read(html, base: nil).text
    #expect(roundTrip(post)?.body == post.body)
  }

  @Test func plainTextHasTheWholePost() {
    var post = Post(id: "1")
    post.author = Post.Author(name: "Gauge", handle: "@gauge")
    post.published = 1_498_524_860
    post.title = StyledText("Title")
    post.body =
      HTMLReader.read("<p>One</p><ul><li>a</li></ul><blockquote>q</blockquote>", base: nil)
      .text
    post.pictures = [Post.Picture(url: "http://x/p.jpg", alternativeText: "Pier")]
    post.tags = ["tide"]
    post.url = "http://x/1"
    post.damage = "cut off"
    #expect(
      PostWriter.plainText(post) == """
        Gauge @gauge · 2017-06-27 00:54 UTC

        Title

        One

        • a

        > q

        [picture: Pier] http://x/p.jpg
        #tide
        http://x/1

        ! cut off
        """)
  }
}
