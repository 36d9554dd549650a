import TestSupport
import Testing
import TextLayout

@testable import Feeds

/// Rows that are found by structure and read one by one, compared with the source read at once.
@Suite struct RowScannerTests {
  private func rows(
    _ bytes: [UInt8], _ format: FeedFormat, cuts: [Int] = []
  ) -> (rows: [RowScanner.Row], scanner: RowScanner) {
    let mark = FeedReader.byteOrderMark(of: bytes)
    var scanner = RowScanner(format: format, offset: mark)
    var rows: [RowScanner.Row] = []
    var start = mark
    for cut in cuts.filter({ $0 > mark }) + [bytes.count] {
      bytes[start..<cut].withUnsafeBytes { scanner.consume($0) { rows.append($0) } }
      start = cut
    }
    scanner.finish { rows.append($0) }
    return (rows, scanner)
  }

  /// Every row read by itself, including the blanks behind it, as in a sparse index.
  private func posts(_ bytes: [UInt8], _ format: FeedFormat, cuts: [Int] = []) -> [Post] {
    let (rows, scanner) = rows(bytes, format, cuts: cuts)
    let reader = RowReader(format: format, head: scanner.head)
    return rows.indices.map { index in
      let end = index + 1 < rows.count ? rows[index + 1].start : bytes.count
      return bytes[rows[index].start..<end].withUnsafeBytes {
        reader.post($0, offset: rows[index].start, length: $0.count)
      }
    }
  }

  private func cuts(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    (0..<Int.random(in: 0...6, using: &generator))
      .map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
  }

  private static let words = [
    "tide", "gauge", "潮位", "🌊", "harbour", "\u{1B}[31m", "a\\\"b", "{", "}", "[", "]", ",", "é",
  ]

  private func line(_ generator: inout SeededGenerator) -> [UInt8] {
    let words = (0..<Int.random(in: 0...30, using: &generator))
      .compactMap { _ in Self.words.randomElement(using: &generator) }.joined(separator: " ")
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return []
    case 1: return Array("  \t ".utf8)
    case 9:
      // A hole, or a few zero bytes, at the beginning of a line, inside or behind it.
      let zeros = [UInt8](repeating: 0, count: Int.random(in: 0...80, using: &generator))
      let parts = [Array("before".utf8), zeros, Array("{\"content_text\":\"x\"}".utf8), zeros]
      return Array(parts[Int.random(in: 0...2, using: &generator)...].joined())
    case 2: return Array("not JSON \(words)".utf8)
    case 3: return [0xFF, 0x00, 0x41, 0xC3]
    case 4: return Array("{\"content_text\":\"cut \(words.filter { $0 != "\"" })".utf8)
    default:
      let text = words.filter { !"\"\\\u{1B}".contains($0) }
      return Array("{\"id\":\"\(text.count)\",\"content_text\":\"\(text)\"}".utf8)
    }
  }

  @Test(arguments: [FeedFormat.jsonl, .text]) func linesEqualBatchedRows(
    _ format: FeedFormat
  ) {
    for seed in Rounds.seeds(25) {
      var generator = SeededGenerator(seed: seed)
      var bytes: [UInt8] = Bool.random(using: &generator) ? [] : [0xEF, 0xBB, 0xBF]
      for _ in 0..<Int.random(in: 0...250, using: &generator) {
        bytes += line(&generator)
        bytes += Bool.random(using: &generator) ? [0x0D, 0x0A] : [0x0A]
      }
      if Bool.random(using: &generator), !bytes.isEmpty { bytes.removeLast() }
      let expected = readRows([bytes], format)
      let found = posts(bytes, format, cuts: cuts(bytes.count, &generator))
      #expect(found == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [FeedFormat.jsonl, .text]) func rowsAreFoundFromAnyBoundary(
    _ format: FeedFormat
  ) {
    for seed in Rounds.seeds(15) {
      var generator = SeededGenerator(seed: seed)
      var bytes: [UInt8] = []
      for _ in 0..<100 { bytes += line(&generator) + [0x0A] }
      let all = rows(bytes, format).rows.map(\.start)
      for _ in 0..<20 {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let boundary = bytes[start...].withUnsafeBytes {
          RowScanner.boundary(in: $0, format: format)
        }
        guard let boundary else { continue }
        var scanner = RowScanner(format: format, offset: start + boundary, startsAtRow: true)
        var found: [Int] = []
        bytes[(start + boundary)...].withUnsafeBytes {
          scanner.consume($0) { found.append($0.start) }
        }
        scanner.finish { found.append($0.start) }
        #expect(found == all.filter { $0 >= start + boundary }, "seed \(seed), from \(start)")
      }
    }
  }

  /// Also from the middle of a section or a comment that contains items.
  @Test(arguments: [FeedFormat.rss, .atom]) func itemsAreFoundFromAnyOffset(
    _ format: FeedFormat
  ) throws {
    let name = format == .rss ? "item" : "entry"
    let root = format == .rss ? "rss" : "feed"
    for seed in Rounds.seeds(15) {
      var generator = SeededGenerator(seed: seed)
      let parts = [
        "tide & <b>water</b>", "<![CDATA[<p><\(name)>no</\(name)> - ]] </p>]]>",
        "<!-- <\(name)> -->",
        "<title a='>'>潮</title>", "<\(name)s/>", "]", "--",
      ]
      var text = "<\(root)><title>T</title>"
      for _ in 0..<60 {
        text += "<\(name)>"
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
          text += parts.randomElement(using: &generator) ?? ""
        }
        text += "</\(name)>\n"
      }
      let bytes = Array((text + "</\(root)>").utf8)
      let whole = rows(bytes, format)
      for _ in 0..<40 {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let boundary = bytes[start...].withUnsafeBytes {
          RowScanner.boundary(in: $0, format: format, within: whole.scanner.head)
        }
        guard let boundary else { continue }
        #expect(whole.rows.map(\.start).contains(start + boundary), "seed \(seed), from \(start)")
      }
    }
  }

  private func document(_ generator: inout SeededGenerator) -> [UInt8] {
    let items = (0..<Int.random(in: 0...30, using: &generator)).map { index in
      "{\"id\":\"\(index)\",\"content_text\":\"\(["tide", "潮 ] }", "a, [b", "\\\"q\\\""].randomElement(using: &generator) ?? "")\",\"tags\":[\"x\"]}"
    }
    let space = ["", " ", "\n", "\n  "].randomElement(using: &generator) ?? ""
    let list = "[" + space + items.joined(separator: "," + space) + space + "]"
    let head = "\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Tides\""
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return Array(list.utf8)
    case 1: return Array("{\(head),\"items\":\(list)}".utf8)
    default: return Array("{\"items\":\(list),\(space)\(head)}".utf8)
    }
  }

  @Test func documentItemsEqualReadingItWhole() throws {
    for seed in Rounds.seeds(25) {
      var generator = SeededGenerator(seed: seed)
      let bytes = document(&generator)
      let found = posts(bytes, .jsonfeed, cuts: cuts(bytes.count, &generator))
      let whole = try FeedReader.read(bytes, format: .jsonfeed)
      #expect(found == whole.posts, "seed \(seed)")
    }
  }

  @Test(arguments: SocialSamples.all.map(\.0)) func rowsOfOtherDocumentsEqualReadingThemWhole(
    _ format: FeedFormat
  ) throws {
    let sample = try #require(SocialSamples.all.first { $0.0 == format }?.1)
    for seed in Rounds.seeds(15) {
      var generator = SeededGenerator(seed: seed)
      let bytes = Array(sample.utf8)
      let cuts = cuts(bytes.count, &generator)
      let whole = try FeedReader.read(bytes)
      #expect(whole.format == format)
      #expect(posts(bytes, format, cuts: cuts) == whole.posts, "seed \(seed)")
      #expect(rows(bytes, format, cuts: cuts).scanner.head.info() == whole.info, "seed \(seed)")
      // In a truncated document all rows but the last are the same.
      let part = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
      let found = posts(part, format)
      #expect(found.dropLast() == whole.posts.prefix(max(0, found.count - 1)), "seed \(seed)")
      #expect(rows(part, format).rows == rows(part, format, cuts: [part.count / 2]).rows)
    }
  }

  @Test func aSingleObjectIsOneRowInAnyPieces() throws {
    let status =
      #"{"id":"1","account":{"acct":"a"},"content":"x","card":{"url":"u]}"},"reblog":null}"#
    let bytes = Array(status.utf8)
    for cut in 0...bytes.count {
      #expect(rows(bytes, .mastodon, cuts: [cut]).rows.map(\.start) == [0])
      #expect(rows(bytes, .mastodon, cuts: [cut]).rows.map(\.end) == [bytes.count])
    }
  }

  @Test func piecesOfADamagedDocumentDoNotMatter() {
    for seed in UInt64(1)...500 {
      var generator = SeededGenerator(seed: seed)
      var bytes = document(&generator)
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1:
          bytes[place] = UInt8(
            ascii: ["}", "]", "\"", ",", "\n"].randomElement(using: &generator) ?? ",")
        default: bytes.removeLast(min(bytes.count, Int.random(in: 0...20, using: &generator)))
        }
      }
      let whole = rows(bytes, .jsonfeed)
      let pieces = rows(bytes, .jsonfeed, cuts: cuts(bytes.count, &generator))
      #expect(pieces.rows == whole.rows, "seed \(seed)")
      #expect(pieces.scanner.fault?.place == whole.scanner.fault?.place, "seed \(seed)")
      var scanner = JSONDocumentScanner(format: .jsonfeed)
      var items: [Int] = []
      bytes.withUnsafeBytes {
        _ = scanner.scan(SourcePiece(bytes: $0, base: 0, isFinal: true)) { items.append($0.start) }
      }
      #expect(whole.rows.map(\.start) == items, "seed \(seed)")
    }
  }

  @Test func aHugeItemIsOneMarkedRow() {
    let long = String(repeating: "潮", count: 3 << 20)
    let text = "[{\"id\":\"a\"},{\"id\":\"b\",\"content_text\":\"\(long)\"},{\"id\":\"c\"}]"
    let bytes = Array(text.utf8)
    let cuts = stride(from: 1 << 20, to: bytes.count, by: 1 << 20).map { $0 }
    let found = posts(bytes, .jsonfeed, cuts: cuts)
    #expect(found.map { $0.damage == nil } == [true, false, true])
    #expect(found.map(\.id) == ["a", "byte 12", "c"])
  }

  @Test func aHugeLineIsOneMarkedRow() {
    let bytes = Array(
      "{\"id\":\"a\"}\n\(String(repeating: "x", count: 9 << 20))\n{\"id\":\"c\"}\n".utf8)
    let rows = rows(bytes, .jsonl, cuts: [5 << 20, 7 << 20]).rows
    #expect(rows.map(\.start) == [0, 11, 11 + (9 << 20) + 1])
    let post = bytes[11..<11 + RowReader.rowBytes].withUnsafeBytes {
      RowReader(format: .jsonl).post($0, offset: 11, length: 9 << 20)
    }
    #expect(post.damage?.contains("\(9 << 20) bytes") == true)
  }
}
