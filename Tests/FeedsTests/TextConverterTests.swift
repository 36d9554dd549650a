import Testing

@testable import Feeds

/// Encodings that do not contain ASCII unchanged, converted piece by piece.
@Suite struct TextConverterTests {
  private static let feed =
    "<?xml version=\"1.0\" encoding=\"NAME\"?><rss><channel><item><title>潮 🌊 é</title></item></channel></rss>"

  private static func named(_ name: String) -> String {
    feed.split(separator: "NAME", omittingEmptySubsequences: false).joined(separator: name)
  }

  private static let sources: [(String, [UInt8])] = {
    let units = Array(named("UTF-16").utf16)
    var little: [UInt8] = [0xFF, 0xFE]
    var big: [UInt8] = []
    for unit in units {
      little += [UInt8(unit & 255), UInt8(unit >> 8)]
      big += [UInt8(unit >> 8), UInt8(unit & 255)]
    }
    var wide: [UInt8] = [0xFF, 0xFE, 0, 0]
    for scalar in named("UTF-32").unicodeScalars {
      for shift: UInt32 in [0, 8, 16, 24] { wide.append(UInt8(scalar.value >> shift & 255)) }
    }
    return [("UTF-16LE", little), ("UTF-16BE", big), ("UTF-32LE", wide)]
  }()

  @Test(arguments: sources) func piecesAreTheWhole(_ name: String, _ bytes: [UInt8]) throws {
    for size in [1, 2, 3, 5, 64, bytes.count] {
      // The bytes that determine the encoding arrive at once.
      guard var converter = TextConverter(for: bytes) else {
        Issue.record("no encoding")
        return
      }
      var text: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        text += converter.convert(
          Array(bytes[start..<min(bytes.count, start + size)]), isFinal: false)
      }
      text += converter.convert([], isFinal: true)
      let decoded = String(decoding: text, as: UTF8.self)
      #expect(decoded.hasSuffix("<title>潮 🌊 é</title></item></channel></rss>"), "\(name), \(size)")
      #expect(decoded.contains("encoding=\"UTF-8\""))
      #expect(try FeedReader.read(text).posts.map(\.title.plainText) == ["潮 🌊 é"])
    }
  }

  @Test func aCutCharacterIsReplaced() throws {
    let bytes = Array(Self.sources[0].1.dropLast())
    guard var converter = TextConverter(for: bytes) else {
      Issue.record("no encoding")
      return
    }
    let text = converter.convert(bytes, isFinal: false) + converter.convert([], isFinal: true)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix("</rss\u{FFFD}"))
  }

  @Test func textIsNotConverted() {
    for text in ["<rss>", "{}", "text", ""] {
      #expect(!TextConverter.isNeeded(for: Array(text.utf8)))
    }
  }
}
