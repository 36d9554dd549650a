import TestSupport
import Testing

@testable import Feeds

/// Packed names of elements are equal if their letters are, in any case.
@Suite struct ElementNameTests {
  @Test func namesAreComparedInLowerCase() {
    let seed: UInt64 = 77
    var random = SeededGenerator(seed: seed)
    // Neighbours of the letters, and bytes beyond ASCII.
    let bytes: [UInt8] = Array("aAbBzZmM@[`{:-09".utf8) + [0x00, 0x7F, 0xC1, 0xE1, 0xDA, 0xFA]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...18, using: &random)
      let first = (0..<count).map { _ in bytes.randomElement(using: &random) ?? 0 }
      var second = first
      for index in second.indices where Bool.random(using: &random) {
        if (65...90).contains(second[index] & ~0x20) { second[index] ^= 0x20 }
      }
      if Bool.random(using: &random), !second.isEmpty {
        second[Int.random(in: 0..<count, using: &random)] = bytes.randomElement(using: &random) ?? 0
      }
      let isSame = Self.lowered(first) == Self.lowered(second)
      #expect(
        (ElementName(first) == ElementName(second)) == isSame, "\(first) \(second), seed \(seed)")
      // Also from a collection without contiguous storage.
      #expect(ElementName(AnyCollection(first)) == ElementName(first))
    }
  }

  @Test func literalsEqualFeedNames() {
    #expect(ElementName("pubDate") == "pubdate")
    #expect(ElementName("managingEditor") == "managingeditor")
    #expect(ElementName("CONTENT") != "contents")
    #expect(ElementName("") == "")
  }

  private static func lowered(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// The picture type that an address implies.
@Suite struct PictureTypeTests {
  @Test(arguments: [
    ("https://a.example/b.PNG?x=1.jpg", "image/png"), ("/c.jpeg#top", "image/jpeg"),
    ("d.webp?", "image/webp"), ("d.GiF", "image/gif"), ("https://a.example/e.jpg", "image/jpeg"),
  ])
  func isItsExtension(_ address: String, _ type: String) {
    #expect(FeedAddress.pictureType(of: address) == type)
  }

  @Test(arguments: ["https://a.example/b", "c.jpg/", "e.mp3", "", ".", "a.jpgx"])
  func isNilForOthers(_ address: String) {
    #expect(FeedAddress.pictureType(of: address) == nil)
  }
}

/// Items whose element names and references differ from others' only in capitals.
@Suite struct CapitalsTests {
  @Test func elementNamesIgnoreCase() throws {
    let post = try readPost("<ITEM><Title>High water</Title><PubDate>2024-03-09</PubDate></ITEM>")
    #expect(post.title.plainText == "High water")
    #expect(post.published != nil)
  }

  /// `&AMP;` is not XML's own name, and may be declared.
  @Test func entityNamesAreCaseSensitive() throws {
    let text = """
      <!DOCTYPE rss [<!ENTITY AMP "and">]><rss><channel>\
      <item><title>ebb &AMP; flow</title></item></channel></rss>
      """
    let document = try FeedReader.read(Array(text.utf8))
    #expect(document.posts.first?.title.plainText == "ebb and flow")
  }

  private func readPost(_ item: String) throws -> Post {
    let text = "<rss><channel>\(item)</channel></rss>"
    return try #require(try FeedReader.read(Array(text.utf8)).posts.first)
  }
}
