import TestSupport
import Testing
import TextLayout

@testable import Feeds

/// Items are found by their boundaries, whatever errors are inside or around them.
@Suite struct BoundaryTests {
  private func items(_ numbers: ClosedRange<Int>, separator: String = "\n") -> String {
    numbers.map { "<item><title>n\($0)</title><guid>g\($0)</guid></item>" }
      .joined(separator: separator)
  }

  private func titles(_ text: String) throws -> [String] {
    try read(text).posts.filter { !$0.isBlank }.map(\.title.plainText)
  }

  @Test func itemsInCommentsAndCDATAAreIgnored() throws {
    let text = rss(
      """
      <!-- <item><title>no</title></item> -->
      <item><title>one</title><description><![CDATA[</item><item><title>no</title></item>]]>
      </description></item><!--</channel>--><item><title>two</title>
      <!-- <item> --><description>x</description></item>
      """)
    let posts = try read(text).posts
    #expect(posts.map(\.title.plainText) == ["one", "two"])
    #expect(posts.map(\.damage) == [nil, nil])
  }

  @Test func itemsInEntityValuesAreIgnored() throws {
    let text =
      "<!DOCTYPE rss [<!ENTITY a \"<item>\"><!-- <item> --><!ENTITY sea 'the sea'>]>\n"
      + "<rss><channel><title>&sea;</title>\(items(1...2))<item><title>&sea; &amp;</title></item>"
      + "</channel></rss>"
    let document = try read(text)
    #expect(document.info.title == "the sea")
    #expect(document.posts.map(\.title.plainText) == ["n1", "n2", "the sea &"])
    #expect(document.posts.allSatisfy { $0.damage == nil })
  }

  /// An unclosed section damages only its item.
  @Test(arguments: ["<![CDATA[", "<!--"]) func sectionsWithoutAnEnd(_ mark: String) throws {
    let close = mark == "<!--" ? "-->" : "]]>"
    let section = { (text: String) in "<description>\(mark)\(text)\(close)</description>" }
    let text = rss(
      (1...9).map { number in
        let whole = "<item><title>n\(number)</title>\(section("words"))</item>"
        return number == 4 ? whole.replacing(close, with: "") : whole
      }.joined(separator: "\n"))
    #expect(try titles(text) == (1...9).map { "n\($0)" })
    let marked = try read(text).posts.filter { $0.damage != nil }
    #expect(marked.map(\.title.plainText) == ["n4"])
    #expect(marked.first?.damage?.contains("line 6") == true)
  }

  @Test func textBeforeAFeedIsMarked() throws {
    let warnings = [
      "<br />\n<b>Warning</b>:  x in <b>/y.php</b> on line <b>3</b><br />\n",
      "Warning: x in /y.php on line 3\n", "PHP Notice: a < b\n",
    ]
    for warning in warnings {
      let document = try read(warning + rss(items(1...5)))
      #expect(document.format == .rss)
      #expect(document.info.title == "Tides")
      #expect(document.posts.prefix(5).map(\.title.plainText) == (1...5).map { "n\($0)" })
      #expect(
        document.posts.dropFirst(5).map(\.damage) == [
          "XML error in line 1: text before the feed"
        ])
    }
    let behind = try read(rss(items(1...2)) + "\n<br /><b>Warning</b>: x")
    #expect(behind.posts.prefix(2).map(\.damage) == [nil, nil])
  }

  @Test func anItemWithoutAStartIsKept() throws {
    let text = rss(items(1...5)).replacing(
      "<item><title>n3", with: "<title>n3")
    let posts = try read(text).posts
    #expect(posts.map(\.title.plainText) == (1...5).map { "n\($0)" })
    #expect(try posts.at(2).damage == "XML error in line 5: an item without a start")
    #expect(posts.filter { $0.damage != nil }.count == 1)
  }

  @Test func namespacesAddressesAndLanguageReachEachItem() throws {
    let document = try read(
      """
      <?xml version="1.0"?>
      <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="http://x.example/dir/"
        xmlns:m="http://search.yahoo.com/mrss/" xml:lang="fr">
      <a:title>T</a:title>
      <a:entry><a:id>1</a:id><a:title>one</a:title><a:link href="p1"/><m:thumbnail url="i.png"/>
      </a:entry>
      <entry><a:id>2</a:id></entry><x:entry xmlns:x="urn:x"/>
      </a:feed>
      """)
    #expect(document.posts.map(\.id).prefix(1) == ["1"])
    let post = try #require(document.posts.first)
    #expect(post.url == "http://x.example/dir/p1")
    #expect(post.language == "fr")
    #expect(post.pictures.map(\.url) == ["http://x.example/dir/i.png"])
  }

  @Test func metadataBehindTheItemsIsRead() throws {
    let text =
      "<rss><channel>\(items(1...3))<title>Late</title><language>de</language>"
      + "<link>http://x.example/</link></channel></rss>"
    let document = try read(text)
    #expect(document.info.title == "Late")
    #expect(document.posts.map(\.language) == ["de", "de", "de"])
  }

  /// A tag removed at random costs at most its item.
  @Test func removedTagCostsOnlyItsItem() throws {
    let feeds = [
      rss(items(1...12)),
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>F</title><link href=\"http://x.example/\"/>"
        + (1...12).map {
          "<entry><id>g\($0)</id><title>n\($0)</title><content type=\"xhtml\">"
            + "<div xmlns=\"http://www.w3.org/1999/xhtml\"><p>a <b>b</b></p></div></content></entry>"
        }.joined(separator: "\n") + "</feed>",
    ]
    var lost = 0
    for (index, feed) in feeds.enumerated() {
      let tags = tags(in: feed)
      for tag in tags.dropFirst(index == 0 ? 1 : 0) {
        var bytes = Array(feed.utf8)
        bytes.removeSubrange(tag)
        let left = (try? FeedReader.read(bytes))?.posts ?? []
        let found = Set(left.map(\.title.plainText)).intersection((1...12).map { "n\($0)" })
        let removed = String(decoding: Array(feed.utf8)[tag], as: UTF8.self)
        #expect(found.count >= 11, "feed \(index) without \(removed) at \(tag.lowerBound)")
        lost += 12 - found.count
      }
    }
    #expect(lost < 80)
  }

  /// Sections without an end, or all with the same one, are scanned once.
  @Test func sectionsAreScannedOnce() throws {
    for (mark, end) in [
      ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!DOCTYPE [", ""), ("<!--<item>", "-->"),
    ] {
      let open = String(repeating: mark, count: 3_000)
      for tail in ["", end, "<item>\(mark)\(end)"] {
        let text = "<rss><channel>\(open)\(tail)\(items(1...2))</channel></rss>"
        let before = "\(open)\(tail)<rss><channel>\(items(1...2))</channel></rss>"
        for source in [text, before] {
          var scanner = XMLRowScanner(offset: 0)
          var count = 0
          Array(source.utf8).withUnsafeBytes {
            _ = scanner.scan(SourcePiece(bytes: $0, base: 0, isFinal: true)) { _ in count += 1 }
          }
          #expect(count >= 2, "\(mark) \(tail)")
        }
      }
    }
  }

  func tags(in text: String) -> [Range<Int>] {
    let markup = XMLMarkup(Array(text.utf8))
    var tags: [Range<Int>] = []
    var position = 0
    while let start = markup.opening(from: position) {
      let end = markup.sectionEnd(at: start) ?? markup.tag(at: start).end
      tags.append(start..<end)
      position = end
    }
    return tags
  }

  func itemStarts(_ markup: XMLMarkup) -> [Int] {
    var scanner = XMLRowScanner(offset: 0)
    var starts: [Int] = []
    markup.bytes.withUnsafeBytes {
      _ = scanner.scan(SourcePiece(bytes: $0, base: 0, isFinal: true)) { starts.append($0.start) }
    }
    return starts
  }

  /// Rows read one by one equal those of the document read whole, for all boundaries of pieces.
  @Test func rowsEqualReadingTheWhole() throws {
    let samples = [
      rss(items(1...20)), rss(items(1...20)).replacing("</item>", with: "</p></item>"),
      rss(items(1...9)) + items(10...12),
      "junk\n" + rss(items(1...5)).replacing("<item><title>n3", with: "<title>n3"),
      rss(
        "<item/><item a='>'/>" + items(1...3) + "<!-- <item> --><item><![CDATA[</item>]]></item>"),
      rss(items(1...3)).replacing("</item>", with: ""),
    ]
    for sample in samples {
      let bytes = Array(sample.utf8)
      let whole = try FeedReader.read(bytes, format: .rss)
      let expected = rows(bytes, cuts: [])
      for seed in UInt64(1)...60 {
        var generator = SeededGenerator(seed: seed)
        let cuts = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
        let found = rows(bytes, cuts: cuts)
        #expect(found.rows == expected.rows, "seed \(seed), \(sample.prefix(60))")
        #expect(found.scanner.head == expected.scanner.head, "seed \(seed), \(sample.prefix(60))")
      }
      let reader = RowReader(format: .rss, head: expected.scanner.head)
      let posts = expected.rows.indices.map { index in
        let start = expected.rows[index].start
        let end =
          index + 1 < expected.rows.count ? expected.rows[index + 1].start : bytes.count
        return bytes[start..<end].withUnsafeBytes {
          reader.post(
            $0, offset: start, length: $0.count, line: { expected.rows[index].line })
        }
      }
      #expect(posts.map(\.title) == whole.posts.prefix(posts.count).map(\.title))
      #expect(posts.map(\.damage) == whole.posts.prefix(posts.count).map(\.damage))
      #expect(reader.info == whole.info)
    }
  }

  private func rows(
    _ bytes: [UInt8], cuts: [Int]
  ) -> (rows: [RowScanner.Row], scanner: RowScanner) {
    var scanner = RowScanner(format: .rss, offset: 0)
    var rows: [RowScanner.Row] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      bytes[start..<cut].withUnsafeBytes { scanner.consume($0) { rows.append($0) } }
      start = cut
    }
    scanner.finish { rows.append($0) }
    return (rows, scanner)
  }
}
