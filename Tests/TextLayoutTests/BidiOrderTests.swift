import TestSupport
import Testing

@testable import TextLayout

@Suite struct BidiOrderTests {
  private func seen(_ text: String, width: Int = 80) -> [String] {
    let frame = TextFrame(
      StyledText(text), width: width, metrics: TextMetrics(reordersRightToLeft: true))
    return frame.lines.indices.map { line in
      frame.fragments(ofLine: line).map { String($0.text) }.joined()
    }
  }

  // Capitals below stand for Hebrew letters in the order of the alphabet.
  private func hebrew(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          guard (65...90).contains(scalar.value) else { return scalar }
          return Unicode.Scalar(0x5D0 + scalar.value - 65) ?? scalar
        }))
  }

  @Test(arguments: [
    ("plain text", "plain text"),
    ("ABC", "CBA"),
    ("ABC DEF", "FED CBA"),
    ("ABC 123 DEF", "FED 123 CBA"),
    ("car is THE CAR in arabic", "car is RAC EHT in arabic"),
    ("ABC (DEF) G", "G (FED) CBA"),
    ("ABC, DEF.", ".FED ,CBA"),
    ("said ABC DEF!", "said FED CBA!"),
    ("ABC word DEF", "FED word CBA"),
    ("ABC 1.5 D", "D 1.5 CBA"),
    ("ABC 10% D", "D 10% CBA"),
    ("a (ABC) b", "a (CBA) b"),
    ("a (ABC [b] DEF) c", "a (CBA [b] FED) c"),
    ("ABC (d) EFG", "GFE (d) CBA"),
  ])
  func visualOrder(_ text: String, _ expected: String) {
    #expect(seen(hebrew(text)) == [hebrew(expected)])
  }

  @Test func arabicNumbersAndMarks() {
    #expect(seen("سعر 25") == ["25 رعس"])
    #expect(seen("שָׁלוֹם") == ["םוֹלשָׁ"])
  }

  @Test func linesAreReorderedOneByOne() {
    #expect(seen(hebrew("ABC DEF GHI"), width: 7) == [hebrew("FED CBA"), hebrew("IHG")])
  }

  @Test func orderOfTheTextUnlessAsked() {
    let frame = TextFrame(StyledText("שלום עולם"), width: 80, metrics: TextMetrics())
    #expect(frame.fragments(ofLine: 0).map { String($0.text) } == ["שלום עולם"])
  }

  /// With and without right-to-left letters, which a line of a right-to-left paragraph may lack.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func logicalOrderInvertsVisualOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for letters in ["abcd潮", hebrew("abcABC") + "سعر"] {
      let alphabet = Array(letters + "   ,.!?-/%:;\"'«<>…")
      for isRightToLeft in [false, true] {
        let count = Int.random(in: 1...40, using: &generator)
        let text = (0..<count).compactMap { _ in alphabet.randomElement(using: &generator) }
        let order = BidiOrder(text, isRightToLeft: isRightToLeft)
        let seen = order.visual.map { order.drawn(text[$0], at: $0) }
        let found = BidiOrder.logicalOrder(ofVisual: seen, isRightToLeft: isRightToLeft)
        #expect(found.map { order.visual[$0] } == Array(text.indices), "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func nothingIsLost(seed: UInt64) {
    var random = RandomText(seed: seed)
    let text = StyledText(random.text(of: RandomText.mixed, count: 40))
    let width = random.int(12...60)
    let plain = TextFrame(text, width: width, metrics: TextMetrics())
    let ordered = TextFrame(
      text, width: width, metrics: TextMetrics(reordersRightToLeft: true))
    #expect(plain.lines == ordered.lines)
    for line in plain.lines.indices {
      func scalars(_ frame: TextFrame) -> [UInt32] {
        frame.fragments(ofLine: line).flatMap { $0.text.unicodeScalars.map(\.value) }
          // Mirrored pairs count as one.
          .map { [0x28, 0x5B, 0x7B, 0x201C, 0xFF08, 0x300C].contains($0) ? 0 : $0 }
          .map { [0x29, 0x5D, 0x7D, 0x201D, 0xFF09, 0x300D].contains($0) ? 0 : $0 }.sorted()
      }
      #expect(scalars(plain) == scalars(ordered), "seed \(seed)")
    }
  }
}
