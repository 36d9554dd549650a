import TestSupport
import Testing

@testable import Feeds

/// Text with zero bytes in it, as in logs after a crash, or after a writer kept its offset in a
/// truncated file.
@Suite struct HoleTests {
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: [
    text("a line\nwith one\0 zero\n"), zeros(1) + text("a line\n"), text("ab\0c\n"),
    text("a line\n") + zeros(4_096), zeros(8_192) + text("a line\n"),
    zeros(32) + text("a line\n") + zeros(20_000) + text("another\n"),
    text("\u{1B}[31mred\u{1B}[0m line\n") + zeros(100) + text("été\n"),
    zeros(70_000) + text("behind all bytes that decide\n"),
    text("/some/longer/name\0/another/long/name\0/a/third/one/of/them\0"),
  ])
  func isText(_ bytes: [UInt8]) throws {
    #expect(try FeedReader.detect(bytes) == .text)
    #expect(try !FeedReader.read(bytes).posts.isEmpty)
  }

  @Test func linesOfJSONMayBeginWithAHole() throws {
    let bytes = Self.zeros(9_000) + Self.text("{\"id\":\"1\",\"content_text\":\"x\"}\n")
    #expect(try FeedReader.detect(bytes) == .jsonl)
    let posts = try FeedReader.read(bytes).posts
    #expect(posts.map(\.body.plainText) == ["", "x"])
  }

  @Test(arguments: [
    zeros(100), zeros(70_000), [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + zeros(9) + [3, 0, 0x3E, 0, 1],
    [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13], text("II*\0\u{8}\0\0\0") + zeros(200),
    text("SQLite format 3\0") + [0x10, 0, 1, 1, 0, 0x40, 0x20, 0x20],
    [0, 0, 1, 0, 1, 0, 0x20, 0x20],
    text("\0asm") + [1, 0, 0, 0], zeros(64) + text("<rss><channel><title>x"),
    Array("u t f 1 6".utf8).map { $0 == 32 ? 0 : $0 },
    zeros(4_096) + [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0],
  ])
  func isBinary(_ bytes: [UInt8]) {
    do {
      let format = try FeedReader.detect(bytes)
      Issue.record("taken for \(format)")
    } catch {
      guard case .binary = error.kind else {
        Issue.record("\(error.kind)")
        return
      }
    }
  }

  /// The place of a hole does not affect the lines on either side.
  @Test(arguments: [31, 32, 33, 4_096, 5 << 20])
  func linesAroundAHole(count: Int) throws {
    let bytes =
      Self.text("one\ntwo, cut") + Self.zeros(count) + Self.text("three\nfour\n\nfive\n")
    let posts = try FeedReader.read(bytes, format: .text).posts
    guard count >= LineScanner.holeBytes else {
      #expect(posts.map(\.body.plainText) == ["one\ntwo, cutthree\nfour", "five"])
      #expect(posts.first?.damage == "bytes that are not text were left out")
      return
    }
    #expect(posts.map(\.body.plainText) == ["one\ntwo, cut", "", "three\nfour", "five"])
    #expect(posts.map(\.damage) == [nil, "a hole of \(count) zero bytes", nil, nil])
  }

  @Test func aHoleIsFoundInPiecesOfAnySize() {
    let bytes =
      Self.text("one") + Self.zeros(40) + Self.text("\ntwo\n") + Self.zeros(31)
      + Self.text("three\n\n") + Self.zeros(100)
    func rows(_ size: Int) -> [RowScanner.Row] {
      var scanner = RowScanner(format: .text, offset: 0)
      var rows: [RowScanner.Row] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(bytes.count, start + size)].withUnsafeBytes {
          scanner.consume($0) { rows.append($0) }
        }
      }
      scanner.finish { rows.append($0) }
      return rows
    }
    let whole = rows(bytes.count)
    #expect(whole.map(\.start) == [0, 3, 44, bytes.count - 100])
    for size in 1..<bytes.count { #expect(rows(size) == whole, "pieces of \(size)") }
  }

  // MARK: Open rows

  @Test(arguments: [
    ("", FeedFormat.text, false), (" \n\t", .text, false), ("a", .text, true),
    ("a\n", .text, true), ("a\nb", .text, true), ("a\n\n", .text, false),
    ("a\n\n b", .text, true), ("\0", .text, true),
    ("{\"id\":1", .jsonl, false), ("{\"id\":1}\n", .jsonl, false), (" {", .jsonl, false),
    ("some words", .jsonl, true), ("{\"id\":1}\nwords", .jsonl, true), ("words\n{", .jsonl, false),
    ("[{\"id\":1},", .jsonfeed, false), ("<rss><channel><item><title>", .rss, false),
  ])
  func openTextRowIsDetected(_ text: String, _ format: FeedFormat, _ isText: Bool) {
    var scanner = RowScanner(format: format, offset: 0)
    Array(text.utf8).withUnsafeBytes { scanner.consume($0) { _ in } }
    #expect(scanner.isOpenRowText == isText)
  }

  @Test(arguments: [
    ("p", true), ("Password: ", true), ("\u{1B}[32m$ ", true), (" 10%", true), ("é", true),
    ("[1/7] building", true), ("{curly", true), ("\u{FEFF}text", true),
    ("", false), ("  \n", false), ("<", false), ("<?xm", false), ("{", false), ("{ \"a", false),
    ("{}", false), ("[", false), ("[ {", false), ("[]", false), ("\0", false), ("a\0", false),
    ("\u{FEFF}", false), ("\u{FEFF}{\"id", false),
  ])
  func beginningShowsText(_ text: String, _ isText: Bool) {
    #expect(FeedReader.beginsText(Array(text.utf8)) == isText)
  }

  @Test func binaryBytesBeginNoText() {
    #expect(!FeedReader.beginsText([0x1F, 0x8B, 8]))
    #expect(!FeedReader.beginsText([0xFF, 0xFE, 0x41]))
    #expect(!FeedReader.beginsText([0xC3]))
    #expect(FeedReader.beginsText([0x41, 0xC3]))
  }

  /// A character whose last bytes have not arrived yet is no damage.
  @Test(arguments: ["é", "潮", "🌊"]) func aCharacterThatIsCut(_ character: String) {
    let reader = RowReader(format: .text)
    let whole = Array("tide \(character)".utf8)
    for count in 5..<whole.count {
      let bytes = Array(whole.prefix(count))
      func post(hasEnded: Bool) -> Post {
        bytes.withUnsafeBytes {
          reader.post($0, offset: 0, length: $0.count, hasEnded: hasEnded)
        }
      }
      #expect(post(hasEnded: false).damage == nil)
      #expect(post(hasEnded: false).body.plainText == "tide ")
      #expect((post(hasEnded: true).damage == nil) == (count == 5))
    }
  }

  /// The part of a growing row that is read again is bounded.
  @Test func beginningOfALongOpenLineIsShown() {
    let reader = RowReader(format: .text)
    let line = [UInt8](repeating: 0x78, count: 200 << 10)
    let post = line.withUnsafeBytes {
      reader.post($0, offset: 0, length: $0.count, hasEnded: false)
    }
    #expect(post.body.plainText.utf8.count == FeedLimits.beginningBytes)
    #expect(post.damage == "a line of more than 200 KiB: only its beginning is shown")
    let whole = line.withUnsafeBytes { reader.post($0, offset: 0, length: $0.count) }
    #expect(whole.body.plainText.utf8.count == line.count && whole.damage == nil)
  }
}
