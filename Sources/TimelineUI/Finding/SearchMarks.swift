import Feeds
import TextLayout

/// What is marked in all posts that show: what was searched for, or else the words of the filter.
@MainActor final class SearchMarks {
  /// What was searched for; nil where nothing is.
  var needle: TextNeedle?
  /// The words that all posts shown have; empty where no filter is on.
  var filtered: [TextNeedle] = []
  /// Made when something is looked for: it has room for all of Unicode.
  private lazy var matcher = TextMatcher()

  private var needles: [TextNeedle] { needle.map { [$0] } ?? filtered }

  /// The same text, with what is found marked: not in addresses that stand beside a text.
  func marked(_ text: StyledText) -> StyledText {
    guard !text.isEmpty else { return text }
    return needles.reduce(text) { text, needle in
      text.marking(needle, with: &matcher) { $0.role != .secondary || $0.link == nil }
    }
  }

  /// Whether something is found in what the post's warnings hide.
  ///
  /// - Complexity: O(n) in the bytes of that
  func areHidden(in post: Post) -> Bool {
    let needles = needles
    guard !needles.isEmpty else { return false }
    return post.anyHiddenText { text in needles.contains { matcher.contains($0, in: text) } }
  }
}
