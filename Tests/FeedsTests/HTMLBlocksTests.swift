import Testing
import TextLayout

@testable import Feeds

/// Lists, tables, notes, formulas and embeds, as a browser shows them.
@Suite struct HTMLBlocksTests {
  private func text(_ html: String) -> StyledText { HTMLReader.read(html, base: nil).text }

  private func plain(_ html: String, base: String? = "https://x.example/") -> String {
    var post = Post(id: "1")
    let content = HTMLReader.read(html, base: base)
    post.body = content.text
    post.pictures = content.pictures
    post.attachments = content.attachments
    return PostWriter.plainText(post)
  }

  // MARK: Lists

  @Test(arguments: [
    ("<ol start=3><li>a<li>b</ol>", ["3. ", "4. "]),
    ("<ol start=-1><li>a<li>b</ol>", ["-1. ", "0. "]),
    ("<ol reversed start=3><li>a<li>b</ol>", ["3. ", "2. "]),
    ("<ol reversed><li>a<li>b<li>c</ol>", ["3. ", "2. ", "1. "]),
    ("<ol reversed type=a><li>a<ul><li>b</ul><li>c</ol>", ["b. ", "◦ ", "a. "]),
    ("<ol reversed><li>a<li value=7>b<li>c</ol>", ["3. ", "7. ", "6. "]),
    ("<ol reversed><li value=7>a<li>b</ol>", ["7. ", "6. "]),
    ("<ol type=a><li>a<li>b</ol>", ["a. ", "b. "]),
    ("<ol type=A start=26><li>a<li>b</ol>", ["Z. ", "AA. "]),
    ("<ol type=i start=4><li>a<li>b</ol>", ["iv. ", "v. "]),
    ("<ol type=I start=1999><li>a</ol>", ["MCMXCIX. "]),
    ("<ol><li value=7>a<li>b</ol>", ["7. ", "8. "]),
    ("<ol start=99999999999999999999><li>a</ol>", ["1. "]),
    ("<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>", ["• ", "◦ ", "▪ "]),
    (
      "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox> b</ul>",
      ["☑ ", "☐ "]
    ),
  ])
  func markers(_ html: String, _ expected: [String]) {
    #expect(text(html).paragraphs.map(\.style.marker) == expected)
  }

  /// All items are indented like the one with the widest marker, and their content with them.
  @Test(arguments: [
    ("<ol start=99><li>a<p>b</p><li>c<ul><li>d</ul></ol>e", [5, 5, 5, 7, 0]),
    ("<ol type=i start=7><li>a<li>b<li>c</ol>", [6, 6, 6]),
    ("<ol start=99><li>a<ol start=1000><li>b</ol><li>c</ol>", [5, 11, 5]),
    ("<ul><li>a<ol start=99><li>b<li>c</ol></ul>", [2, 7, 7]),
    ("<ol start=99><li>a<li><table><tr><td>b<td>c</table><li>d</ol>", [5, 5, 5, 5]),
  ])
  func indents(_ html: String, _ expected: [Int]) {
    #expect(text(html).paragraphs.map(\.style.indent) == expected)
  }

  @Test func checkBoxesKeepTheNumbersOfItems() {
    let paragraphs = text("<ol><li><input type=checkbox checked> a</ol>").paragraphs
    #expect(paragraphs.map(\.style.marker) == ["1. "])
    #expect(paragraphs.map(\.string) == ["☑ a"])
  }

  @Test func quotesAndListsNest() {
    let html = """
      <blockquote>one<blockquote><ul><li>two</ul></blockquote></blockquote><ul><li><blockquote>three
      </blockquote></ul>
      """
    #expect(plain(html) == "> one\n\n> > • two\n\n> • three")
  }

  // MARK: Superscripts and subscripts

  @Test(arguments: [
    ("2<sup>32</sup>", "2³²"), ("H<sub>2</sub>O", "H₂O"), ("1<sup>st</sup>", "1ˢᵗ"),
    ("2<sup>n+q</sup>", "2^(n+q)"), ("x<sub>max, y</sub>", "x_(max, y)"),
    ("Sea<sup>®</sup>", "Sea®"), ("a<sup></sup>b", "ab"), ("e<sup> -x </sup>", "e⁻ˣ"),
    ("word<sup id=r><a href='#fn1'>1</a></sup>, so", "word [1], so"),
    ("word<a href='#fn1'><sup>1</sup></a> so", "word [1] so"),
    ("word <sup><a href='#fn1'>[1]</a></sup> so", "word [1] so"),
    ("word<sup><a href='https://y.example/post#fn:2' rel=footnote>†</a></sup>", "word [†]"),
    ("<a href='/square'>m<sup>2</sup></a>", "m²"), ("a<sup>b<sup>2</sup></sup>", "aᵇ²"),
  ])
  func scripts(_ html: String, _ expected: String) {
    #expect(plain(html) == expected)
  }

  @Test func noteMarksAreLinks() throws {
    let content = HTMLReader.read(
      "word<sup><a href='#fn1'>1</a></sup> so", base: "https://x.example/post")
    #expect(content.text.links == ["https://x.example/post#fn1"])
    let found = runs(content.text)
    #expect(found.map(\.0) == ["word ", "[1]", " so"])
    #expect(try found.at(1).1 == TextStyle(role: .link, link: 0))
  }

  /// An unclosed element does not affect the text after it.
  @Test func unclosedScriptsBecomeText() {
    let words = String(repeating: "word ", count: 100)
    #expect(plain("<p>a<sup>1 \(words)</p><p>b</p>") == "a1 \(words.dropLast())\n\nb")
    #expect(plain("a<sup>1<p>b</p><p>c</p>") == "a1\n\nb\n\nc")
  }

  @Test(arguments: [
    ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    (
      "so <math alttext='x'><semantics><mrow><mi>x</mi></mrow>"
        + "<annotation encoding='application/x-tex'>{\\displaystyle x^{2}}</annotation></semantics></math>"
        + "<img class='mwe-math-fallback-image-inline' alt='x' src='x.svg'> is", "so x^{2} is"
    ),
    ("<math alttext='y=2'><mi>y</mi></math>", "y=2"),
    ("<math><mi>y</mi><mo>=</mo><msup><mi>x</mi><mn>32</mn></msup></math>", "y = x³²"),
    (
      "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>",
      "(a + b)/2"
    ),
    ("<math><msqrt><mn>2</mn></msqrt><msub><mi>x</mi><mi>i</mi></msub></math>", "√2xᵢ"),
    (
      "<span class=katex><span class=katex-mathml><math><semantics><mi>E</mi>"
        + "<annotation encoding='application/x-tex'>E</annotation></semantics></math></span>"
        + "<span class=katex-html aria-hidden=true>E</span></span>", "E"
    ),
    ("<math><mi>x", "x"),
  ])
  func formulas(_ html: String, _ expected: String) {
    #expect(plain(html) == expected)
  }

  // MARK: Code

  @Test func tabsInCodeAlign() {
    #expect(
      plain("<pre>if x {\n\ty\n\t\tz\ta\n}</pre>")
        == "if x {\n        y\n                z       a\n}")
    #expect(plain("<pre>a<b>b</b>\tc</pre>") == "ab      c")
  }

  // MARK: Definitions, details, embeds

  @Test func definitionsAndDetails() {
    #expect(plain("<dl><dt>ebb<dd>out<dt>flood<dd>in</dl>") == "ebb\n  out\n\nflood\n  in")
    // An element without an end tag ends where the next one begins, and ends no outer one.
    #expect(plain("<dl><dt>a<dt>b<dd>one<dd><p>two</dl>after") == "a\nb\n  one\n  two\n\nafter")
    #expect(
      plain("<dl><dd>a<dl><dd>b<dd>c</dl>d<dd>e</dl>f") == "  a\n    b\n    c\n\n  d\n  e\n\nf")
    #expect(plain("<dl><dd>a<ul><li>b</ul><dd>c</dl>") == "  a\n\n  • b\n  c")
    #expect(
      plain("<ruby>漢<rp>(<rt>kan<rp>)</ruby> <ruby>字<rt>ji<rt>x</ruby> y") == "漢(kan) 字(ji)(x) y")
    // Several terms with one definition stay together.
    #expect(
      plain("<dl><dt>ebb</dt> <dt>low</dt><dd>out</dl><dl><dt>flood<dd>in</dl>")
        == "ebb\nlow\n  out\n\nflood\n  in")
    let html = "<details><summary>More</summary>inside</details>after"
    #expect(plain(html) == "More\n\ninside\n\nafter")
  }

  @Test(arguments: [
    ("one<embed src=/e.swf>two", "one\n\n[text/html] https://x.example/e.swf\n\ntwo"),
    (
      "one<iframe src=/f title=Film>old</iframe>two",
      "one\n\n[text/html: Film] https://x.example/f\n\ntwo"
    ),
    ("one<iframe src=/f title=Film>two", "one\n\n[text/html: Film] https://x.example/f\n\ntwo"),
    ("one<iframe src=/f title=Film />two", "one\n\n[text/html: Film] https://x.example/f\n\ntwo"),
    ("one<video src=/v.mp4>two", "one\n\n[video] https://x.example/v.mp4\n\ntwo"),
    (
      "one<audio title=Surf><source src=/s.ogg type=audio/ogg>old</audio>two",
      "one\n\n[audio/ogg: Surf] https://x.example/s.ogg\n\ntwo"
    ),
    (
      "one<object data=/o.pdf type=application/pdf>old</object>two",
      "one\n\n[application/pdf] https://x.example/o.pdf\n\ntwo"
    ),
  ])
  func embedsHideNoText(_ html: String, _ expected: String) {
    #expect(plain(html) == expected)
  }

  // MARK: Tables

  @Test func aTableIsAligned() {
    let html = """
      <p>before</p><table><caption>Tides</caption><tr><th>Port<th>High<th>Low</tr>
      <tr><td>Brest<td>6.1<td></tr><tr><td>Saint-Malo<td><td>1.2</tr></table>after
      """
    #expect(
      plain(html) == """
        before
        Tides
        Port       │ High │ Low
        Brest      │ 6.1  │
        Saint-Malo │      │ 1.2

        after
        """)
  }

  @Test func cellsSpanColumnsAndRows() {
    let html = """
      <table><tr><td colspan=3>All<tr><td rowspan=2>a<td>b<td>c<tr><td>d<td>e
      <tr><td colspan=2>f<td>g</table>
      """
    #expect(plain(html) == "All\na │ b │ c\n  │ d │ e\nf │   │ g")
  }

  /// A row may end before the columns that cells above it span, and a cell may span into them.
  @Test func spannedRowsEndInShortRows() {
    let short = """
      <table><tr><td>a<td>b<td rowspan=2>c<tr><td>d<tr><td>e<td>f<td>g</table>
      """
    #expect(plain(short) == "a │ b │ c\nd │   │\ne │ f │ g")
    let wide = """
      <table><tr><td>a<td rowspan=2>b<td>c<tr><td colspan=2>d<td>e<tr><td>f<td>g<td>h</table>
      """
    #expect(plain(wide) == "a │ b │ c\nd │   │ e\nf │ g │ h")
  }

  @Test func cellsWrap() {
    let words = String(repeating: "high water ", count: 12)
    let html = "<table><tr><td>Brest<td>\(words)<tr><td>Calais<td>\(words)</table>"
    let lines = plain(html).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= 96 })
    #expect(lines.map { $0.prefix(9) } == ["Brest  │ ", "       │ ", "Calais │ ", "       │ "])
  }

  @Test func rowsTooWideBecomeRecords() throws {
    let header = (0..<30).map { "<th>column \($0)" }.joined()
    let row = (0..<30).map { $0 == 4 ? "<td>" : "<td>value \($0)" }.joined()
    let lines = plain("<table><tr>\(header)<tr>\(row)<tr>\(row)</table>")
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 61)
    #expect(try lines.at(3) == "column 3: value 3")
    #expect(try lines.at(4) == "column 4:")
    #expect(try lines.at(30).isEmpty)
    #expect(try lines.at(31) == "column 0: value 0")
  }

  /// A layout table only places blocks side by side.
  @Test func layoutTablesStayBlocks() {
    #expect(plain("<table><tr><td><ul><li>a</ul><td>b</table>") == "• a\n\nb")
    #expect(
      plain("<table><tr><td><img src=/a.jpg><td>b</table>")
        == "[picture] https://x.example/a.jpg\n\nb")
    #expect(plain("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>") == "a │ b\n\nc")
    #expect(plain("<table><tr><td>a<p>b</table>") == "a\n\nb")
  }

  @Test func picturesOfATableKeepTheirRow() {
    let html = "<table><tr><td colspan=2><img src=/a.jpg>Map<tr><td>a<td>b</table><img src=/c.jpg>"
    let content = HTMLReader.read(html, base: "https://x.example/")
    #expect(content.text.paragraphs.map(\.string) == ["Map", "a │ b"])
    #expect(content.pictures.map(\.place) == [0, 2])
  }

  @Test func hugeTables() {
    let row = "<tr>" + String(repeating: "<td>x", count: 10)
    let html = "<table>" + String(repeating: row, count: 1_000)
    #expect(text(html).paragraphs.count == 1_000)
    // A table with too many cells becomes blocks.
    let wide = "<tr>" + String(repeating: "<td>x", count: 1_000)
    let tall = String(repeating: "<tr><td>y", count: 1_000)
    #expect(text("<table>\(wide)\(tall)").paragraphs.count == 2_000)
    #expect(text("<table><tr><td colspan=99999 rowspan=99999>x<tr><td>y").paragraphs.count == 2)
  }
}
