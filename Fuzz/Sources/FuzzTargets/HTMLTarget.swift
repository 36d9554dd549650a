import TextLayout

@testable import Feeds

extension FuzzTarget {
  /// HTML to text. The first byte says how often the rest stands in a row, so that what takes more
  /// than linear time shows.
  static let html = FuzzTarget(
    "html", modules: ["Feeds", "TextLayout"], longestInput: 2_048, briefRuns: 4000,
    seeds: htmlSeeds.map { [0] + Array($0.utf8) }
  ) { bytes in
    var input = InputBytes(bytes)
    let times = input.byte() == 255 ? 40 : 1
    let html = String(repeating: input.text, count: times)
    let content = HTMLReader.read(html, base: "https://tideline.example/a/")
    var post = Post(id: "1")
    post.body = content.text
    post.title = HTMLReader.readTitle(html)
    post.pictures = content.pictures
    post.attachments = content.attachments
    post.damage = content.damage
    let decoded = HTMLReader.decodingEntities(html)
    post.author = Post.Author(name: Sanitizing.collapsed(decoded))
    try PostChecks.check(post)
    // Handed on as it is, too.
    let source = HTMLReader.read(html, base: "https://tideline.example/a/", as: .source)
    var handedOn = Post(id: "1")
    source.fill(&handedOn)
    try PostChecks.check(handedOn)
    try require(post.title.paragraphs.count <= 1, "a title of several paragraphs")
    // What is plain text stays as it is.
    if !html.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) {
      try require(decoded == html, "plain text was decoded")
    }
    let frame = TextFrame(post.body, width: 1 + times % 60)
    try require(frame.size.width <= frame.width, "wider than its frame")
  }

  private static let htmlSeeds = [
    "<p>High water at <a href=\"/tags/pier\" class=\"hashtag\" rel=\"tag\">#<span>pier</span></a><br>now",
    "<ul><li>one<ol start=9><li value=99999999999999999999>two</ol></ul><dl><dt>a<dd>b</dl><hr>",
    "<img src=a.png width=99999999999999999999 height=-1 alt=\"x\"><img src=b.png width=1e5 height=0.4px>",
    "<table><tr><th>a<td>b<tr><td><pre>  x\n\ty</pre></table><blockquote><blockquote>q</blockquote>",
    "<video poster=p.jpg><source src=v.mp4 type=video/mp4></video><iframe src=f title=t></iframe>",
    "<script>x</script><span class=invisible>https://</span><span class=ellipsis>a</span><div hidden>h</div>",
    "plain &amp; simple &#27; &#x9b;31m &eacute; &#xD800; &#1114112;\n\nsecond",
    "<table><tr><td colspan=2 rowspan=3>a<td>b<tr><td>c</table>2<sup>32<sub>q</sub></sup>x<sup><a href=#n>1",
    "<math><mfrac><mn>1</mn><mi>x</mi></mfrac><annotation encoding=tex>y</math><iframe src=f>swallowed",
    "<ol type=i reversed start=-3><li><input type=checkbox checked>t<details><summary>s</summary>d</details>",
    "<a href=/x?a&amp;b='1' title=\"<p\"><img srcset='a 1x, b 2x'><video poster=p src=v><blockquote cite=c>",
    "<b><i><u><s><code>nested</b></i> e\u{301} \u{202E} 🏴\u{E0067}\u{E007F}",
  ]
}
