import TestSupport
import Testing

@testable import Feeds

/// Time is proportional to the number of parts in a feed. Each of these tests took minutes, or did
/// not end, while it was quadratic.
@Suite(.timeLimit(.minutes(5))) struct HostileSizeTests {
  private static let count = 60_000

  /// Attributes of a tag, each of another name.
  private static let attributes = (0..<count).map { "a\($0)='1'" }.joined(separator: " ")

  private static func list(_ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: ",")
  }

  private func post(_ json: String) throws -> Post {
    let document = try FeedReader.read(Array(json.utf8))
    return try #require(document.posts.first)
  }

  @Test func manyAuthors() throws {
    let names = Self.list { "{\"name\":\"a\($0)\"}" }
    let post = try post("{\"items\":[{\"content_text\":\"x\",\"authors\":[\(names)]}]}")
    #expect(post.author?.name.hasSuffix("a\(Self.count - 1)") == true)
  }

  @Test func manyAttachments() throws {
    let files = Self.list { "{\"url\":\"x:\($0)\"}" }
    let post = try post("{\"items\":[{\"content_text\":\"x\",\"attachments\":[\(files)]}]}")
    #expect(post.attachments.count == Self.count)
  }

  @Test func manyEnclosures() throws {
    let files = (0..<40_000).map { "<enclosure url=\"http://a.example/\($0)\" type=\"a/b\"/>" }
    let document = try FeedReader.read(
      Array("<rss><channel><item>\(files.joined())</item></channel></rss>".utf8))
    #expect(document.posts.first?.attachments.count == files.count)
  }

  /// A raw line break ends no string by itself: what follows it decides.
  @Test func manyLineBreaksInAString() {
    let breaks = String(repeating: "\n", count: 1_000_000)
    for end in ["\"}]}", ""] {
      let feed = "{\"items\":[{\"id\":\"1\",\"content_text\":\"" + breaks + end
      _ = try? FeedReader.read(Array(feed.utf8))
    }
  }

  @Test func manySectionsWithinOne() throws {
    let sections = String(repeating: "<![CDATA[", count: 200_000)
    let post = try post("{\"items\":[{\"id\":\"1\",\"content_html\":\"a\(sections)]]>b\"}]}")
    #expect(post.id == "1")
  }

  @Test func manyFilters() throws {
    let filters = Self.list { "{\"filter\":{\"title\":\"\($0)\"}}" }
    let post = try post(
      """
      [{"id":"1","created_at":"2024-01-01T00:00:00Z","content":"x","account":{"acct":"a"},
      "filtered":[\(filters)]}]
      """)
    #expect(post.contentWarning?.hasSuffix("filtered: \(Self.count - 1)") == true)
  }

  @Test func manyLabels() throws {
    let labels = Self.list { "{\"val\":\"l\($0)\"}" }
    let post = try post(
      """
      {"feed":[{"post":{"uri":"at://a/b/c","author":{"handle":"a.example"},
      "record":{"text":"x","createdAt":"2024-01-01T00:00:00Z"},"labels":[\(labels)]}}]}
      """)
    #expect(post.contentWarning?.hasSuffix("l\(Self.count - 1)") == true)
  }

  @Test(arguments: ["@", "@a-", "#1", "http://(", "http://a.example/(", "https://", "#a@b.", "h"])
  func endlessAddressesStayText(unit: String) {
    let text = String(repeating: unit, count: 60_000)
    #expect(PlainText.styled(text).plainText == text)
  }

  @Test func manyAttributes() throws {
    let item = "<item><title>first</title></item>"
    let feed = "<rss><channel>\n\(item)\n<item \(Self.attributes)/></channel></rss>"
    let document = try FeedReader.read(Array(feed.utf8))
    #expect(document.posts.first?.title.plainText == "first")
    let damage = try #require(document.posts.last?.damage)
    #expect(damage.contains("line 3") && damage.contains("128 attributes"), "\(damage)")
  }

  /// A quote behind a bare `<`, or an unclosed one in a tag, hides no crowded tag.
  @Test(arguments: ["a < ' b", "a < \" b", "<b ' >", "<b c='1\">", "<?p '?>", "<!-- ' -->"])
  func aQuoteHidesNoCrowdedTag(text: String) {
    let attributes = (0..<200).map { "a\($0)='1'" }.joined(separator: " ")
    let before = "<rss><channel><item><title>\(text)</title>"
    let feed = before + "<x \(attributes)/></item></channel></rss>"
    #expect(XMLMarkup(Array(feed.utf8)).overfullTag == before.utf8.count)
  }

  /// Neither a document type nor a section nor a quoted value hides a crowded tag.
  @Test(arguments: [
    "<!DOCTYPE rss [<!ENTITY a '<!--'>]><rss>", "<!DOCTYPE rss [<!ENTITY a '<?b'>]><rss>",
    "<!DOCTYPE rss [<!ELEMENT a '<![CDATA['>]><rss>", "<?b <!-- ?><rss>", "<!-- <![CDATA[ --><rss>",
    "<rss a='<!--'>", "<rss><![CDATA[ <!-- ]]>", "<rss a=\"<?\" b='<![CDATA['>",
  ])
  func noSectionHidesACrowdedTag(text: String) throws {
    let feed =
      text + "<channel \(Self.attributes)><item><title>first</title></item></channel></rss>"
    #expect(XMLMarkup(Array(feed.utf8)).overfullTag == text.utf8.count)
    _ = try? FeedReader.read(Array(feed.utf8))
  }

  /// A document type that declares thousands of attributes for an element adds none to it.
  @Test func manyDeclaredAttributes() throws {
    for count in [2_000, 60_000] {
      let attributes = (0..<count).map { "a\($0) CDATA ''" }.joined(separator: " ")
      let items = String(repeating: "<item><title>&e;</title></item>", count: 2_000)
      let declared = "<!ATTLIST item \(attributes)><!ATTLIST title \(attributes)>"
      let feed =
        "<!DOCTYPE rss [<!ENTITY e 'first'>\(declared)]><rss><channel>\(items)</channel></rss>"
      let document = try FeedReader.read(Array(feed.utf8))
      // A document type longer than `FeedLimits.beginningBytes` is not read.
      guard count == 2_000 else { continue }
      #expect(document.posts.count == 2_000)
      #expect(document.posts.first?.title.plainText == "first")
    }
  }

  /// HTML tags keep only their first attributes, however these are written.
  @Test(arguments: [" a%='1'", " a%", "\na%=1", "a%=\"<\"", " a%='<b '", " é%"])
  func manyAttributesOfHTML(unit: String) {
    let parts = unit.split(separator: "%", omittingEmptySubsequences: false)
    let attributes = (0..<40_000).map { number in parts.joined(separator: "\(number)") }
    let html = "<p>one<b \(attributes.joined())>two</b></p><p>three"
    let text = HTMLReader.read(html, base: nil).text.plainText
    #expect(text.hasPrefix("one"))
    #expect(text.hasSuffix("three"))
  }

  @Test func aCommentOfManyWordsEnds() {
    let words = String(repeating: "word ", count: 300)
    let html = "one<!-- if <b \(words)-->two"
    #expect(HTMLReader.read(html, base: nil).text.plainText == "onetwo")
  }

  /// Text that only looks like a tag is none.
  @Test(arguments: [
    "<![CDATA[<a %>]]>", "<!-- <a % -->", "text < % text", "<a href='x?%'/>",
  ])
  func equalsSignsOutsideTagsCrowdNoTag(text: String) throws {
    let signs = String(repeating: "b=1 ", count: 1_000)
    let text = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: signs)
    let feed =
      "<rss><channel><item><description>\(text)</description></item>"
      + "<item><title>last</title></item></channel></rss>"
    #expect(XMLMarkup(Array(feed.utf8)).overfullTag == nil)
    let document = try FeedReader.read(Array(feed.utf8))
    #expect(document.posts.last?.title.plainText == "last")
  }
}
