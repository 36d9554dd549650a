import TestSupport

/// Random text of many scripts, made of pieces that stress what is under test.
struct RandomText {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let ascii = [
    "a", "it", "tide", "harbour", "(see", "below)", "x-y", "--flag", "-5", "3.14", "a/b", "e.g.",
    "\"so\"", "it's", "[1]", "{k}", "100%", "$5", "#tag", "@user", "end.", "what?!", "a,b",
    "https://tide.example/a/b-c?d=1&e=2#f", "internationalization", " ", "  ", "     ", "- ", "!",
  ]
  static let mixed =
    ascii + [
      "潮", "の満ち引き", "。", "「港」", "、", "、ー", "ッ", "カーテン", "中文", "水位：", "（三）", "한국어", "ᄀ",
      "👍🏽", "👩‍👩‍👧", "🇩🇪", "🇫🇷🇮🇹", "1️⃣", "❤️", "🏴‍☠️", "😀", "é", "e\u{301}", "ü\u{327}", "ß",
      "नमस्ते", "क्षमा", "का", "สวัสดี", "กำ", "שלום", "עולם", "السلام", "عليكم", "\u{200B}",
      "\u{2060}", "co\u{AD}ope\u{AD}ra\u{AD}tion", "a\u{A0}b", "\u{3000}", "—", "…", "“q”",
      "\u{301}",
      "\u{1FAE8}", "Ａ", "a\u{200D}b", "می\u{200C}خواهم",
    ]

  /// Up to `count` pieces, with spaces between some of them.
  mutating func text(of pieces: [String], count: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...count, using: &generator) {
      text += pieces.randomElement(using: &generator) ?? ""
      if Int.random(in: 0..<3, using: &generator) > 0 { text += " " }
    }
    return text
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
}
