import Testing

@testable import TextLayout

@Suite struct TextMetricsTests {
  private let metrics = TextMetrics()

  private func shown(_ text: String, _ metrics: TextMetrics = TextMetrics()) -> [String] {
    var glyphs: [String] = []
    metrics.forEachGlyph(in: text) { glyphs.append("\($0.string)/\($0.width)") }
    return glyphs
  }

  @Test(arguments: [
    ("", 0), ("plain", 5), ("é", 1), ("e\u{301}", 1), ("ü\u{327}", 1), ("潮", 2), ("ー", 2), ("。", 2),
    ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("ｱ", 1), ("😀", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2),
    ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 1), ("1️⃣", 1), ("❤️", 1), ("❤", 1), ("⌚", 2), ("🏴‍☠️", 2), ("❤️‍🔥", 1),
    ("का", 2), ("क्ष", 2), ("नमस्ते", 4), ("กำ", 2), ("שָׁלוֹם", 4), ("السلام", 6), ("مَرْحَبًا", 5),
    ("می\u{200C}خ", 3), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{AD}", 0), ("\u{2060}", 0),
    ("\u{3164}", 0), ("\u{301}", 1), ("\u{378}", 1), ("\u{1FFFE}", 1), ("\u{FFFD}", 1),
    ("a\u{A0}b", 3), ("\u{3000}", 2), ("…", 1), ("—", 1), ("─▌▗", 3),
  ])
  func widths(_ text: String, _ expected: Int) {
    #expect(metrics.width(of: text) == expected)
    #expect(metrics.width(of: text[...]) == expected)
    #expect(text.reduce(0) { $0 + metrics.width(of: $1) } == expected)
  }

  /// Emoji of Unicode 15, 15.1 and 16, of which C libraries know some, all or none: one column and
  /// a replacement, or two and the emoji itself.
  @Test(arguments: ["\u{1FAE8}", "\u{1FACE}", "\u{1FADF}", "\u{1FAC6}"])
  func newEmojiAreAsWideAsTheCLibrarySays(_ emoji: String) {
    let glyphs = shown(emoji)
    #expect([["□/1"], ["\(emoji)/2"]].contains(glyphs))
    #expect(glyphs.first?.last.map(String.init) == String(metrics.width(of: emoji)))
  }

  @Test(arguments: [
    ("ab", ["a/1", "b/1"]),
    ("👍🏽", ["👍/2"]), ("👩‍👩‍👧", ["👩/2"]), ("❤️", ["❤/1"]), ("1️⃣", ["1/1"]), ("🏴‍☠️", ["🏴/2"]),
    ("🏽", ["🏽/2"]),
    ("🇩🇪", ["🇩/1", "🇪/1"]), ("का", ["क/1", "ा/1"]), ("क्ष", ["क्/1", "ष/1"]),
    ("e\u{301}\u{327}", ["e\u{301}\u{327}/1"]), ("\u{301}", ["◌\u{301}/1"]),
    ("\u{378}", ["□/1"]), ("\u{7}", ["□/1"]), ("\u{200B}\u{2060}", []),
    ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", ["🏴/2"]),
    ("葛\u{E0100}", ["葛/2"]),
  ])
  func displayForm(_ text: String, _ expected: [String]) {
    #expect(shown(text) == expected)
  }

  @Test func terminalsThatDrawClustersGetThemWhole() {
    let whole = TextMetrics(drawsWholeClusters: true)
    #expect(shown("👍🏽", whole) == ["👍🏽/2"])
    #expect(shown("🏴‍☠️", whole) == ["🏴‍☠️/2"])
    #expect(shown("👩‍👩‍👧", whole) == ["👩‍👩‍👧/2"])
    // Seven code points do not fit a cell.
    #expect(shown("👩‍👩‍👧‍👦", whole) == ["👩/2"])
    // The base takes one column: terminals disagree.
    #expect(shown("❤️", whole) == ["❤/1"])
    #expect(shown("1️⃣", whole) == ["1/1"])
    #expect(shown("🇩🇪", whole) == ["🇩/1", "🇪/1"])
    #expect(shown("क्ष", whole) == ["क्/1", "ष/1"])
    #expect(shown("漢\u{301}", whole) == ["漢\u{301}/2"])
  }

  @Test func aCellHoldsFiveCodePoints() {
    let text = "z" + String(repeating: "\u{301}", count: 9)
    #expect(shown(text) == ["z\u{301}\u{301}\u{301}\u{301}/1"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func layoutDoesNotDependOnTheTerminal(seed: UInt64) {
    var random = RandomText(seed: seed)
    let whole = TextMetrics(drawsWholeClusters: true)
    for _ in 0..<50 {
      let text = random.text(of: RandomText.mixed, count: 12)
      var width = 0
      whole.forEachGlyph(in: text) { glyph in
        #expect(ScalarWidth.shared[glyph.scalars.0].columns == glyph.width)
        width += glyph.width
      }
      #expect(width == metrics.width(of: text), "seed \(seed): \(text)")
    }
  }

  @Test(arguments: [
    ("harbour", 7, "harbour"), ("harbour", 6, "harbo…"), ("harbour", 1, "…"), ("harbour", 0, ""),
    ("", 0, ""), ("a b", 3, "a b"), ("tide at", 6, "tide…"), ("潮の満ち", 8, "潮の満ち"),
    ("潮の満ち", 7, "潮の満…"), ("潮の満ち", 6, "潮の…"), ("潮の満ち", 2, "…"),
    ("e\u{301}e\u{301}e", 2, "e\u{301}…"),
    ("👍🏽👍🏽", 3, "👍🏽…"),
  ])
  func truncation(_ text: String, _ width: Int, _ expected: String) {
    let short = metrics.truncated(text, toWidth: width)
    #expect(short == expected)
    #expect(metrics.width(of: short) <= max(0, width))
  }

  @Test func manyThreadsSeeOneTable() async {
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<UInt32(0x20000)).reduce(0) { $0 + ScalarWidth.shared[$1].columns }
        }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(sums.count == 1)
  }

  /// Each step looked back to the first flag of the row: such a text took minutes.
  @Test(.timeLimit(.minutes(2))) func aLongRowOfFlagsIsCutIntoFlags() {
    let flags = String(repeating: "\u{1F1EF}\u{1F1F5}", count: 100_000)
    #expect(TextMetrics().width(of: flags) == 200_000)
    #expect(TextFrame(StyledText(flags), width: 80).lines.count == 2_500)
  }
}
