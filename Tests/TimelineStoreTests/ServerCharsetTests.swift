import Feeds
import HTTP
import HTTPTransport
import TestSupport
import Testing

@testable import TimelineStore

/// The `charset` in the header of an answer.
@Suite(.ownThreads) struct ServerCharsetTests {
  private static func windows1251(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      (0x410...0x44F).contains(scalar.value)
        ? UInt8(scalar.value - 0x410 + 0xC0) : UInt8(truncatingIfNeeded: scalar.value)
    }
  }

  private static func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  private static func rss(_ title: String, _ declaration: String = "") -> String {
    "\(declaration)<rss><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }

  private static func json(_ text: String) -> String {
    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"content_text\":\"\(text)\"}]}"
  }

  private static let declared = "<?xml version=\"1.0\" encoding=\"windows-1251\"?>"

  private static let cases: [(type: String, body: [UInt8], text: String)] = [
    ("application/rss+xml; charset=windows-1251", windows1251(rss("Прилив")), "Прилив"),
    ("application/rss+xml;charset=\"windows-1251\"", windows1251(rss("Прилив")), "Прилив"),
    ("text/xml; version=1; CharSet = 'Windows-1251' ; q=1", windows1251(rss("Прилив")), "Прилив"),
    ("text/xml; x=\"a;charset=koi8-r\"; charset=cp1251", windows1251(rss("Прилив")), "Прилив"),
    ("text/xml; charset=x-cp1251", windows1251(rss("Прилив", "<?xml version=\"1.0\"?>")), "Прилив"),
    ("application/json; charset=windows-1251", windows1251(json("Прилив")), "Прилив"),
    ("text/plain; charset=iso-8859-1", latin1("caf\u{E9}"), "café"),
    ("text/plain; charset=ISO-8859-1", latin1("caf\u{E9}\n"), "café"),
    ("text/plain; charset=latin1", [0x93, 0x61, 0x94], "“a”"),
    ("text/plain; charset=iso-8859-15", [0x61, 0xA4], "a€"),
    ("text/plain; charset=shift_jis", [0x92, 0xAA, 0x5C], "潮\\"),
    ("text/plain; charset=EUC-JP", [0xC4, 0xAC, 0xA4, 0xCF], "潮は"),
    ("text/plain; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x44, 0x2C, 0x1B, 0x28, 0x42], "潮"),
    ("text/plain; charset=gb2312", [0xB3, 0xB1], "潮"),
    ("text/plain; charset=utf-16", utf16("潮 is tide", isBigEndian: false), "潮 is tide"),
    ("text/plain; charset=utf-16be", utf16("潮 is tide", isBigEndian: true), "潮 is tide"),
    ("text/plain; charset=UTF-16", utf16("潮 is tide", isBigEndian: true), "潮 is tide"),
    // A declaration in the document has priority, and so has its actual encoding.
    ("text/xml; charset=koi8-r", windows1251(rss("Прилив", declared)), "Прилив"),
    ("text/xml; charset=iso-8859-1", Array(rss("Прилив").utf8), "Прилив"),
    ("text/xml; charset=windows-1251", [0xEF, 0xBB, 0xBF] + Array(rss("潮").utf8), "潮"),
    ("text/xml; charset=utf-16", Array(rss("Прилив").utf8), "Прилив"),
    ("text/plain; charset=iso-2022-jp", Array("Прилив".utf8), "Прилив"),
    ("text/plain; charset=ebcdic-us", Array("tide".utf8), "tide"),
    ("text/plain; charset=ibm037", Array("tide \u{E9}".utf8), "tide é"),
    ("text/plain; charset=", Array("tide é".utf8), "tide é"),
    ("text/plain; charset=utf-8", Array("tide é".utf8), "tide é"),
  ]

  private func posts(_ type: String, _ body: [UInt8]) async throws -> [Post] {
    let server = try MisbehavingServer()
    defer { server.stop() }
    server.route("/feed", MisbehavingServer.Step.response(type: type, body: body))
    let reader = try SourceReader(source: .url(server.url("/feed")), format: nil) {
      CurlTransport(userAgent: "tideline/test")
    }
    var posts: [Post] = []
    while let more = try await reader.nextUnparsed() { more.readEach { posts.append($0) } }
    return posts
  }

  @Test(arguments: cases.indices)
  func theCharsetIsUsedUnlessDeclared(index: Int) async throws {
    let (type, body, text) = Self.cases[index]
    let post = try #require(try await posts(type, body).first)
    #expect(post.title.plainText + post.body.plainText == text, "\(type)")
    #expect(post.damage == nil)
  }

  @Test(arguments: ["x-unknown", "../etc", "wchar_t", "utf-8", "a b"])
  func unknownOnesAreIgnored(charset: String) async throws {
    let body = Array("tide and water ".utf8) + [0xE9, 0x20, 0x61]
    let post = try #require(try await posts("text/plain; charset=\(charset)", body).first)
    #expect(post.body.plainText == "tide and water \u{FFFD} a")
    #expect(post.damage == "bytes that are not UTF-8 were replaced")
  }

  @Test func invalidBytesAreMarked() async throws {
    let body = Self.windows1251(Self.rss("Прил")).map { $0 == 0xEB ? 0x98 : $0 }
    let post = try #require(try await posts("text/xml; charset=windows-1251", body).first)
    #expect(post.title.plainText == "При\u{FFFD}")
    #expect(post.damage == "bytes that are not text were replaced")
  }

  /// UTF-8 with one broken byte, sent with a server's default charset.
  @Test func mostlyUTF8IsUTF8() async throws {
    let body = Array("Прилив и отлив ".utf8) + [0xD0] + Array(" é".utf8)
    let post = try #require(try await posts("text/plain; charset=iso-8859-1", body).first)
    #expect(post.body.plainText == "Прилив и отлив \u{FFFD} é")
    #expect(post.damage != nil)
  }

  /// An answer too long to be read whole is converted while it arrives.
  @Test(arguments: [false, true]) func aLongAnswerIsConverted(isPacked: Bool) async throws {
    // Most of it is no text of posts, which would only be slow to lay out.
    let filler = Self.windows1251("<!-- \(String(repeating: "Прилив ", count: 20_000))-->")
    let words = String(repeating: "Прилив ", count: 100)
    var bytes = Self.windows1251("<rss><channel>")
    for number in 0..<40 {
      bytes += Self.windows1251("<item><title>Волна \(number)</title>") + filler
      bytes += Self.windows1251("<description>\(words)</description></item>")
    }
    bytes += Self.windows1251("</channel></rss>")
    let all = try await posts(
      "text/xml; charset=windows-1251", isPacked ? TestArchive.gzip(bytes) : bytes)
    #expect(all.count == 40 && all.allSatisfy { $0.damage == nil })
    #expect(all.last?.title.plainText == "Волна 39")
    #expect(all.last?.body.plainText.hasPrefix("Прилив Прилив") == true)
  }
}
