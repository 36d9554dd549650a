import TextLayout

/// What is marked in all posts that show.
@MainActor final class SearchMarks {
  /// What was searched for; nil where nothing is marked.
  var needle: TextNeedle?
  private var matcher = TextMatcher()

  /// The same text, with what is found marked: not in addresses that stand beside a text.
  func marked(_ text: StyledText) -> StyledText {
    guard let needle, !text.isEmpty else { return text }
    return text.marking(needle, with: &matcher) { $0.role != .secondary || $0.link == nil }
  }
}
