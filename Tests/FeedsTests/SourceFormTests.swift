import FoundationEssentials
import Testing
import TextLayout

@testable import Feeds

/// Items whose text is passed on in its source's form.
@Suite struct SourceFormTests {
  private func item(_ html: String, base: String = "https://x.example/a/b") throws -> String {
    let escaped = html.split(separator: "]]>", omittingEmptySubsequences: false)
      .joined(separator: "")
    let feed = rss(
      "<item><link>\(base)</link><description><![CDATA[\(escaped)]]></description></item>")
    let document = try FeedReader.read(Array(feed.utf8), as: .source)
    return PostWriter.jsonItem(try #require(document.posts.first))
  }

  private func html(_ source: String) throws -> String {
    let value = try JSONParser.value(of: Array(try item(source).utf8))
    return try #require(JSONFields(value)?.text("content_html"))
  }

  @Test(arguments: [
    ("<p class=x>a  <b>b</b></p>", "<p class=x>a  <b>b</b></p>"),
    ("<a href=\"c?x=1&amp;y=2\">c</a>", "<a href=\"https://x.example/a/c?x=1&amp;y=2\">c</a>"),
    ("<a href='/c'>c</a>", "<a href='https://x.example/c'>c</a>"),
    ("<a href=c>c</a>", "<a href=\"https://x.example/a/c\">c</a>"),
    ("<a href=\"#n\">c</a>", "<a href=\"https://x.example/a/b#n\">c</a>"),
    ("<A HREF='//y.example/z'>c</A>", "<A HREF='https://y.example/z'>c</A>"),
    ("<a href='mailto:a@b.example'>c</a>", "<a href='mailto:a@b.example'>c</a>"),
    ("<a href='javascript:x()'>c</a>", "<a href='javascript:x()'>c</a>"),
    (
      "a<img src=p.jpg srcset='p.jpg 1x, q.jpg 2x'>",
      "a<img src=\"https://x.example/a/p.jpg\" "
        + "srcset='https://x.example/a/p.jpg 1x, https://x.example/a/q.jpg 2x'>"
    ),
    (
      "a<video poster=p.jpg src=v.mp4></video>",
      "a<video poster=\"https://x.example/a/p.jpg\" src=\"https://x.example/a/v.mp4\"></video>"
    ),
    ("a<iframe src=/f></iframe>", "a<iframe src=\"https://x.example/f\"></iframe>"),
    (
      "<blockquote cite=c>a</blockquote>",
      "<blockquote cite=\"https://x.example/a/c\">a</blockquote>"
    ),
    ("<!-- <a href=c> -->a", "<!-- <a href=c> -->a"),
    ("<script>'<a href=c>'</script>a", "<script>'<a href=c>'</script>a"),
    ("a < b <a href", "a < b <a href"), ("a &amp; b", "a &amp; b"),
    ("<a title='>' href=c>c</a>", "<a title='>' href=\"https://x.example/a/c\">c</a>"),
  ])
  func addressesAreMadeAbsolute(_ source: String, _ expected: String) throws {
    #expect(try html(source) == expected)
  }

  /// In every attribute and in every notation.
  @Test(arguments: [
    ("<a href='http://you:hunter3@h.example/a'>c</a>", "<a href='http://h.example/a'>c</a>"),
    ("<a href=HTTPS:you:hunter3@h.example>c</a>", "<a href=\"HTTPS:h.example\">c</a>"),
    ("<a href='//you:hunter3@h.example/a'>c</a>", "<a href='https://h.example/a'>c</a>"),
    ("<a href='http:\\\\you:hunter3@h.example/a'>c</a>", "<a href='http:\\\\h.example/a'>c</a>"),
    (
      "<a href='http://you:hunter3&#64;h.example/?a=1&amp;b'>c</a>",
      "<a href='http://h.example/?a=1&amp;b'>c</a>"
    ),
    ("<a href='http://you:hunter3/x@h.example/'>c</a>", "<a href='http://h.example/'>c</a>"),
    ("a<img src=\"http://you@h.example/a\">", "a<img src=\"http://h.example/a\">"),
    (
      "a<img srcset='http://a:hunter3@h.example/1 1x, http://b:hunter3@h.example/2 2x'>",
      "a<img srcset='http://h.example/1 1x, http://h.example/2 2x'>"
    ),
    ("a<img srcset='http://a:hunter3,4@h.example/1 1x'>", "a<img srcset='http://h.example/1 1x'>"),
    ("a<video poster='http://a:hunter3@h.example/p'>", "a<video poster='http://h.example/p'>"),
    ("a<object data='http://a:hunter3@h.example/p'>", "a<object data='http://h.example/p'>"),
    ("<q cite='http://a:hunter3@h.example/p'>a</q>", "<q cite='http://h.example/p'>a</q>"),
    (
      "<p style='background:url(http://a:hunter3@h.example/p)'>a",
      "<p style='background:url(http://h.example/p)'>a"
    ),
    ("a<form action='http://a:hunter3@h.example/p'>", "a<form action='http://h.example/p'>"),
    (
      "<meta content='0;url=http://a:hunter3@h.example/'>a",
      "<meta content='0;url=http://h.example/'>a"
    ),
    (
      "a<svg><use xlink:href='//a:hunter3@h.example/'></svg>",
      "a<svg><use xlink:href='//h.example/'></svg>"
    ),
    (
      "a<img data-src='//a:hunter3@h.example/' src=/b>",
      "a<img data-src='//h.example/' src=\"https://x.example/b\">"
    ),
    (
      "a<iframe srcdoc='<a href=\"http://a:hunter3@h.example/\">'></iframe>",
      "a<iframe srcdoc='<a href=&quot;http://h.example/&quot;>'></iframe>"
    ),
    (
      "<a href='https://x.example/@gauge'>@gauge</a>",
      "<a href='https://x.example/@gauge'>@gauge</a>"
    ),
    (
      "<a title='http://h.example/ and me@h.example' href='mailto:me@h.example'>c</a>",
      "<a title='http://h.example/ and me@h.example' href='mailto:me@h.example'>c</a>"
    ),
  ])
  func noAddressKeepsAPassword(_ source: String, _ expected: String) throws {
    #expect(try html(source) == expected)
  }

  @Test func textStaysText() throws {
    #expect(try item("one\n\ntwo").contains(#""content_text":"one\n\ntwo""#))
    let feed =
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_text":"<b>"}]}"#
    let document = try FeedReader.read(Array(feed.utf8), as: .source)
    #expect(try PostWriter.jsonItem(document.posts.at(0)).contains(#""content_text":"<b>""#))
  }

  @Test func controlsAreEscaped() throws {
    let line = try item("<p>a\u{1B}[2J\u{9B}1m\u{202E}b\u{2066}\u{200F}\u{85}\u{7F}</p>")
    #expect(line.unicodeScalars.allSatisfy { !isUnsafe(String($0)) && $0 != "\u{200F}" })
    #expect(line.contains(#"\u009b1m\u202eb\u2066\u200f\u0085\u007f"#))
  }

  /// Written and read again, the posts equal those of the source.
  @Test(arguments: [
    "<p>One <b>bold</b> <a href='/x'>link</a></p><ul><li>a<li>b</ul>",
    "<p>a<img src=p.jpg alt=Pier>b</p><table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "<blockquote>q</blockquote>x<sup>2</sup><pre>a\n\tb</pre>", "plain &amp; simple", "one\n\ntwo",
  ])
  func sourceFormReadsAsTheSource(_ source: String) throws {
    let feed = rss(
      "<item><link>https://x.example/a</link><description><![CDATA[\(source)]]></description></item>"
    )
    let styled = try #require(try FeedReader.read(Array(feed.utf8)).posts.first)
    let handedOn = try #require(try FeedReader.read(Array(feed.utf8), as: .source).posts.first)
    #expect(handedOn.id == styled.id)
    #expect(handedOn.body.isEmpty)
    let again = readRows([Array(PostWriter.jsonItem(handedOn).utf8)])
    #expect(again.first?.body == styled.body)
    #expect(again.first?.pictures == styled.pictures)
  }

  @Test func picturesInTheTextAreNotListed() throws {
    let feed = rss(
      """
      <item><enclosure url="https://x.example/a.jpg" type="image/jpeg"/>
      <description>&lt;img src="https://x.example/a.jpg"&gt;text</description></item>
      """)
    let document = try FeedReader.read(Array(feed.utf8), as: .source)
    #expect(!PostWriter.jsonItem(try #require(document.posts.first)).contains("attachments"))
  }

  @Test func markupOfAtomIsWritten() throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><content type="xhtml">
      <div xmlns="http://www.w3.org/1999/xhtml"><p>a &amp; b<br/><a href="/c">c</a></p></div></content>
      </entry></feed>
      """
    let document = try FeedReader.read(Array(feed.utf8), baseURL: "https://x.example/", as: .source)
    let json = PostWriter.jsonItem(try #require(document.posts.first))
    #expect(json.contains(#"<p>a &amp; b<br><a href=\"https://x.example/c\">c</a></p>"#))
  }

  /// Batches of pieces of any size yield the posts of the whole source.
  @Test func batchesEqualWhole() throws {
    let items = (0..<60).map { number in
      "<item><guid>\(number)</guid><description>&lt;p&gt;post \(number)&lt;/p&gt;</description></item>\n"
    }
    let sources: [(FeedFormat, String)] = [
      (.rss, rss(items.joined())),
      (.jsonl, (0..<60).map { "{\"id\":\"\($0)\",\"content_text\":\"post \($0)\"}\n" }.joined()),
      (
        .jsonfeed,
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":["
          + (0..<60).map { "{\"id\":\"\($0)\",\"content_html\":\"<p>\($0)\"}" }
          .joined(separator: ",") + "]}"
      ),
    ]
    for (format, source) in sources {
      let bytes = Array(source.utf8)
      for form in [ContentForm.styled, .source] {
        let whole = try FeedReader.read(bytes, format: format, as: form).posts
        for size in [1, 7, 100, 4_096, bytes.count] {
          var batcher = RowBatcher(format: format, offset: 0, as: form)
          var posts: [Post] = []
          for start in stride(from: 0, to: bytes.count, by: size) {
            posts += batcher.consume(Array(bytes[start..<min(bytes.count, start + size)])).posts()
          }
          posts += try batcher.finish().posts()
          #expect(posts.map(\.id) == whole.map(\.id), "\(format) in pieces of \(size)")
          #expect(posts.map(\.body) == whole.map(\.body))
          #expect(posts.map(\.sourceText) == whole.map(\.sourceText))
        }
      }
    }
  }
}
