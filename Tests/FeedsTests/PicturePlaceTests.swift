import Testing
import TextLayout

@testable import Feeds

/// Pictures store the paragraph before which they stand.
@Suite struct PicturePlaceTests {
  /// Paragraphs and pictures in the order in which they are shown.
  private func blocks(_ post: Post) -> [String] {
    var pictures = post.pictures.filter { $0.place != nil }[...]
    var blocks: [String] = []
    for index in 0...post.body.paragraphs.count {
      while let picture = pictures.first, picture.place == index {
        blocks.append("[\(picture.url.split(separator: "/").last ?? "")]")
        pictures.removeFirst()
      }
      if index < post.body.paragraphs.count { blocks.append(post.body.paragraphs[index].string) }
    }
    #expect(pictures.isEmpty)
    return blocks
  }

  /// Sizes as Media RSS or tideline writes them; impossible ones are ignored.
  @Test(arguments: [
    (#""width":640,"height":480"#, 640, 480), (#""width":"640","height":"480""#, 640, 480),
    (#""_tideline":{"width":640,"height":480},"width":1"#, 640, 480),
    (#""width":-1,"height":808464432"#, nil, nil), (#""width":{}"#, nil, nil),
  ])
  func attachmentsDeclareTheirSize(fields: String, width: Int?, height: Int?) throws {
    let attachment = #"{"url":"https://x.example/a","mime_type":"image/png",\#(fields)}"#
    let item = #"{"id":"1","attachments":[\#(attachment)]}"#
    let picture = try #require(try read(item + "\n" + item).posts.first?.pictures.first)
    #expect(picture.width == width && picture.height == height)
  }

  private func post(_ html: String) -> Post {
    let content = HTMLReader.read(html, base: "https://x.example/")
    var post = Post(id: "1")
    post.body = content.text
    post.pictures = content.pictures
    return post
  }

  @Test(arguments: [
    ("<img src=a.jpg>", ["[a.jpg]"]),
    ("<p>one</p><img src=a.jpg><p>two</p>", ["one", "[a.jpg]", "two"]),
    ("<p>one <img src=a.jpg> two</p>", ["one", "[a.jpg]", "two"]),
    ("<p><img src=a.jpg><br>two</p>", ["[a.jpg]", "two"]),
    ("<p>one</p><p><img src=a.jpg><img src=b.jpg></p>", ["one", "[a.jpg]", "[b.jpg]"]),
    (
      "one<figure><img src=a.jpg><figcaption>Low tide</figcaption></figure>two",
      ["one", "[a.jpg]", "Low tide", "two"]
    ),
    (
      "one<figure><figcaption>Low tide</figcaption><img src=a.jpg></figure>two",
      ["one", "Low tide", "[a.jpg]", "two"]
    ),
    (
      "<ul><li><img src=a.jpg>one<li>two <img src=b.jpg></ul>",
      ["[a.jpg]", "one", "two", "[b.jpg]"]
    ),
    ("<a href=/big><img src=a.jpg></a> one", ["[a.jpg]", "one"]),
    ("mood <img class=emoji alt=wave src=w.png> high", ["mood wave high"]),
    ("one<video poster=p.jpg src=v.mp4>old</video>two", ["one", "[p.jpg]", "two"]),
  ])
  func place(_ html: String, _ expected: [String]) throws {
    let post = post(html)
    #expect(blocks(post) == expected)
    let read = try #require(readRows([Array(PostWriter.jsonItem(post).utf8)]).first)
    #expect(read.pictures == post.pictures)
    #expect(read.body == post.body)
  }

  @Test func aMarkerStaysWithItsWords() {
    let post = post("<ol><li><img src=a.jpg>one</li></ol>")
    #expect(post.body.paragraphs.map(\.style.marker) == ["1. "])
  }

  /// A picture that a feed attaches and also shows in its text is one picture, at its place there.
  @Test func repeatedPicturesShowOnce() throws {
    let item = """
      <item><guid>1</guid><enclosure url="https://x.example/b.jpg?full" type="image/jpeg"/>
      <enclosure url="https://x.example/c.jpg" type="image/jpeg"/>
      <description>&lt;p&gt;one&lt;img src="https://x.example/a.jpg"&gt;two
      &lt;img src="https://x.example/b.jpg" alt="Pier"&gt;</description></item>
      """
    let post = try #require(try read(rss(item)).posts.first)
    #expect(
      post.pictures.map(\.url) == [
        "https://x.example/a.jpg", "https://x.example/b.jpg?full", "https://x.example/c.jpg",
      ])
    #expect(post.pictures.map(\.place) == [1, 2, nil])
    #expect(try post.pictures.at(1).alternativeText == "Pier")
    #expect(
      PostWriter.plainText(post) == """
        Tides

        one

        [picture] https://x.example/a.jpg

        two

        [picture: Pier] https://x.example/b.jpg?full

        [picture] https://x.example/c.jpg
        """)
  }
}
