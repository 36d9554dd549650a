import TextLayout

/// All words that posts show although their source does not contain them: readers add them.
///
/// A search examines the bytes of rows first, which do not contain these words. Any text that a
/// reader adds must therefore be a case here, so that ``RowPrefilter`` takes it into account.
enum GeneratedText: String, CaseIterable {
  // Mastodon's notifications, whose account is the author of the post.
  case likes = "likes your post"
  case reposts = "reposted your post"
  case follows = "follows you"
  case asksToFollow = "asks to follow you"
  case pollEnded = "a poll has ended"
  case postEdited = "a post was edited"
  case signedUp = "signed up"
  // Filters of an account.
  case filtered = "filtered"
  case unnamedFilter = "a filter"
  // Posts that are unavailable.
  case quotedPost = "quoted post"
  case notFound = "post not found"
  case blocked = "blocked post"
  case quoteNotFound = "quoted post: not found"
  case quoteBlocked = "quoted post: blocked"
  case quoteDetached = "quoted post: detached by its author"
  /// An activity without a type.
  case activity = "activity"
  /// The address prefix of Bluesky's profiles.
  case profiles = "https://bsky.app/profile/"
  /// The path between a profile and one of its posts.
  case posts = "/post/"

  var text: String { rawValue }

  /// Whether posts in `format` may show `word`, which is case-folded, although their rows do not
  /// contain it.
  ///
  /// - Complexity: O(n) in the bytes of all cases
  static func mayHold(_ word: [UInt32], in format: FeedFormat, _ matcher: inout TextMatcher) -> Bool
  {
    switch format {
    case .rss, .atom, .text: return false
    default: break
    }
    guard let needle = TextNeedle(folded: word) else { return true }
    return allCases.contains { matcher.contains(needle, in: $0.text) }
  }
}
