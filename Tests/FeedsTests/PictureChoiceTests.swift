import Testing
import TextLayout

@testable import Feeds

/// The choice of a picture's file: one that fills its place in a list, and no placeholder that a
/// script would replace.
@Suite struct PictureChoiceTests {
  private static let base = "https://x.example/"

  private func pictures(_ html: String) -> [String] {
    HTMLReader.read(html, base: Self.base).pictures.map {
      $0.url.hasPrefix(Self.base) ? String($0.url.dropFirst(Self.base.count)) : $0.url
    }
  }

  @Test func choosesNarrowestFillingFile() {
    let best = { (widths: [Int?]) in PictureChoice.best(of: widths) { $0 } }
    #expect(best([320, 4_000, 1_024, 768, 2_000]) == 768)
    #expect(best([320, 640]) == 640)
    #expect(best([4_000, 2_000]) == 2_000)
    #expect(best([nil, 320]) == 320)
    #expect(best([nil, nil]) == .some(nil))
    #expect(best([]) == nil)
  }

  @Test(arguments: [
    ("src=s.jpg srcset='s.jpg 300w, m.jpg 800w, l.jpg 3000w'", "m.jpg"),
    ("srcset='l.jpg 3000w, m.jpg 800w, s.jpg 300w'", "m.jpg"),
    ("src=s.jpg srcset='s.jpg 300w,m.jpg 700w'", "m.jpg"),
    ("src=f.jpg srcset='l.jpg 3000w'", "l.jpg"),
    ("srcset='a,b.jpg 800w, c,d.jpg 300w'", "a,b.jpg"),
    ("srcset='\n  s.jpg 300w,\n  m.jpg 800w\n'", "m.jpg"),
    ("srcset='s-1.jpg 1x, s-2.jpg 2x'", "s-1.jpg"), ("srcset='s-2.jpg 2x, s-1.jpg'", "s-2.jpg"),
    ("src=a.jpg width=400 srcset='a.jpg 1x, b.jpg 2x'", "a.jpg"),
    ("src=a.jpg width=400 srcset='b.jpg 2x, c.jpg 3x'", "a.jpg"),
    ("src=a.jpg srcset='a.jpg'", "a.jpg"), ("src=a.jpg srcset=''", "a.jpg"),
    ("src=a.jpg srcset=', ,'", "a.jpg"), ("srcset='a.jpg'", "a.jpg"),
    ("src=l.jpg width=320 height=200 srcset='l.jpg 2000w, s.jpg 320w'", "s.jpg"),
    ("src=s.jpg srcset='m.jpg 800w 600h, l.avif 768w'", "m.jpg"),
    ("src='' srcset='s.jpg 300w, m.jpg 800w'", "m.jpg"),
    ("src=spacer.gif srcset='a.jpg'", "a.jpg"),
  ])
  func choosesFromSourceSet(attributes: String, file: String) {
    #expect(pictures("<img \(attributes)>") == [file])
  }

  @Test(arguments: [
    ("<source srcset='s.jpg 320w, m.jpg 900w'><img src=f.jpg>", "m.jpg"),
    ("<source srcset='m.jpg 900w' /><source srcset='l.jpg 2000w'/><img src=f.jpg>", "m.jpg"),
    ("<source type='image/avif' srcset='m.avif 900w'><img src=f.jpg>", "f.jpg"),
    ("<source type='Image/WebP' srcset='m.webp'><img src=f.jpg>", "m.webp"),
    ("<source srcset='m.avif'><img src=f.jpg>", "f.jpg"),
    (
      "<source media='(min-width: 1200px)' srcset=l.jpg><source media='(min-width:600px)' "
        + "srcset=m.jpg><img src=s.jpg>", "m.jpg"
    ),
    ("<source media='(max-width: 480px)' srcset=s.jpg><img src=f.jpg>", "f.jpg"),
    ("<source media='(prefers-color-scheme: dark)' srcset=d.jpg><img src=f.jpg>", "f.jpg"),
    ("<source media='screen and (min-width: 20em)' srcset=m.jpg><img src=f.jpg>", "m.jpg"),
    (
      "<source data-srcset='m.jpg 800w'><img src=spacer.gif data-src=f.jpg class=lazyload>", "m.jpg"
    ),
    ("<img src=f.jpg>", "f.jpg"),
  ])
  func choosesFromPicture(content: String, file: String) {
    #expect(pictures("a<picture>\(content)</picture>b<img src=n.jpg>") == [file, "n.jpg"])
  }

  static let standIns = [
    "src=/lazyload.gif", "src='data:image/gif;base64,AA'", "src='data:image/svg+xml,%3Csvg%3E'",
    "src=''", "", "src='#'", "src=about:blank", "src=/img/placeholder.png", "src=/placeholder/640",
    "src=spacer.gif", "src=/i/blank.gif?v=1", "src=1x1.gif", "src=/1x1.trans.gif", "src=t.gif",
    "src=a.gif width=1 height=1", "src=/i/pixel.png", "src=transparent.png", "src=Loading.GIF",
    "src='https://cdn.example/grey-640x480.gif'", "src=tiny.jpg class='photo lazyload'",
    "src=tiny.jpg class=lazy", "src=/no-image-default.png", "src='javascript:void(0)'",
  ]

  @Test(arguments: [
    "data-src", "data-original", "data-lazy-src", "data-orig-file", "data-hi-res-src", "DATA-SRC",
    "data-srcset", "data-lazy-srcset", "data-large-file", "data-cfsrc", "data-full-src",
  ])
  func lazyFilesAreChosen(attribute: String) {
    for standIn in Self.standIns {
      let html = "<img \(standIn) \(attribute)='https://x.example/a.jpg' alt=tide>"
      #expect(pictures(html) == ["a.jpg"], "\(html)")
      let noscript = html + "<noscript><img src=a.jpg alt=tide></noscript>"
      #expect(pictures(noscript) == ["a.jpg"], "\(noscript)")
    }
  }

  /// A parameter with the name of a character reference is none.
  @Test(arguments: [
    ("a.jpg?a=1&copy=2&h=3", "a.jpg?a=1&copy=2&h=3"), ("a.jpg?x&amp;lt=3", "a.jpg?x&lt=3"),
    ("a.jpg?a&reg=&sect1=2", "a.jpg?a&reg=&sect1=2"), ("a.jpg?a&#38;b=1&c", "a.jpg?a&b=1&c"),
    ("a.jpg?&amp;=1&=2&&x=3", "a.jpg?&=1&=2&&x=3"),
  ])
  func parametersAreNoReferences(written: String, address: String) {
    #expect(pictures("<img src=\"\(written)\">") == [address])
  }

  @Test func aRealFileStays() {
    #expect(pictures("<img src=photo.jpg data-src=large.jpg>") == ["photo.jpg"])
    #expect(pictures("<img src=photo.jpg data-orig-file=huge.jpg>") == ["photo.jpg"])
    #expect(pictures("<img src=loading-dock.jpg data-src=large.jpg>") == ["loading-dock.jpg"])
    #expect(pictures("<img src=a.gif width=1 height=1>") == [])
    #expect(pictures("<img src=blank.gif>") == ["blank.gif"])
    #expect(
      pictures("<img src=blank.gif data-src='a_{width}x.jpg' data-original=b.jpg>") == ["b.jpg"])
    #expect(
      pictures("<img data-srcset='s.jpg 300w, m.jpg 800w' data-src=s.jpg src='data:,'>") == [
        "m.jpg"
      ])
  }

  /// A picture that a page contains twice, once in a `<noscript>`, is shown once.
  @Test(arguments: [
    ("<img src=spacer.gif><noscript><img src=a.jpg></noscript>", ["a.jpg"]),
    ("<img src='data:,' alt=Tide> <noscript><img src=a.jpg></noscript>", ["a.jpg"]),
    (
      "<img data-src=a.jpg?w=640 class=lazy><noscript><img src=a.jpg?w=1></noscript>",
      ["a.jpg?w=640"]
    ),
    ("<img data-src=/i?id=1&w=640><noscript><p><img src=/i?id=1></p></noscript>", ["i?id=1&w=640"]),
    ("<noscript><img src=a.jpg></noscript><img src=blank.gif data-src=b.jpg>", ["a.jpg"]),
    (
      "<img data-src=a.jpg><noscript><img src=a.jpg></noscript><img data-src=b.jpg><noscript>"
        + "<img src=b.jpg></noscript>", ["a.jpg", "b.jpg"]
    ),
    ("<img src=a.jpg><noscript><img src=b.jpg></noscript>", ["a.jpg", "b.jpg"]),
    ("<img data-src=a.jpg>text<noscript><img src=b.jpg></noscript>", ["a.jpg", "b.jpg"]),
    (
      "<noscript><img src=a.jpg></noscript><noscript><img src=b.jpg></noscript>",
      ["a.jpg", "b.jpg"]
    ),
    (
      "<img src='data:,'><noscript><picture><source srcset='s.webp 300w, m.webp 800w'>"
        + "<img src=f.jpg></picture></noscript>", ["m.webp"]
    ),
    ("<img data-src=a.jpg><noscript><img src=t.gif width=1 height=1></noscript>", ["a.jpg"]),
  ])
  func copiesMerge(html: String, files: [String]) {
    #expect(pictures(html) == files)
    let source = HTMLReader.read(html, base: Self.base, as: .source)
    #expect(source.pictures.map(\.url) == files.map { Self.base + $0 })
  }

  /// The description of a picture without an address is shown once, unless its copy has an address.
  @Test(arguments: [
    (
      "one<img src='data:,' alt=Tide><noscript><img src=a.jpg alt=Tide></noscript>two", "one\n\ntwo"
    ),
    ("one <img src='data:,' alt=Tide> two", "one [Tide] two"),
    ("one <img src='data:,' alt=Tide><noscript>old</noscript> two", "one [Tide]old two"),
    ("one <b><img src='data:,' alt=Tide></b>", "one [Tide]"),
    ("<img src='data:,' alt=Tide><img src=a.jpg>two", "[Tide]\n\ntwo"),
    ("<img src='data:,' alt=Tide><img src='data:,' alt=Pier>", "[Tide][Pier]"),
    ("<img src='data:,' alt=Tide>", "[Tide]"),
  ])
  func altTextStays(html: String, text: String) {
    let content = HTMLReader.read(html, base: Self.base)
    #expect(content.text.plainText == text)
    #expect(content.pictures.allSatisfy { $0.url.hasSuffix("a.jpg") })
  }

  @Test func choosesFromMediaRSS() throws {
    let variants = { (files: String) throws in
      try read(
        rss("<item xmlns:media=\"http://search.yahoo.com/mrss/\"><title>t</title>\(files)</item>")
      ).posts.at(0).pictures.map(\.url)
    }
    let content = { (name: String, width: Int) in
      "<media:content url=\"https://x.example/\(name)\" medium=\"image\" width=\"\(width)\"/>"
    }
    let group = content("s.jpg", 140) + content("l.jpg", 4_000) + content("m.jpg", 800)
    #expect(try variants("<media:group>\(group)</media:group>") == ["https://x.example/m.jpg"])
    #expect(
      try variants(
        content("a.jpg?width=140", 140) + content("a.jpg?width=1200", 1_200)
          + content("a.jpg?width=900", 900)) == ["https://x.example/a.jpg?width=900"])
    #expect(
      try variants(
        "<media:thumbnail url=\"https://x.example/s.jpg\" width=\"75\"/>"
          + "<media:thumbnail url=\"https://x.example/m.jpg\" width=\"480\"/>")
        == ["https://x.example/m.jpg"])
  }
}
