import TestSupport
import Testing

@testable import Terminal

@Suite struct PairSequencesTests {
  private func expand(_ text: String, _ pairs: PairSequences) -> String {
    var pairs = pairs
    return String(decoding: pairs.expand(Array(text.utf8)), as: UTF8.self)
  }

  private var pairs: PairSequences {
    var pairs = PairSequences()
    pairs.set(1, foreground: 6, background: -1)
    pairs.set(2, foreground: -1, background: 12)
    pairs.set(30_000, foreground: 200, background: 0x12_3456)
    return pairs
  }

  @Test func numbersBecomeColours() {
    #expect(
      expand("a\u{1F}1\u{1F}b\u{1F}2\u{1F}\u{1F}30000\u{1F}c", pairs)
        == "a\u{1B}[36;49mb\u{1B}[39;104;38;5;200;48;2;18;52;86mc")
  }

  /// Of two colours only the one that changes is sent, with the style before it.
  @Test(
    arguments: [
      ("{1}a{3}b{3}c", "^[36;49ma^[33mbc"), ("{3}a{4}b", "^[33;49ma^[44mb"),
      ("{1}a^[m{1}b", "^[36;49ma^[0;36mb"), ("{1}a^[0;7m{1}b", "^[36;49ma^[0;7;36mb"),
      ("{1}a^[7m{1}b", "^[36;49ma^[7mb"), ("{1}a^[2;3H{1}b", "^[36;49ma^[2;3Hb"),
      ("{1}a^[m^[2;3H{1}b", "^[36;49ma^[m^[2;3H^[36mb"),
      // A style that only adds to the one before is not begun anew.
      ("^[m{1}a^[0;7m{1}b", "^[0;36ma^[7mb"), ("^[mx^[0;1m{1}b", "^[mx^[1;36mb"),
      ("^[0;1m{1}a^[0;1;7m{1}b", "^[0;1;36ma^[7mb"), ("^[m{1}a^[0;1m{4}b", "^[0;36ma^[0;1;33;44mb"),
      ("^[0;1m{1}a^[0;7m{1}b", "^[0;1;36ma^[0;7;36mb"), ("^[0;7m{1}a^[0;7m{1}b", "^[0;7;36mab"),
      // No more parameters than all terminals read.
      ("^[0;1;2;3;4;7m{30000}b", "^[0;1;2;3;4;7;38;5;200;48;2;18;52;86mb"),
      ("^[0;1;2;3;4;7;9m{30000}b", "^[0;1;2;3;4;7;9m^[38;5;200;48;2;18;52;86mb"),
    ])
  func onlyChangesAreSent(text: String, expanded: String) {
    var pairs = pairs
    pairs.set(3, foreground: 3, background: -1)
    pairs.set(4, foreground: 3, background: 4)
    var written = text.replacing("^", with: "\u{1B}")
    for pair in [1, 3, 4, 30_000] { written.replace("{\(pair)}", with: "\u{1F}\(pair)\u{1F}") }
    #expect(expand(written, pairs).replacing("\u{1B}", with: "^") == expanded)
  }

  /// Each character of any output has the style that it has if all colours are sent at each mark.
  @Test(arguments: Rounds.seeds(200)) func charactersKeepTheirStyles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let colors: [(Int32, Int32)] = [
      (-1, -1), (6, -1), (-1, 12), (200, 0x12_3456), (6, 12), (9, -1),
    ]
    var pairs = PairSequences()
    for (pair, color) in colors.enumerated() {
      pairs.set(pair, foreground: color.0, background: color.1)
    }
    var output = ""
    var everything = ""
    let others = [
      "x", "yz", "\u{1B}[m", "\u{1B}[0;1m", "\u{1B}[0;7m", "\u{1B}[0;1;7m", "\u{1B}[7m",
      "\u{1B}[3;9H",
    ]
    for _ in 0..<40 {
      if Bool.random(using: &random) {
        let pair = Int.random(in: 0..<colors.count, using: &random)
        output += "\u{1F}\(pair)\u{1F}"
        everything += expand("\u{1F}\(pair)\u{1F}", pairs)
      } else if let other = others.randomElement(using: &random) {
        output += other
        everything += other
      }
    }
    let sent = expand(output, pairs)
    // Before the first mark the style is unknown.
    #expect(Self.styles(in: sent) == Self.styles(in: everything), "seed \(seed)")
    #expect(sent.utf8.count <= everything.utf8.count, "seed \(seed)")
  }

  /// Each character with the parameters in force: attributes, foreground, background.
  private static func styles(in text: String) -> [String] {
    var styles: [String] = []
    var style = (attributes: Set<Int>(), foreground: "39", background: "49")
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x1B else {
        styles.append(
          "\(byte) \(style.attributes.sorted()) \(style.foreground) \(style.background)")
        continue
      }
      let body = rest.dropFirst().prefix { $0 < 0x40 }
      let end = rest.dropFirst(1 + body.count).first
      rest = rest.dropFirst(2 + body.count)
      guard end == UInt8(ascii: "m") else { continue }
      var numbers = body.split(separator: 0x3B, omittingEmptySubsequences: false)
        .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }[...]
      while let number = numbers.popFirst() {
        switch number {
        case 0: style = ([], "39", "49")
        case 38, 48:
          let count = numbers.first == 5 ? 2 : 4
          let color = "\(numbers.prefix(count))"
          numbers = numbers.dropFirst(count)
          if number == 38 { style.foreground = color } else { style.background = color }
        case 30...39, 90...97: style.foreground = "\(number)"
        case 40...49, 100...107: style.background = "\(number)"
        default: style.attributes.insert(number)
        }
      }
    }
    return styles
  }

  /// ncurses restores the colours before it ends a style.
  @Test(
    arguments: [
      ("a\u{1F}0\u{1F}b", "a\u{1B}[39;49mb"), ("a\u{1F}0\u{1F}\u{1B}[mb", "a\u{1B}[mb"),
      ("\u{1F}1\u{1F}\u{1B}[0;1mb", "\u{1B}[0;1mb"), ("\u{1F}0\u{1F}\u{1B}[0m", "\u{1B}[0m"),
      ("\u{1F}0\u{1F}\u{1B}[1m", "\u{1B}[39;49m\u{1B}[1m"),
      ("\u{1F}0\u{1F}\u{1B}[0;5H", "\u{1B}[39;49m\u{1B}[0;5H"),
      ("\u{1F}0\u{1F}\u{1B}[05m", "\u{1B}[39;49m\u{1B}[05m"),
      ("\u{1F}0\u{1F}\u{1B}[0", "\u{1B}[39;49m\u{1B}[0"),
      ("\u{1F}0\u{1F}\u{1B}[", "\u{1B}[39;49m\u{1B}["),
      ("\u{1F}0\u{1F}\u{1B}[0;", "\u{1B}[39;49m\u{1B}[0;"),
    ])
  func undoneSequencesAreLeftOut(text: String, expanded: String) {
    #expect(expand(text, pairs) == expanded)
  }

  @Test(
    arguments: [
      "", "plain", "\u{1F}", "\u{1F}1", "\u{1F}\u{1F}", "\u{1F}x\u{1F}", "\u{1F}3\u{1F}",
      "\u{1F}30001\u{1F}", "\u{1F}9999999999999999999999\u{1F}", "\u{1F}1 \u{1F}",
    ])
  func unknownPairsStay(text: String) { #expect(expand(text, pairs) == text) }

  @Test func pairsKeepColoursUntilRemoveAll() {
    var pairs = pairs
    pairs.set(1, foreground: 3, background: 3)
    #expect(expand("\u{1F}1\u{1F}", pairs) == "\u{1B}[36;49m")
    pairs.removeAll()
    #expect(expand("\u{1F}0\u{1F}\u{1F}1\u{1F}", pairs) == "\u{1B}[39;49m\u{1F}1\u{1F}")
    pairs.set(1, foreground: 3, background: 3)
    #expect(expand("\u{1F}1\u{1F}", pairs) == "\u{1B}[33;43m")
  }
}
