import TestSupport
import Testing

@testable import Feeds

/// A small feed of each format, cut at every byte: no crash, no hang, one error or marked posts.
@Suite struct TruncationTests {
  private static let html: String = """
    <p>a<sup>2</sup> <a href='/b'>b</a></p><table><tr><td>1<td>2<tr><td>3</table><ol start=3><li>c</ol>\
    <pre>\\tx</pre><img src=p.jpg><math><mi>y</mi></math>
    """

  private static let escaped: String =
    html.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")

  private static let rss: String = """
    <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e 'x'>]><rss \
    xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel><title>t</title><item><guid>1</guid>\
    <c:encoded><![CDATA[\(html)]]></c:encoded></item><!-- <item> --><item><title>&e;</title>\
    <description>\(escaped)</description></item></channel></rss>
    """

  private static let atom: String = """
    <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><content type="html">\(escaped)\
    </content></entry><entry><id>2</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">\
    <b>x</b></div></content></entry></feed>
    """

  private static let jsonfeed: String = """
    {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_html":"\(html)"},\
    {"id":2,"content_text":"\\u00e9\\ud83c\\udf0a"}]}
    """

  private static let mastodon: String = """
    [{"id":"1","created_at":"2024-03-09T08:05:00Z","content":"<p>x</p>","account":{"acct":"a"}}]
    """

  private static let bluesky: String = """
    {"thread":{"post":{"uri":"at://a/b/c","author":{"handle":"a"},"record":{"text":"x",\
    "createdAt":"2024-03-09T08:05:00Z"}},"replies":[{"post":{"uri":"at://a/b/d","record":{"text":"y",\
    "createdAt":"2024-03-09T08:05:00Z"}}}]}}
    """

  private static let activitypub: String = """
    {"type":"OrderedCollection","orderedItems":[{"type":"Create","object":{"type":"Note",\
    "id":"https://x.example/1","content":"<p>x</p>"}}]}
    """

  static let sources: [(FeedFormat, String)] = [
    (.rss, rss), (.atom, atom), (.jsonfeed, jsonfeed), (.mastodon, mastodon), (.bluesky, bluesky),
    (.activitypub, activitypub), (.text, "one\n\ntwo <b>\u{E9}"),
    (.jsonl, "{\"id\":\"1\",\"content_html\":\"\(html)\"}\n{\"id\":\"2\",\"title\":\"x\"}\n"),
  ]

  @Test(arguments: sources) func atEveryByte(_ format: FeedFormat, _ source: String) throws {
    let bytes = Array(source.utf8)
    let whole = try FeedReader.read(bytes, format: format)
    #expect(whole.posts.allSatisfy { $0.damage == nil }, "\(whole.posts.compactMap(\.damage))")
    for end in bytes.indices {
      let cut = Array(bytes[..<end])
      for form in Rounds.some(of: [ContentForm.styled, .source], number: end, step: 2) {
        guard let document = try? FeedReader.read(cut, format: format, as: form) else { continue }
        #expect(document.posts.count <= whole.posts.count + 1)
        for post in document.posts {
          #expect(!PostWriter.jsonItem(post).utf8.contains(0x0A))
          _ = PostWriter.plainText(post)
        }
      }
      // A truncated source may be detected as another format.
      if end % 4 == 0 || Rounds.areMany { _ = try? FeedReader.read(cut) }
    }
  }

  @Test func aPostOfTenMegabytes() throws {
    let text = String(repeating: "<p>high water</p>", count: 600_000)
    let feed =
      "<rss><channel><item><description><![CDATA[\(text)]]></description></item>"
      + "<item><title>last</title></item></channel></rss>"
    let document = try FeedReader.read(Array(feed.utf8))
    #expect(document.posts.count == 2)
    #expect(try document.posts.at(0).damage?.contains("only its beginning") == true)
    #expect(try document.posts.at(1).title.plainText == "last")
  }
}
