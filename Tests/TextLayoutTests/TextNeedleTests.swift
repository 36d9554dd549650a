import TestSupport
import Testing

@testable import TextLayout

/// What a needle finds, by example and against a model that compares place by place.
@Suite struct TextNeedleTests {
  private func isFound(_ query: String, in text: String) throws -> Bool {
    var matcher = TextMatcher()
    return matcher.contains(try #require(TextNeedle(query)), in: text)
  }

  @Test(arguments: [
    ("tide", "High TIDE at dusk"), ("Tide", "High Tide"), ("cafe", "Le Café"), ("café", "cafe"),
    ("cafe", "cafe\u{301}"), ("sorlie", "Marit Sørlie"), ("strasse", "Straße"),
    ("straße", "STRASSE"),
    ("file", "ﬁle"), ("off", "oﬃce"), ("abc", "ＡＢＣ"), ("ＡＢＣ", "ABC"), ("かもめ", "ｶﾓﾒが鳴く"),
    ("カモメ", "かもめ"), ("がす", "ガス"), ("が", "か\u{3099}"), ("ガ", "ｶﾞ"), ("水位", "中文水位：三"),
    ("한", "김한늘"), ("하늘", "김하늘"), ("κυμα", "ΚΎΜΑ"), ("κύματος", "κύματοσ"),
    ("ветрова", "Ольга Ветрова"),
    ("coop", "co\u{AD}op"), ("it's", "It’s late"), ("a b", "a\nb"), ("a b", "a\u{A0}b"),
    ("i", "İ"), ("سلام", "سَلَام"), ("שלום", "שָׁלוֹם"), ("ﷺ", "صلى الله عليه وسلم"),
    ("🌊", "🌊 wave"),
  ])
  func finds(_ query: String, in text: String) throws {
    #expect(try isFound(query, in: text))
  }

  @Test(arguments: [
    ("Tide", "High tide"), ("tides", "tide"), ("か", "がく"), ("か", "か\u{3099}く"), ("は", "ﾊﾟ"),
    ("가", "각"),
    ("가", "\u{1100}\u{1161}\u{11A8}"), ("क", "ख"), ("a  b", "a b"), ("ツ", "ッ"),
  ])
  func doesNotFind(_ query: String, in text: String) throws {
    #expect(try !isFound(query, in: text))
  }

  @Test func nothingToLookFor() {
    for query in ["", "\u{AD}", "\u{200D}\u{FE0F}", "\u{1B}[2J", "\u{301}"] {
      #expect(TextNeedle(query) == nil, "\(query.unicodeScalars)")
    }
  }

  @Test func rangesAreWholeCharacters() throws {
    var matcher = TextMatcher()
    func found(_ query: String, in text: String) throws -> [Substring] {
      let needle = try #require(TextNeedle(query))
      return matcher.ranges(of: needle, in: text).map { text.slice(utf8: $0) }
    }
    #expect(try found("e", in: "e\u{301}te") == ["e\u{301}", "e"])
    #expect(try found("👩", in: "a👩‍🔬b") == ["👩‍🔬"])
    #expect(try found("fi", in: "oﬃce fit") == ["ﬃ", "fi"])
    #expect(try found("aa", in: "aaaaa") == ["aa", "aa"])
    #expect(try found("op", in: "co\u{AD}o\u{AD}p") == ["o\u{AD}p"])
    #expect(try found("カ", in: "ｶﾓﾒ かカ") == ["ｶ", "か", "カ"])
  }

  /// Compares at each place, and looks what follows.
  private func model(_ needle: TextNeedle, _ text: String) -> Bool {
    var folding = ScalarFolding(matchesCase: needle.matchesCase)
    var folded: [UInt32] = []
    for scalar in text.unicodeScalars {
      switch folding.fold(scalar.value) {
      case .one(let one): folded.append(one)
      case .nothing: break
      case .several(let several): folded += several
      }
    }
    let count = needle.scalars.count
    guard folded.count >= count else { return false }
    return (0...folded.count - count).contains { start in
      let end = start + count
      return Array(folded[start..<end]) == needle.scalars
        && (end == folded.count || !ScalarFolding.joins(folded[end]))
    }
  }

  @Test(arguments: 0..<40)
  func agreesWithModel(_ seed: UInt64) {
    var random = RandomText(seed: seed)
    var matcher = TextMatcher()
    for _ in 0..<60 {
      let text = random.text(of: RandomText.mixed, count: 30)
      let characters = Array(text)
      var query = random.text(of: RandomText.mixed, count: 2)
      if random.int(0...2) > 0, !characters.isEmpty {
        let start = random.int(0...characters.count - 1)
        query = String(characters[start..<min(characters.count, start + random.int(1...6))])
        if random.int(0...2) == 0 { query = query.lowercased() }
      }
      guard let needle = TextNeedle(query) else { continue }
      let expected = model(needle, Sanitizer.text(text))
      let clean = Sanitizer.text(text)
      #expect(matcher.contains(needle, in: clean) == expected, "seed \(seed): \(query) in \(text)")
      let ranges = matcher.ranges(of: needle, in: clean)
      #expect(ranges.isEmpty != expected, "seed \(seed): \(query) in \(text)")
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
  }

  @Test func marksAcrossRuns() throws {
    var text = StyledText("high ")
    text.append("ti", style: TextStyle(traits: .bold))
    text.append("de https://tide.example")
    var matcher = TextMatcher()
    let marked = text.marking(try #require(TextNeedle("tide")), with: &matcher)
    let runs = marked.paragraphs[0].runs
    #expect(marked.plainText == text.plainText)
    let parts = runs.filter { $0.style.traits.contains(.marked) }.map {
      String(marked.paragraphs[0].string.slice(utf8: $0.range))
    }
    #expect(parts == ["ti", "de", "tide"])
    #expect(runs.first?.range.lowerBound == 0)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
  }
}
