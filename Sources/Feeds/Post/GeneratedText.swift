import TextLayout

/// The texts that a reader adds to posts although their source does not contain them.
///
/// A search examines the bytes of rows first, which do not contain these words. Any text that a
/// reader adds must therefore be a case of its own list, so that ``RowPrefilter`` takes it into
/// account (``JSONFormat/generatedTexts``).
protocol GeneratedText: RawRepresentable<String>, CaseIterable, Sendable {}

extension GeneratedText {
  var text: String { rawValue }

  static var texts: [String] { allCases.map(\.text) }
}

extension FeedFormat {
  /// Whether posts in this format may show `word`, which is case-folded, although their rows do not
  /// contain it.
  ///
  /// - Complexity: O(n) in the bytes of all generated texts.
  func mayGenerate(_ word: [UInt32], _ matcher: inout TextMatcher) -> Bool {
    let texts = generatedTexts
    guard !texts.isEmpty else { return false }
    guard let needle = TextNeedle(folded: word) else { return true }
    return texts.contains { matcher.contains(needle, in: $0) }
  }

  private var generatedTexts: [String] {
    switch descriptor {
    case .json(let format): format.generatedTexts
    case .lines: Self.ofJSON.flatMap(\.json.generatedTexts)
    case .paragraphs, .xml: []
    }
  }
}
