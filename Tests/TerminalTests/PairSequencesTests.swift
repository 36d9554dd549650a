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
        == "a\u{1B}[36;49mb\u{1B}[39;104m\u{1B}[38;5;200;48;2;18;52;86mc")
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
