import TextLayout

/// All words that posts show and that stand in no source: readers put them there.
///
/// A search looks at bytes first, which do not hold these. So whatever a reader says of its own is
/// one of them, and a ``RowPrefilter`` leaves none of them out.
enum OwnWords: String, CaseIterable {
  // Notifications of Mastodon, of the account they come from.
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
  // Posts that are not there.
  case quotedPost = "quoted post"
  case notFound = "post not found"
  case blocked = "blocked post"
  case quoteNotFound = "quoted post: not found"
  case quoteBlocked = "quoted post: blocked"
  case quoteDetached = "quoted post: detached by its author"
  /// An activity whose kind is not told.
  case activity = "activity"
  /// Where profiles of Bluesky are on the web.
  case profiles = "https://bsky.app/profile/"
  /// Between a profile and a post of it.
  case posts = "/post/"

  var text: String { rawValue }

  /// Whether posts of a format may show a word, folded, that their rows do not hold.
  ///
  /// - Complexity: O(n) in the bytes of all of these
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
