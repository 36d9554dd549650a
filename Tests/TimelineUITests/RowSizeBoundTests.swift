import Feeds
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import TestSupport
import Testing
import TextLayout

@testable import Pictures
@testable import TimelineUI

/// What is told of a row without reading it is never less than what reading it shows.
@MainActor @Suite struct RowSizeBoundTests {
  private static let pieces = [
    "word", "wörter", "a", "naïve café", "日本語の文章。", "でもｶﾀｶﾅ", "#tag", "@name", "…", "\\n", "\\n\\n",
    "\\t", "\\\"", "\\\\", "\\/", "\\u00e9", "\\u3042", "\\ud83d\\ude00", "\\ud800", "😀", "👩‍👩‍👧", "é",
    "\t",
    "https://example.org/a/very/long/address?with=query&and=more#x", "averyveryverylongword",
    "\u{AD}",
    "\u{2028}", "\u{85}", "\u{3000}", "\u{1}", "&amp;", "&", "(", ")", "—", "١٢٣", "שלום", "नमस्ते",
    "\\u000a", "\\u2028", "<b>bold</b>", "\u{200B}", "\u{301}",
  ]

  private func text(_ random: inout SeededGenerator, _ most: Int) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      (Self.pieces.randomElement(using: &random) ?? "")
        + (Int.random(in: 0...3, using: &random) == 0 ? "" : " ")
    }.joined()
  }

  private func item(_ random: inout SeededGenerator) -> String {
    func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }
    var fields = ["\"id\": \"\(Int.random(in: 0...99, using: &random))\""]
    if !chance(4) { fields.append("\"content_text\":\"\(text(&random, 60))\"") }
    if chance(2) { fields.append("\"title\" : \"\(text(&random, 12))\"") }
    if chance(6) { fields.append("\"content_html\": \"\(text(&random, 20))\"") }
    if chance(6) { fields.append("\"summary\": \"\(text(&random, 20))\"") }
    if chance(3) { fields.append("\"image\": \"https://x.example/\(text(&random, 2)).png\"") }
    if chance(5) { fields.append("\"banner_image\": \"https://x.example/b.png\"") }
    if chance(3) { fields.append("\"tags\": [\"a\", \"\(text(&random, 3))\",\"c\"]") }
    if chance(2) {
      fields.append(
        "\"authors\": [{\"name\": \"\(text(&random, 3))\", \"avatar\":\"https://x.example/a\"}]")
    }
    let dates = ["2025-06-15T14:54:31Z", "2025-02-29T14:54:31Z", "yesterday", "2025-06-15"]
    if chance(2) {
      fields.append("\"date_published\": \"\(dates.randomElement(using: &random) ?? "")\"")
    }
    if chance(12) { fields.append("\"language\": 4") }
    if chance(12) { fields.append("\"_tideline\": {\"warning\": \"w\"}") }
    if chance(12) { fields.append("\"unheard\": [\"of\"]") }
    fields.shuffle(using: &random)
    var item = "{" + fields.joined(separator: chance(2) ? "," : " , ") + "}"
    if chance(12) { item.removeLast() }
    if chance(12) { item = String(item.dropFirst()) }
    return item
  }

  private func pictures(_ depth: ColorDepth) -> PictureStore {
    PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: depth)
  }

  /// Half of the rows are damaged bytes too.
  private func bytes(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    if Int.random(in: 0...3, using: &random) == 0, !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    // A row has no line break.
    return bytes.map { $0 == 0x0A ? 0x20 : $0 }
  }

  @Test(arguments: Rounds.seeds(10))
  func noRowIsHigherThanItIsSaidToBe(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pictures = pictures(seed % 3 == 0 ? .ansi16 : .trueColor)
    var told = 0
    for step in 0..<150 {
      let isText = step % 5 == 4
      let bytes = bytes(isText ? text(&random, 60) + "x" : item(&random), &random)
      let format = isText ? FeedFormat.text : .jsonl
      let width = Int.random(in: 40...220, using: &random)
      let extent = bytes.withUnsafeBytes { RowSizeBound(ofRow: $0, format: format) }
      guard let extent,
        let bound = PostCell.heightBound(
          of: extent, width: width, screenHeight: 48, pictures: pictures)
      else { continue }
      told += 1
      let post = bytes.withUnsafeBytes {
        RowReader(format: format).post($0, offset: 0, length: $0.count)
      }
      let cell = PostCell(
        PostCell.Shape(of: post, showsPictures: pictures.showsPictures),
        context: .init(pictures: pictures, clock: .fixed(at: 0)))
      cell.configure(with: post, info: TimelineInfo(), screenHeight: 48)
      let height = cell.heightThatFits(width: width)
      let source = String(decoding: bytes, as: UTF8.self)
      #expect(height >= 1 && height <= bound, "seed \(seed), step \(step), \(width): \(source)")
    }
    #expect(told > 20, "seed \(seed): nothing was put to the test")
  }

  @Test func ordinaryPostsFitAScreen() throws {
    let words = Array(repeating: "Morning lost photo migrating again", count: 12)
    let line = """
      {"id": "2", "url": "https://social.example/p/2", "title": "Morning lost photo", \
      "content_text": "\(words.joined(separator: " "))", "date_published": "2025-06-15T14:48:25Z", \
      "authors": [{"name": "A", "avatar": "https://social.example/a.png"}], \
      "image": "https://img.example/0.jpg"}
      """
    let extent = try #require(
      Array(line.utf8).withUnsafeBytes { RowSizeBound(ofRow: $0, format: .jsonl) })
    let bound = PostCell.heightBound(
      of: extent, width: 199, screenHeight: 48, pictures: pictures(.trueColor))
    #expect(try #require(bound) <= 24)
  }

  @Test(arguments: [
    #"{"id": "1", "content_html": "<p>a"}"#, #"{"id": "1", "content_text": "a" "b"}"#,
    #"{"tags": ["a"]}"#, #"{"id": "1", "attachments": []}"#, #"{"id": 1}"#, #"{"id": "1"} x"#,
    #"{"id": "1", "date_published": "soon"}"#, #"{"id": "1", "content_text": "\x"}"#, "", "[]",
    #"{"id": "1", "image": "relative.png"}"#, #"{"id": "1", "content_text": "cut"#,
  ])
  func whatIsNotCertainIsNotSaid(line: String) {
    #expect(Array(line.utf8).withUnsafeBytes { RowSizeBound(ofRow: $0, format: .jsonl) } == nil)
  }
}
