import TestSupport
import Testing

@testable import TextLayout

@Suite struct SanitizerTests {
  @Test(arguments: [
    ("plain text\nof two lines", "plain text\nof two lines"),
    ("a\u{1B}[31mred\u{1B}[0m", "ared"),
    ("a\u{1B}[38;2;1;2;3mb\u{1B}[?1049hc", "abc"),
    ("a\u{9B}31mb", "ab"),
    ("quote\u{9B}Hello", "quoteHello"),
    ("a\u{1B}]0;title\u{7}b", "ab"),
    ("a\u{1B}]8;;https://e.example\u{1B}\\link\u{1B}]8;;\u{1B}\\b", "alinkb"),
    ("a\u{1B}]52;c;c3RvbGVu\u{9C}b", "ab"),
    ("a\u{1B}Pq#0;2;0;0;0\n#0~~@@\u{1B}\\b", "ab"),
    ("a\u{1B}_Gf=100;AAAA\u{1B}\\b", "ab"),
    ("a\u{1B}]0;no end", "a]0;no end"),
    ("a\u{1B}[12", "a[12"),
    ("a\u{1B}", "a"),
    ("a\u{1B}(Bb\u{1B}7c\u{1B}cd", "abcd"),
    ("a\u{1B} a text", "a text"),
    ("a\u{1B}я", "aя"),
    ("\u{0}\u{1}\u{7}\u{8}a\u{7F}\u{80}\u{9F}b", "ab"),
    ("a\r\nb\rc\u{B}d\u{C}e\u{85}f\u{2028}g\u{2029}h", "a\nb\nc\nd\ne\nf\ng\nh"),
    ("\tx\n12\t3\n12345678\t9", "        x\n12      3\n12345678        9"),
    ("a\u{202E}evil\u{202C}b\u{2066}c\u{2069}d\u{202A}e", "aevilbcde"),
    ("\u{FEFF}a\u{FEFF}b", "ab"),
    ("\u{FFF9}base\u{FFFA}note\u{FFFB}", "basenote"),
    ("a\u{10EEEE}\u{305}b", "a\u{305}b"),
    ("hid\u{E0041}\u{E0042}den", "hidden"),
    (
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!"
    ),
    ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}!", "\u{1F3F4}!"),
    ("z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}a", "z\u{300}\u{301}\u{302}\u{303}a"),
    ("a\u{FE01}\u{FE02}\u{FE03}\u{FE04}\u{FE05}\u{FE06}b", "a\u{FE01}\u{FE02}\u{FE03}\u{FE04}b"),
    ("co\u{AD}operate\u{200B}x\u{2060}y", "co\u{AD}operate\u{200B}x\u{2060}y"),
    ("👩‍👩‍👧 👍🏽 ❤️ 1️⃣ 🇩🇪", "👩‍👩‍👧 👍🏽 ❤️ 1️⃣ 🇩🇪"),
    ("می\u{200C}خواهم क्\u{200D}ष", "می\u{200C}خواهم क्\u{200D}ष"),
    ("", ""),
  ])
  func examples(_ input: String, _ expected: String) {
    let clean = Sanitizer.text(input)
    #expect(Array(clean.unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// Bytes are looked at in groups: each of them, at each place of a group, among clean ones.
  @Test func everyByteOfAGroupCounts() {
    for place in 0..<24 {
      for byte in UInt8(0)...0x7F {
        var bytes = Array("abcdefgh ijklmno~pqrstuv".utf8)
        bytes[place] = byte
        let text = String(decoding: bytes, as: UTF8.self)
        let isClean = (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\n")
        if (Sanitizer.text(text) == text) != isClean {
          Issue.record("byte \(byte) at \(place)")
        }
      }
    }
  }

  @Test func noncharacters() {
    for value: UInt32 in [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] {
      var text = "a"
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      #expect(text.unicodeScalars.count == 2)
      #expect(Sanitizer.text(text + "b") == "ab")
    }
  }

  @Test func linesBecomeOne() {
    #expect(Sanitizer.line("  a\n\n b \r\n\u{2028}c\t") == "a b c")
    #expect(Sanitizer.line("plain") == "plain")
    #expect(Sanitizer.line(" \n ") == "")
    #expect(Sanitizer.line("https://e.example/\u{1B}[2J") == "https://e.example/")
  }

  /// What must never come out, said in terms of Unicode's own properties.
  private func forbidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" { return false }
    let allowedIgnorables: Set<UInt32> = [
      0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x200B,
      0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0x3164, 0xFFA0,
    ]
    if scalar.properties.generalCategory == .control { return true }
    if scalar.properties.isNoncharacterCodePoint || scalar.value == 0x10EEEE { return true }
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: return true
    default: break
    }
    if (0xFFF9...0xFFFB).contains(scalar.value) { return true }
    guard scalar.properties.isDefaultIgnorableCodePoint else { return false }
    return !allowedIgnorables.contains(scalar.value) && !scalar.properties.isVariationSelector
      && !(0xE0020...0xE007F).contains(scalar.value)
  }

  @Test(arguments: Rounds.seeds(20))
  func nothingForbiddenSurvives(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "\u{1B}", "\u{1B}[", "\u{1B}]", "\u{1B}P", "\u{1B}\\", "\u{9B}", "\u{9C}", "\u{9D}", "\u{7}",
      "31m", ";", "?", "~", "a", "Z", " ", "\t", "\r", "\n", "\r\n", "\u{301}", "\u{200D}",
      "\u{FE0F}", "\u{1F3F4}", "\u{E0067}", "\u{E007F}", "\u{202E}", "\u{2066}", "👍🏽", "潮", "ש",
      "\u{20E3}", "\u{E0100}", "\u{10EEEE}", "\u{2028}", "\u{85}",
    ]
    for _ in 0..<200 {
      var input = ""
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        if Bool.random(using: &generator) {
          input += pieces.randomElement(using: &generator) ?? ""
        } else if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x110000, using: &generator)) {
          input.unicodeScalars.append(scalar)
        } else if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x2100, using: &generator)) {
          input.unicodeScalars.append(scalar)
        }
      }
      let clean = Sanitizer.text(input)
      #expect(
        !clean.unicodeScalars.contains(where: forbidden), "seed \(seed): \(input.debugDescription)")
      let again = Sanitizer.text(clean)
      #expect(
        Array(again.unicodeScalars) == Array(clean.unicodeScalars),
        "seed \(seed): \(input.debugDescription)")
      let line = Sanitizer.line(input)
      #expect(!line.unicodeScalars.contains("\n") && Sanitizer.line(line) == line)
      #expect(longestRunOfMarks(clean) <= 4, "seed \(seed): \(input.debugDescription)")
    }
  }

  private func longestRunOfMarks(_ text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark
      where !scalar.properties.isVariationSelector
        && ScalarWidth.shared[scalar.value].columns == 0
        && !scalar.properties.isDefaultIgnorableCodePoint, .enclosingMark:
        run += 1
      default: run = 0
      }
      longest = max(longest, run)
    }
    return longest
  }

  @Test func manyUnfinishedSequencesTakeLinearWork() {
    let one = String(repeating: "\u{1B}]x", count: 20_000)
    #expect(Sanitizer.text(one) == String(repeating: "]x", count: 20_000))
    let other = String(repeating: "\u{9D}x", count: 20_000)
    #expect(Sanitizer.text(other) == String(repeating: "x", count: 20_000))
  }

  @Test func rangesAgreeWithTheStandardLibrary() {
    for value in 0..<UInt32(0x110000) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if ScalarClass.isIgnorable(value) != scalar.properties.isDefaultIgnorableCodePoint {
        Issue.record("default-ignorable: U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func simpleCodePointsNeverJoin() {
    for value in 0..<UInt32(0x30000) where ScalarClass.isSimple(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for other in ["a" as Unicode.Scalar, "가", scalar] {
        let pair = String(String.UnicodeScalarView([scalar, other, scalar]))
        // An expectation for each of 300,000 pairs would take longer than all other tests.
        if pair.count != 3 { Issue.record("U+\(String(value, radix: 16)) and \(other)") }
      }
    }
  }
}
