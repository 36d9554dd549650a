import Testing
import TextLayout

@testable import Feeds

@Suite struct PostWriterTests {
  /// If each voter may choose several answers, there are fewer voters than votes, but at least as
  /// many as one option has votes.
  @Test func pollSharesIgnoreImpossibleVoters() {
    let options = [("Ebb", 8), ("Flow", 2)].map { Post.Poll.Option(title: $0, votes: $1) }
    let counts: [(voters: Int?, share: Double)] = [
      (nil, 0.8), (10, 0.8), (8, 1), (5, 0.8), (0, 0.8), (-1, 0.8),
    ]
    for (voters, share) in counts {
      let poll = Post.Poll(options: options, voters: voters)
      #expect(poll.share(of: options[0]) == share, "\(String(describing: voters))")
    }
  }

  /// Nested quotes are read as deep as those of other networks, and written and shown no deeper.
  @Test func quoteDepthIsBounded() throws {
    var item = #"{"id":"0","content_text":"innermost"}"#
    for depth in 1...160 {
      item = #"{"id":"\#(depth)","content_text":"x","_tideline":{"quotes":[\#(item)]}}"#
    }
    let post = try #require(try read(item, format: .jsonl).posts.first)
    var depth = 0
    var inner = post
    while let next = inner.quotes.first {
      depth += 1
      inner = next
    }
    #expect(depth == JSONFeedReader.maximumDepth + 1)
    #expect(post.damage == nil)
    let again = try #require(try read(PostWriter.jsonItem(post), format: .jsonl).posts.first)
    #expect(again == post)
  }

  func roundTrip(_ post: Post) -> Post? {
    let line = PostWriter.jsonItem(post)
    #expect(!line.contains("\n"))
    let posts = readRows([Array((line + "\n").utf8)])
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
    post.isSensitive = true
    post.filter = "weather"
    post.repostedBy = Post.Author(name: "Buoy", handle: "@buoy@sea.example")
    post.counts = Post.Counts(replies: 3, likes: 40)
    post.poll = Post.Poll(
      options: [Post.Poll.Option(title: "Ebb", votes: 2), Post.Poll.Option(title: "Flood")],
      voters: 2, closes: 1_498_524_900)
    post.card = Post.Card(url: "https://charts.example/", title: "Charts")
    var quote = Post(id: "quoted")
    quote.body = StyledText("Quoted")
    quote.quotes = [Post(id: "further inside")]
    post.quotes = [quote]
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

  @Test(arguments: SocialSamples.all.map(\.0)) func postsOfOtherNetworksComeBack(
    _ format: FeedFormat
  ) throws {
    let sample = try #require(SocialSamples.all.first { $0.0 == format }?.1)
    for post in try read(sample).posts {
      var expected = post
      // A relative address has no base here.
      expected.pictures.removeAll { !FeedAddress.isWeb($0.url) }
      expected.attachments.removeAll { !FeedAddress.isWeb($0.url) }
      var written = post
      (written.pictures, written.attachments) = (expected.pictures, expected.attachments)
      #expect(roundTrip(written) == expected)
    }
  }

  @Test func plainTextHasPollAndQuotes() {
    var post = Post(id: "1")
    post.repostedBy = Post.Author(name: "Buoy")
    post.body = StyledText("Words")
    post.isSensitive = true
    post.poll = Post.Poll(options: [
      Post.Poll.Option(title: "Ebb", votes: 3), Post.Poll.Option(title: "Flood", votes: 1),
    ])
    var quote = Post(id: "2")
    quote.author = Post.Author(name: "Gauge")
    quote.body = StyledText("Quoted")
    post.quotes = [quote]
    post.card = Post.Card(url: "https://charts.example/", title: "Charts")
    post.counts = Post.Counts(replies: 3, likes: 40)
    #expect(
      PostWriter.plainText(post) == """
        Buoy reposted

        [sensitive]

        Words

        - Ebb 75%
        - Flood 25%

        > Gauge
        >
        > Quoted

        [link: Charts] https://charts.example/

        3 replies · 40 likes
        """)
    post.counts = Post.Counts(replies: 1, reposts: 1, likes: 0)
    #expect(PostWriter.plainText(post).hasSuffix("\n1 reply · 1 repost · 0 likes"))
  }
}
