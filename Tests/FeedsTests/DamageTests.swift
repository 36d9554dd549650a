import TestSupport
import Testing
import TextLayout

@testable import Feeds

@Suite struct DamageTests {
  @Test func otherContentIsRefused() {
    #expect(failure("") == .empty)
    #expect(failure(" \n\t ") == .empty)
    #expect(failure([0xEF, 0xBB, 0xBF]) == .empty)
    #expect(failure("<!doctype html><html><p>x") == .html)
    #expect(failure("  <!-- c --><HTML><head><title>x</title>") == .html)
    #expect(
      failure(
        "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\"/>")
        == .html)
    #expect(failure("<p>hello</p>") == .html)
    #expect(failure("<?xml version=\"1.0\"?><plist><dict/></plist>") == .unknownXML(root: "plist"))
    #expect(failure([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]) == .binary(byte: 8))
    #expect(failure(Array("%PDF-1.7 text".utf8)) == .binary(byte: 0))
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<4_096).map { _ in UInt8.random(in: 1...255, using: &generator) }
    if case .binary = failure(noise) {} else { Issue.record("noise is binary") }
    #expect(failure("<?xml version=\"1.0\"?>") != nil)
    #expect(failure("<rss><channel><title>x") != nil)
    #expect(failure("{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"x") != nil)
    #expect(failure("{\"items\":[{\"id") != nil)
    #expect(failure("{\"items\":[]}") == nil)
    #expect(failure("<rss><channel><title>Empty</title></channel></rss>") == nil)
  }

  @Test(arguments: [
    ("<3 the sea\n\nsecond", FeedFormat.text), ("<gauge> hello\n<ship> hi", .text),
    ("[link] text", .text), ("{curly} text", .text), ("hello", .text),
    ("{\"content_text\":\"x\"}", .jsonl), ("{\"a\":1}\n{\"b\":2}\n", .jsonl),
    ("{\n \"name\": \"package\"\n}\nx", .text), ("{\"items\":[]}", .jsonfeed),
    ("log line\n{\"id\":1}\n{\"id\":2}\n", .jsonl), ("[{\"id\":1}]", .jsonfeed), ("[]", .jsonfeed),
    ("[{\"id\":\"1\",\"account\":{\"acct\":\"a\"},\"spoiler_text\":\"", .mastodon),
    ("[{\"id\":\"1\",\"account\":\"savings\",\"visibility\":\"x\"}]", .jsonfeed),
    ("{\"type\":\"OrderedCollectionPage\",\"orderedItems\":[", .activitypub),
    ("{\"@context\":\"x\",\"items\":[]}", .activitypub),
    ("{\"feed\":[{\"post\":{\"uri\":", .bluesky),
    ("{\"feed\":\"x\",\n\"posts\":[1]}\nx", .text),
    ("{\"rss\":{\"channel\":{}}}", .jsonfeed), ("<RSS version='2.0'>", .rss),
    ("{\"version\":\"https://jsonfeed.org/version/1.1\",", .jsonfeed), ("<feed>", .atom),
    ("{\"id\":\"1\",\"content_text\":\"cut", .jsonl), ("<?xml version='1.0'?>\n<rss>", .rss),
  ])
  func detection(_ text: String, _ format: FeedFormat) throws {
    #expect(try FeedReader.detect(Array(text.utf8)) == format)
  }

  @Test func truncatedXML() throws {
    let whole = rss("<item><title>one</title></item>\n<item><title>two</title></item>")
    let document = try read(whole.firstPart(before: "wo</title>"))
    #expect(document.posts.map(\.title.plainText) == ["one", "t"])
    #expect(try document.posts.at(0).damage == nil)
    #expect(try document.posts.at(1).damage?.contains("line 4") == true)

    let marked = try read(whole.firstPart(before: "\n<item><title>two"))
    #expect(marked.posts.count == 2)
    #expect(try marked.posts.at(1).isBlank)
    #expect(try marked.posts.at(1).damage?.contains("line 3") == true)
  }

  /// The message names one place, the correct one.
  @Test(arguments: [
    "<rss><channel>" + String(repeating: "\n", count: 17) + "<item><",
    "\n\n<rss><channel>" + String(repeating: "\n", count: 15) + "<item></x>",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + String(repeating: "\n", count: 17)
      + "<entry><title></entry>",
    String(repeating: "\n", count: 17) + "<?xml version=\"1.0\"?><",
  ])
  func damageOfTheFirstItemNamesItsLine(text: String) throws {
    let error = try #require(throws: FeedError.self) {
      try FeedReader.read(Array(text.utf8))
    }
    let lines = error.message.split(separator: "line ").dropFirst().map {
      $0.prefix { $0.isNumber }
    }
    #expect(lines.first == "18", "\(error.message)")
    #expect(Set(lines).count == 1, "\(error.message)")
  }

  @Test func malformedXML() throws {
    let document = try read(
      rss(
        """
        <item><title>one<b></title></item>
        <item><title>a < b</title><description>kept &amp; kept</description></item>
        <item><title>unclosed</title>
        <item><title>four &amp; more</title></item>
        """))
    let titles = document.posts.prefix(4).map { $0.title.plainText.prefix(8) }
    #expect(titles == ["one", "a < b", "unclosed", "four & m"])
    #expect(try document.posts.at(1).body.plainText == "kept & kept")
    #expect(try document.posts.at(3).title.plainText == "four & more")
    #expect(try document.posts.at(0).damage?.contains("line 3") == true)
    // Its text is complete.
    #expect(try document.posts.at(1).damage == nil)
  }

  /// Undeclared prefixes are errors to libxml2, and after a hundred errors it may report no more.
  @Test func bareMarkupBehindManyErrorsIsKept() throws {
    let undeclared = String(repeating: "<x:y/>", count: 150)
    let posts = try read(rss("<item>\(undeclared)<title>Salt & sea <3</title></item>")).posts
    #expect(posts.map(\.title.plainText) == ["Salt & sea <3"])
  }

  /// Extra, missing and misordered end tags lose no item, and mark the item that contains them.
  @Test(arguments: [
    "<item><title>two</title>TAG</p></div></item>", "<item></p></div><title>two</title></item>",
    "<item><title>two</title><description>a<br>b<b>c</description></item>",
    "<item><title>two</title><description><i><b>a</i></b></description></item>",
    "<item><title>two</TITLE></Title></item>", "<item><title>two</title></ITEM></item>",
  ])
  func mismatchedTagsLoseNoItem(second: String) throws {
    let items = { (numbers: ClosedRange<Int>) in
      numbers.map { "<item><title>n\($0)</title><guid>\($0)</guid></item>" }.joined(separator: "\n")
    }
    for separator in ["\n", ""] {
      let document = try read(
        rss("\(items(1...3))\(separator)\(second)\(separator)\(items(4...40))"))
      let marked = document.posts.filter { $0.damage != nil }
      #expect(document.posts.filter { !$0.isBlank }.count == 41)
      #expect(marked.first?.title.plainText == "two" || second.hasSuffix("</ITEM></item>"))
      #expect(marked.count == 1)
      let line = separator.isEmpty ? 5 : 6
      #expect(marked.first?.damage?.hasPrefix("XML error in line \(line): ") == true)
    }
  }

  @Test func strayTagsBetweenItemsMarkTheFeed() throws {
    let document = try read(
      rss("<item><title>one</title></item>\n</p></div>\n<item><title>two</title></item>"))
    #expect(document.posts.map(\.title.plainText) == ["one", "two", ""])
    #expect(
      document.posts.map(\.damage) == [
        nil, nil, "XML error in line 4: an end of “p” that began nowhere",
      ])
  }

  /// Text that a parser quotes from the source is one line with single spaces, the form in which
  /// damage is read back.
  @Test func damageIsASingleLine() {
    var post = Post(id: "1")
    post.damage = " not read:\ta  b\u{A0}\u{3000}c\n"
    #expect(post.damage == "not read: a b c")
    post.damage = nil
    #expect(post.damage == nil)
  }

  /// In a UTF-8 document; without other evidence of UTF-8 it would be Windows-1252.
  @Test func invalidBytesAreMarked() throws {
    var bytes = Array(rss("<item><title>fïne</title></item><item><title>b?d</title></item>").utf8)
    bytes[try #require(bytes.lastIndex(of: UInt8(ascii: "?")))] = 0xFC
    let posts = try FeedReader.read(bytes).posts
    #expect(posts.map(\.title.plainText) == ["fïne", "b\u{FFFD}d"])
    #expect(try posts.at(0).damage == nil)
    #expect(try posts.at(1).damage?.contains("replaced") == true)
  }

  @Test func billionLaughs() {
    var bomb = "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY l0 \"laugh\">"
    for level in 1..<12 {
      bomb += "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    bomb += "]><rss><channel><item><title>before</title></item><item><title>&l11;</title></item>"
    bomb += "</channel></rss>"
    let posts = (try? read(bomb))?.posts ?? []
    #expect(posts.first?.title.plainText == "before")
    #expect(posts.dropFirst().contains { $0.damage != nil })
    #expect(posts.reduce(0) { $0 + $1.title.plainText.utf8.count } <= FeedLimits.itemBytes)
    let recursive =
      "<!DOCTYPE rss [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>"
      + "<rss><channel><item><title>x &a;</title></item></channel></rss>"
    #expect((try? read(recursive))?.posts.first?.damage != nil)
  }

  @Test func deepXML() throws {
    let deep = String(repeating: "<a>", count: 100_000)
    let posts = try read(
      rss("<item><title>one</title></item><item><title>two</title>\(deep)</item>")
    ).posts
    #expect(posts.prefix(2).map(\.title.plainText) == ["one", "two"])
    #expect(try posts.at(1).damage?.contains("nested deeper") == true)
    #expect(try posts.at(1).damage?.contains("XML_PARSE_HUGE") == false)
    let html = String(repeating: "&lt;div&gt;", count: 100_000)
    let inner = try read(rss("<item><description>\(html)x</description></item>")).posts
    #expect(inner.first?.damage != nil || inner.first?.body.isEmpty == true)
  }

  @Test func deepJSON() throws {
    for bracket in ["[", "{\"a\":"] {
      let deep = String(repeating: bracket, count: 100_000)
      let document = try read(
        "{\"items\":[{\"id\":\"1\",\"content_text\":\"one\"},{\"id\":\"2\",\"x\":\(deep)",
        format: nil)
      #expect(document.posts.first?.body.plainText == "one")
      #expect(document.posts.last?.damage != nil)
      let lines = try read("{\"content_text\":\"one\"}\n{\"x\":\(deep)\n{\"content_text\":\"two\"}")
      #expect(lines.posts.count == 3)
      #expect(try lines.posts.at(1).damage != nil)
      #expect(try lines.posts.at(2).body.plainText == "two")
    }
  }

  @Test func truncatedJSON() throws {
    let text = """
      {"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
      {"id":"1","content_text":"one"},
      {"id":"2","content_text":"two \\u00e9 and more
      """
    let posts = try read(text).posts
    #expect(posts.map(\.body.plainText) == ["one", "two é and more"])
    #expect(try posts.at(0).damage == nil)
    #expect(try posts.at(1).damage?.contains("byte \(text.utf8.count)") == true)

    let between = try read("{\"items\":[{\"id\":1,\"title\":\"one\"},").posts
    #expect(between.count == 2)
    #expect(try between.at(1).damage?.contains("byte 33") == true)
  }

  @Test func malformedJSON() throws {
    let posts = try read(
      """
      {"title":"T","items":[
      {"id":"1","content_text":"one"},
      {"id":"2" "content_text":"no comma"},
      {"id":"3","content_text":"no quote,
       "title":"x"},
      {"id":"4","content_text":"lone \\ud800 surrogate \\ud83c\\udf0a"},
      {"id":"5","title":["odd"],"content_text":"five","date_published":"someday"},
      7,
      {"id":6,"content_text":"six","authors":[{"name":"A"},3],"tags":["a",1,null]},
      {"id":"6","content_text":"again"}]}
      """
    ).posts
    try #require(posts.count == 8)
    #expect(
      posts.map { $0.damage == nil } == [true, false, false, true, false, false, false, true])
    #expect(try posts.at(1).body.plainText.contains("no comma"))
    #expect(try posts.at(1).damage?.contains("byte 56") == true)
    #expect(try posts.at(2).body.plainText.contains("no quote"))
    #expect(try posts.at(3).body.plainText == "lone \u{FFFD} surrogate 🌊")
    #expect(try posts.at(4).body.plainText == "five")
    #expect(try posts.at(4).damage?.contains("title") == true)
    #expect(try posts.at(4).damage?.contains("someday") == true)
    #expect(try posts.at(6).author?.name == "A")
    #expect(try posts.at(6).id == "6")
    #expect(try posts.at(7).id == "6#2")
  }

  @Test func escapesNeverGetThrough() throws {
    let bad = "\u{1B}[31m\u{7}\u{202E}\u{9B}2J"
    let json =
      "{\"items\":[{\"id\":\"\\u001b1\",\"title\":\"\\u001b[31mT\\u0007\","
      + "\"content_text\":\"\\u001b]0;x\\u0007\\u202e\",\"url\":\"http://x/\\u001b\","
      + "\"authors\":[{\"name\":\"\\u001b[1mN\"}],\"tags\":[\"\\u001bt\"]}]}"
    let documents = [
      try read(rss("<item><title>&#x9B;a\(bad)</title><description>\(bad)b</description></item>")),
      try read(json), try read("text \(bad)"),
      try read("{\"content_html\":\"<a href='http://x/\\u001b[2J'>&#27;[31m x</a>\"}"),
    ]
    for post in documents.flatMap(\.posts) {
      let found = strings(of: post).filter { $0.unicodeScalars.contains { $0.value == 27 } }
      #expect(found == [])
      #expect(!PostWriter.plainText(post).unicodeScalars.contains("\u{1B}"))
    }
  }

  @Test func aLineOfAHundredMegabytes() throws {
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let posts = readRows(
      [Array("{\"content_text\":\"first\"}\n{\"content_text\":\"".utf8)]
        + Array(repeating: piece, count: 100)
        + [Array("\"}\n{\"content_text\":\"last\"}\n".utf8)])
    #expect(posts.count == 3)
    #expect(try posts.at(1).damage?.contains("104857619 bytes") == true)
    #expect(try posts.at(1).body.plainText.utf8.count == FeedLimits.beginningBytes)
    #expect(try posts.at(2).body.plainText == "last")
  }

  @Test func aHugeItemOfADocument() throws {
    let long = String(repeating: "y", count: FeedLimits.itemBytes + 10)
    let inXML = try read(rss("<item><title>a</title><description>\(long)</description></item>"))
    #expect(inXML.posts.first?.title.plainText == "a")
    #expect(inXML.posts.first?.damage?.contains("beginning") == true)
    let inJSON = try read(
      "{\"items\":[{\"id\":\"1\",\"title\":\"\(long)\"},{\"id\":\"2\",\"title\":\"b\"}]}")
    #expect(inJSON.posts.first?.damage?.contains("beginning") == true)
    #expect(inJSON.posts.last?.title.plainText == "b")
  }
}
