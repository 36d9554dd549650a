import Testing

@testable import Terminal

/// The sequences of links that are inserted into ncurses' output.
@Suite struct LinkSequencesTests {
  private static let esc = "\u{1B}"
  private let group = LinkGroup(["https://a.example/", "https://b.example/"])

  /// Pairs 1 and 2 belong to the first link, 3 to the second, 4 to none.
  private func pairs() -> PairSequences {
    var pairs = PairSequences()
    let (first, second) = (group.number(of: 0), group.number(of: 1))
    let areTaken = [pairs.addLink(first), pairs.addLink(second)]
    #expect(areTaken == [true, true])
    pairs.set(1, foreground: 6, background: -1, link: first)
    pairs.set(2, foreground: 2, background: -1, link: first)
    pairs.set(3, foreground: 6, background: -1, link: second)
    pairs.set(4, foreground: 6, background: -1)
    return pairs
  }

  /// The bytes with `<a>`, `<b>` and `</>` for opening and closing sequences; `{n}` is a pair's
  /// mark.
  private func expand(_ text: String, _ pairs: inout PairSequences) -> String {
    var written = text
    for pair in 0...4 { written.replace("{\(pair)}", with: "\u{1F}\(pair)\u{1F}") }
    written.replace("^", with: Self.esc)
    var result = String(decoding: pairs.expand(Array(written.utf8)), as: UTF8.self)
    for (name, index) in [("a", 0), ("b", 1)] {
      let number = group.number(of: index)
      result.replace(
        "\(Self.esc)]8;id=\(number);https://\(name).example/\(Self.esc)\\", with: "<\(name)>")
    }
    result.replace("\(Self.esc)]8;;\(Self.esc)\\", with: "</>")
    // Of colours only the one that changes is sent.
    for (color, name) in [("36", "{c}"), ("32", "{g}"), ("39", "{d}")] {
      result.replace("\(Self.esc)[\(color);49m", with: name)
      result.replace("\(Self.esc)[\(color)m", with: name)
    }
    result.replace(Self.esc, with: "^")
    return result
  }

  @Test(
    arguments: [
      // Opened before the link's text; closed before text without a link, or at the end.
      ("x{1}ab{0}y", "x{c}<a>ab{d}</>y"), ("{1}ab", "{c}<a>ab</>"),
      // The end of a style ends the link, even if another style begins with it.
      ("{1}ab^[my", "{c}<a>ab^[m</>y"), ("{1}ab^[0;1my", "{c}<a>ab^[0;1m</>y"),
      ("{1}ab{0}^[0;1my", "{c}<a>ab^[0;1m</>y"),
      // A sequence that only adds an attribute does not end it.
      ("{1}ab^[4my", "{c}<a>ab^[4my</>"), ("{1}ab^[1;0Hy", "{c}<a>ab^[1;0Hy</>"),
      // The same link in another colour continues; another link replaces it.
      ("{1}a{2}b", "{c}<a>a{g}b</>"), ("{1}a{3}b", "{c}<a>a<b>b</>"),
      ("{1}a{4}b", "{c}<a>a</>b"),
      // Nothing is sent before a character needs it.
      ("{1}^[5;1H^[K{0}y", "{c}^[5;1H^[K{d}y"), ("{1}a^[mx{1}^[9;9H", "{c}<a>a^[m</>x{c}^[9;9H"),
      ("{1}a{0}^[2;2H{1}b", "{c}<a>a{d}^[2;2H{c}b</>"),
      // Line feeds and carriage returns are not characters here, letters beyond ASCII are.
      ("{1}\r\n{0}y", "{c}\r\n{d}y"), ("{1}é", "{c}<a>é</>"),
      // Incomplete and unknown sequences are passed on.
      ("{1}a^[", "{c}<a>a^[</>"), ("{1}a^", "{c}<a>a^</>"), ("{1}a^(By", "{c}<a>a^(By</>"),
      ("{1}\u{1F}9\u{1F}", "{c}\u{1F}<a>9</>\u{1F}"),
    ])
  func linksChangeBeforeTheNextCharacter(written: String, told: String) {
    var pairs = pairs()
    let result = expand(written, &pairs)
    // A mark without a pair is passed on, and the link is closed at the end.
    #expect(result == told || result == told.replacing("</>\u{1F}", with: "\u{1F}</>"))
  }

  /// As ncurses keeps its style between frames.
  @Test func linksReopenInTheNextOutput() {
    var pairs = pairs()
    let told = ["{1}a", "^[3;3Hb{0}c", "d"].map { expand($0, &pairs) }
    #expect(told == ["{c}<a>a</>", "^[3;3H<a>b{d}</>c", "d"])
  }

  @Test func removeAllForgetsPairsAndLinks() {
    var pairs = pairs()
    _ = expand("{1}a", &pairs)
    #expect(pairs.linkBytes > 0)
    pairs.removeAll()
    let told = expand("b{1}", &pairs)
    #expect(told == "b\u{1F}1\u{1F}")
    #expect(pairs.linkBytes == 0)
  }

  @Test func linksSendNormalizedAddresses() {
    let long = "https://a.example/" + String(repeating: "x", count: 2_000)
    let group = LinkGroup([
      "https://bücher.example/é \u{20}x", "javascript:alert(1)", long, "/relative",
      "https://a.example/\u{1B}]8;;x", "https://user:word@a.example/;p=1",
    ])
    var links = LinkSequences()
    func told(_ index: Int) -> String? {
      let number = group.number(of: index)
      guard links.add(number) else { return nil }
      return String(decoding: links.sequence(for: number), as: UTF8.self)
    }
    let all = (0..<6).map(told)
    func opening(_ index: Int, _ address: String) -> String {
      "\u{1B}]8;id=\(group.number(of: index));\(address)\u{1B}\\"
    }
    #expect(all[0] == opening(0, "https://xn--bcher-kva.example/%C3%A9%20%20x"))
    #expect(all[1...4].allSatisfy { $0 == nil })
    #expect(all[5] == opening(5, "https://a.example/;p=1"))
    let takesNone = links.add(0)
    #expect(!takesNone)
  }

  @Test(
    arguments: [
      ("foot(1.13.1)", true), ("kitty(0.26.5)", true), ("WezTerm 20240203", true),
      ("ghostty 1.0.1", true), ("Alacritty 0.15", true), ("VTE(7203)", true), ("tmux 3.4", true),
      ("tmux 3.5a", true), ("tmux next-3.6", true), ("tmux 4.0", true), ("tmux 3.3a", false),
      ("tmux 2.9", false), ("tmux", false), ("XTerm(379)", false), ("", false), ("screen", false),
      ("mlterm(3.9)", false),
    ])
  func linksAreForKnownTerminalsOnly(version: String, isTaken: Bool) {
    var capabilities = TerminalCapabilities()
    capabilities.version = version
    #expect(capabilities.supportsLinks == isTaken)
  }
}
