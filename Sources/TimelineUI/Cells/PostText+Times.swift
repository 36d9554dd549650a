import Feeds

/// When the relative times in a post's texts change.
extension PostText {
  /// When the first relative time in the footer changes: in a poll or a quoted post.
  ///
  /// - Parameter hidden: the cover of hidden content, which shows no times.
  /// - Returns: infinity if no time changes; `nil` if there is none.
  static func nextFooterChange(
    of post: Post, hidden: PostCover?, isRevealed: Bool, now: Double
  ) -> Double? {
    guard hidden?.hides(.content) != true else { return nil }
    var times: [Double] = []
    if let end = post.poll?.closes {
      let words = end <= now ? nil : RelativeTime.nextChange(from: end, now: now, style: .reader)
      times.append(end <= now ? .infinity : min(end, words ?? end))
    }
    for quote in post.quotes { add(quote, isRevealed: isRevealed, now: now, to: &times) }
    return times.min()
  }

  /// When the relative time of a post changes; see ``nextFooterChange(of:hidden:isRevealed:now:)``.
  static func nextTimestampChange(of post: Post, now: Double) -> Double? {
    post.published.map { published in
      RelativeTime.nextChange(
        from: published, now: now, hasZone: post.hasZone, style: .reader) ?? .infinity
    }
  }

  /// Adds the times that ``add(quote:isRevealed:depth:now:to:)`` shows.
  private static func add(
    _ quote: Post, isRevealed: Bool, now: Double, to times: inout [Double]
  ) {
    if quote.author != nil, let time = nextTimestampChange(of: quote, now: now) {
      times.append(time)
    }
    guard isRevealed || PostCover(of: quote)?.hides(.content) != true else { return }
    for inner in quote.quotes { add(inner, isRevealed: isRevealed, now: now, to: &times) }
  }
}
