import Testing
import TextLayout

@testable import Feeds

@Suite struct HTMLTests {
  private func paragraphs(_ html: String) -> [String] {
    HTMLReader.read(html, base: nil).text.paragraphs.map(\.string)
  }

  @Test(arguments: [
    ("<p>One</p><p>Two</p>", ["One", "Two"]),
    ("<p>  a \n b\t c </p>", ["a b c"]),
    ("a<b> bold </b>c", ["a bold c"]),
    ("<div><div></div><p></p>x</div>", ["x"]),
    ("line<br>break", ["line\nbreak"]),
    ("<p style='white-space: pre-wrap'>a\n b  c\nd</p>e\nf", ["a\nb c\nd", "e f"]),
    (
      "<div STYLE='color:red; White-Space:pre-line !important'>a\nb<p style='white-space:normal'>c\nd",
      ["a\nb", "c d"]
    ),
    ("<span style='white-space-collapse: preserve'>a\nb</span> c\nd", ["a\nb c d"]),
    ("<p style='white-space: nowrap'>a\nb</p><p style='white-space'>c\nd</p>", ["a b", "c d"]),
    ("para<br><br/>next<br>", ["para", "next"]),
    ("&lt;tag&gt; &amp; &nbsp;&eacute;&#8217;&#x1F30A;", ["<tag> & \u{A0}é’🌊"]),
    ("a < b and c > d & e", ["a < b and c > d & e"]),
    ("x<script>alert('<p>')</script><style>p{}</style><!-- no -->y", ["xy"]),
    ("<h2>Head</h2>text", ["Head", "text"]),
    ("a<hr>b", ["a", "───", "b"]),
    (
      "<table><tr><th>Port</th><th>High</th></tr><tr><td>Brest</td><td>6.1</td></tr></table>",
      ["Port │ High", "Brest │ 6.1"]
    ),
    ("<figure><img src='http://x/y.jpg'><figcaption>Low tide</figcaption></figure>", ["Low tide"]),
    ("<p>unclosed <b>bold<p>next", ["unclosed bold", "next"]),
    (
      "<span class='invisible'>https://</span><span class='ellipsis'>tideline.example</span>",
      ["tideline.example…"]
    ),
    ("<q>quoted</q>", ["“quoted”"]), ("<b>The Tide</b>, live", ["The Tide, live"]),
    ("</div>stray <i>end</i>, and more", ["stray end, and more"]),
    ("plain\n\ntext\nwrapped", ["plain", "text wrapped"]),
    ("<p>broken <a href=\"x", ["broken"]),
    ("mood <img class='emoji' alt='🌊' src='http://x/w.png'> high", ["mood 🌊 high"]),
    ("", []), ("<", ["<"]), ("<p>", []), ("&", ["&"]), ("&#0;&#xFFFFFFFF;x", ["\u{FFFD}\u{FFFD}x"]),
    ("&#xD800;&#99999999999;&#1234567890123x", ["\u{FFFD}\u{FFFD}\u{FFFD}x"]),
    ("it&#146s &#8364 5", ["it’s € 5"]),
  ])
  func text(_ html: String, _ expected: [String]) {
    #expect(paragraphs(html) == expected)
  }

  @Test func styles() {
    let html = "<b>b</b><em>i</em><u>u</u><del>s</del><code>c</code><strong><i>bi</i></strong>"
    let found = runs(HTMLReader.read(html, base: nil).text)
    #expect(found.map(\.0) == ["b", "i", "u", "s", "c", "bi"])
    #expect(
      found.map(\.1) == [
        TextStyle(traits: .bold), TextStyle(traits: .italic), TextStyle(traits: .underline),
        TextStyle(traits: .strikethrough), TextStyle(role: .code),
        TextStyle(traits: [.bold, .italic]),
      ])
  }

  @Test func links() throws {
    let html = """
      <a href="/tides?a=1&amp;b=2">one</a> <a href="javascript:alert(1)">two</a> \
      <a href="mailto:sea@example.org">three</a><a href="http://x/empty"><img src="p.jpg"></a> \
      <a class="mention hashtag" href="http://x/t">#tag</a>
      """
    let content = HTMLReader.read(html, base: "https://tideline.example/a/b")
    #expect(
      content.text.links == [
        "https://tideline.example/tides?a=1&b=2", "mailto:sea@example.org", "http://x/t",
      ])
    let found = runs(content.text)
    #expect(found.map(\.0) == ["one", " two ", "three", "#tag"])
    #expect(try found.at(0).1 == TextStyle(role: .link, link: 0))
    #expect(try found.at(1).1 == .body)
    #expect(try found.at(3).1 == TextStyle(role: .tag, link: 2))
    #expect(content.pictures.map(\.url) == ["https://tideline.example/a/p.jpg"])
  }

  @Test func lists() {
    let html = """
      before<ul><li>a</li><li>b<ol start=9><li>nine<li>ten</ol></li><li><p>c</p><p>d</p></li></ul>
      """
    let found = HTMLReader.read(html, base: nil).text.paragraphs
    #expect(found.map(\.string) == ["before", "a", "b", "nine", "ten", "c", "d"])
    #expect(found.map(\.style.marker) == ["", "• ", "• ", "9. ", "10. ", "• ", ""])
    #expect(found.map(\.style.indent) == [0, 2, 2, 6, 6, 2, 2])
    #expect(found.map(\.style.spacingBefore) == [1, 1, 0, 0, 0, 0, 1])
  }

  @Test func quotesAndCode() throws {
    let html =
      "<blockquote>q<blockquote>r</blockquote></blockquote><pre>\nif x {\n  y\n\n}\n</pre>z"
    let found = HTMLReader.read(html, base: nil).text.paragraphs
    #expect(found.map(\.string) == ["q", "r", "if x {\n  y\n\n}", "z"])
    #expect(found.map(\.style.quoteDepth) == [1, 2, 0, 0])
    #expect(found.map(\.style.isPreformatted) == [false, false, true, false])
    #expect(try found.at(2).runs.map(\.style.role) == [.code])
  }

  @Test func media() throws {
    let html = """
      <img src="a.jpg" alt="A &amp; b" width="640px" height="480"><img src="/t.gif" width=1 height=1>
      <img src="data:image/gif;base64,AA" data-src="lazy.png"><img src="a.jpg">
      <iframe src="https://film.example/1" title="Film">fallback</iframe>
      <video poster="p.jpg"><source src="v.mp4" type="video/mp4">Your browser is old</video>
      <img srcset="s-1.jpg 1x, s-2.jpg 2x">
      """
    let content = HTMLReader.read(html, base: "https://x.example/d/")
    #expect(
      content.pictures.map(\.url) == [
        "https://x.example/d/a.jpg", "https://x.example/d/lazy.png", "https://x.example/d/a.jpg",
        "https://x.example/d/p.jpg", "https://x.example/d/s-1.jpg",
      ])
    #expect(try content.pictures.at(0).alternativeText == "A & b")
    #expect(try content.pictures.at(0).width == 640)
    #expect(try content.pictures.at(0).height == 480)
    #expect(
      content.attachments == [
        Post.Attachment(
          url: "https://film.example/1", mediaType: "text/html", title: "Film", place: 0),
        Post.Attachment(url: "https://x.example/d/v.mp4", mediaType: "video/mp4", place: 0),
      ])
    #expect(content.text.isEmpty)
  }

  @Test(arguments: [
    ("Swift: Why You Shouldn&#8217;t", "Swift: Why You Shouldn’t"),
    ("<em>Nature</em> &amp; sea", "Nature & sea"),
    ("Using the <div> element", "Using the <div> element"),
    ("An <Array<Int>> or a <Foo-Bar x=\"1\">", "An <Array<Int>> or a <Foo-Bar x=\"1\">"),
    ("AT&T", "AT&T"), ("a < b", "a < b"), ("<p>A title</p>", "A title"), ("plain", "plain"),
    ("x<br>y", "x y"), ("<em>Sea</em>, air", "Sea, air"),
  ])
  func titles(_ html: String, _ expected: String) {
    #expect(HTMLReader.readTitle(html).plainText == expected)
  }

  @Test func deepNestingIsBounded() {
    for tag in ["div", "b", "ul", "blockquote", "table", "x"] {
      let html = "start " + String(repeating: "<\(tag)>", count: 100_000) + "end"
      let content = HTMLReader.read(html, base: nil)
      #expect(content.text.plainText == "start")
      #expect(content.damage?.contains("1000") == true)
    }
    let fine = String(repeating: "<b>", count: 900) + "deep"
    #expect(HTMLReader.read(fine, base: nil).text.plainText == "deep")
    #expect(HTMLReader.read(fine, base: nil).damage == nil)
  }

  @Test func strayEndTagsAreCheap() {
    let html = String(repeating: "<b>", count: 900) + String(repeating: "</i>", count: 50_000) + "x"
    #expect(HTMLReader.read(html, base: nil).text.plainText == "x")
  }

  @Test func addresses() {
    let base = "https://x.example/a/b?q"
    #expect(FeedAddress.resolve("../c d.jpg", base: base) == "https://x.example/c%20d.jpg")
    #expect(FeedAddress.resolve("//y.example/z", base: base) == "https://y.example/z")
    #expect(FeedAddress.resolve("//y.example/z", base: nil) == "https://y.example/z")
    #expect(
      FeedAddress.resolve(" HTTP://y.example/ü\u{1B}[2J ", base: base) == "HTTP://y.example/ü")
    #expect(FeedAddress.resolve("JavaScript:alert(1)", base: base) == nil)
    #expect(FeedAddress.resolve("data:text/html,x", base: base) == nil)
    #expect(FeedAddress.resolve("c.jpg", base: nil) == nil)
    #expect(FeedAddress.resolve("", base: base) == nil)
  }
}
