import Testing
import TextLayout

@testable import Feeds

@Suite struct EncodingTests {
  private func feed(_ title: [UInt8], encoding: String? = nil) -> [UInt8] {
    let declared = encoding.map { " encoding=\"\($0)\"" } ?? ""
    return Array(
      "<?xml version=\"1.0\"\(declared)?><rss><channel><title>T</title><item><title>".utf8)
      + title + Array("</title></item><item><title>plain</title></item></channel></rss>".utf8)
  }

  private func title(_ bytes: [UInt8]) throws -> String {
    let document = try FeedReader.read(bytes)
    #expect(document.posts.map(\.damage) == [nil, nil])
    return document.posts.first?.title.plainText ?? ""
  }

  private let latin: [UInt8] = [0x42, 0xFC, 0x73, 0x75, 0x6D, 0x20, 0x80]

  @Test(arguments: [nil, "ISO-8859-1", "windows-1252", "us-ascii", "no-such-name", "UTF-16"])
  func bytesThatAreNotUTF8(_ name: String?) throws {
    #expect(try title(feed(latin, encoding: name)) == "Büsum €")
  }

  @Test(arguments: [nil, "ISO-8859-1", "windows-1251", "us-ascii", "KOI8-R", "UTF-8"])
  func validUTF8OverridesDeclaration(_ name: String?) throws {
    #expect(try title(feed(Array("Büsum — €".utf8), encoding: name)) == "Büsum — €")
  }

  @Test func otherEncodingsAreConverted() throws {
    #expect(try title(feed([0xCC, 0xEE, 0xF0, 0xE5], encoding: "windows-1251")) == "Море")
    #expect(try title(feed([0x92, 0xAA], encoding: "Shift_JIS")) == "潮")
    let stateful = feed([0x1B, 0x24, 0x42, 0x44, 0x2C, 0x1B, 0x28, 0x42], encoding: "ISO-2022-JP")
    #expect(try title(stateful) == "潮")
  }

  @Test(arguments: ["UTF-32LE", "UTF-32BE"]) func utf32(_ name: String) throws {
    let text = String(decoding: feed(Array("Büsum".utf8)), as: UTF8.self)
    let words: [UInt8] = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      let bytes: [UInt8] = (0..<4).map { UInt8(scalar.value >> (8 * $0) & 255) }
      return name.hasSuffix("LE") ? bytes : bytes.reversed()
    }
    let mark: [UInt8] = name.hasSuffix("LE") ? [0xFF, 0xFE, 0, 0] : [0, 0, 0xFE, 0xFF]
    #expect(try title(mark + words) == "Büsum")
    #expect(try title(words) == "Büsum")
  }

  /// An item in another encoding than the rest is decoded by itself.
  @Test func itemsAreDecodedOneByOne() throws {
    var bytes = feed(latin, encoding: "ISO-8859-1")
    let place = try #require(bytes.firstRange(of: Array("plain".utf8)))
    bytes.replaceSubrange(place, with: Array("hohe Fl€t".utf8))
    #expect(try FeedReader.read(bytes).posts.map(\.title.plainText) == ["Büsum €", "hohe Fl€t"])
  }
}
