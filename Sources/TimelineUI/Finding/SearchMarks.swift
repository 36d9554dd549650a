import Feeds
import TextLayout

/// The matches marked in all visible posts: of the search if there is one, else of the filter's
/// words.
@MainActor final class SearchMarks {
  /// The text of the search; `nil` if there is none.
  var needle: TextNeedle?
  /// The words of the filter, of which a shown post has some; empty without a filter.
  var filtered: [TextNeedle] = []
  /// Created for the first search: its table covers all of Unicode.
  private lazy var matcher = TextMatcher()

  private var needles: [TextNeedle] { needle.map { [$0] } ?? filtered }

  /// `text` with matches marked, except in addresses beside a text.
  func marked(_ text: StyledText) -> StyledText {
    guard !text.isEmpty else { return text }
    return needles.reduce(text) { text, needle in
      text.marking(needle, with: &matcher) { $0.role != .secondary || $0.link == nil }
    }
  }

  /// Whether content hidden by the post's warnings contains a match.
  ///
  /// - Complexity: O(n) in the bytes of that content.
  func hasHiddenMatch(in post: Post) -> Bool {
    let needles = needles
    guard !needles.isEmpty else { return false }
    return post.anyHiddenText { text in needles.contains { matcher.contains($0, in: text) } }
  }
}
