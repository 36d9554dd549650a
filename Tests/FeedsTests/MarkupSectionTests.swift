import TestSupport
import Testing

@testable import Feeds

/// Comments, CDATA sections and instructions are found as a naive search finds them.
@Suite struct MarkupSectionTests {
  private static let marks: [(section: MarkupSection, begin: String, end: String)] = [
    (.comment, "<!--", "-->"), (.characterData, "<![CDATA[", "]]>"), (.instruction, "<?", "?>"),
  ]

  private static func begins(_ bytes: [UInt8], at start: Int) -> MarkupSection? {
    marks.first { bytes[start...].starts(with: $0.begin.utf8) }?.section
  }

  /// The end of the first `end` that begins at `start` or later.
  private static func end(_ end: String, in bytes: [UInt8], from start: Int) -> Int? {
    let end = Array(end.utf8)
    guard start <= bytes.count else { return nil }
    return (start..<bytes.count).first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
  }

  @Test(arguments: Rounds.seeds(4)) func sectionsEqualThoseOfANaiveSearch(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "<!--", "-->", "--", "-", "<![CDATA[", "]]>", "]]", "]", "<?", "?>", "?", "<!", "<", ">",
      "<![cdata[", "text", "é",
    ]
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      let bytes = Array(text.utf8)
      bytes.withUnsafeBytes { buffer in
        for start in bytes.indices {
          let section = MarkupSection(in: buffer, at: start)
          #expect(section == Self.begins(bytes, at: start), "seed \(seed): \(text) at \(start)")
          for (section, _, end) in Self.marks {
            #expect(
              section.end(in: buffer, from: start) == Self.end(end, in: bytes, from: start),
              "seed \(seed): \(text) from \(start)")
          }
        }
      }
    }
  }

  /// A section without an end reaches to the end of the bytes for what looks only for tags.
  @Test(arguments: [
    ("<!-- <b> --> c", 12), ("<!--> -->", 9), ("<!-- <b>", 8), ("<![CDATA[ ]] ]]>x", 16),
    ("<??>", 4),
    ("<?>", 3), ("<?", 2),
  ])
  func sectionsEndBehindTheirMark(_ text: String, _ end: Int) {
    #expect(XMLMarkup(Array(text.utf8)).sectionEnd(at: 0) == end)
  }

  /// A quotation mark begins a value only behind a `=`.
  @Test(arguments: [
    ("<b c=\">\">d", 9), ("<b c = '>'>d", 11), ("<b c\">d\">", 6), ("<b c=d\">e\">", 8),
    ("<b c=\"d\"'>e'>", 10),
  ])
  func tagsEndOutsideOfValues(_ text: String, _ end: Int) {
    let tag = XMLMarkup(Array(text.utf8)).tag(at: 0)
    #expect(tag.isClosed && tag.end == end)
  }

  @Test(arguments: ["<b>", "<!DOCTYPE x>", "<", "x", "</b>", "<![cdata[ ]]>"])
  func allElseIsNoSection(_ text: String) {
    #expect(XMLMarkup(Array(text.utf8)).sectionEnd(at: 0) == nil)
  }
}
