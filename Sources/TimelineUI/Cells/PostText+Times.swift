import Feeds

/// How long what posts say of times holds.
extension PostText {
  /// When the first of the times in the footer changes its words: in a poll and in quoted posts.
  ///
  /// - Parameter hidden: what of the post is not shown now.
  /// - Returns: infinity where all stay as they are; nil where there is none.
  static func footerHolds(
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

  /// When the words for the time of a post change, as ``footerHolds(of:hidden:isRevealed:now:)``.
  static func timeHolds(of post: Post, now: Double) -> Double? {
    post.published.map { published in
      RelativeTime.nextChange(
        from: published, now: now, hasZone: post.hasZone, style: .reader) ?? .infinity
    }
  }

  /// As ``add(quote:isRevealed:depth:now:to:)`` shows them.
  private static func add(
    _ quote: Post, isRevealed: Bool, now: Double, to times: inout [Double]
  ) {
    if quote.author != nil, let time = timeHolds(of: quote, now: now) { times.append(time) }
    guard isRevealed || PostCover(of: quote)?.hides(.content) != true else { return }
    for inner in quote.quotes { add(inner, isRevealed: isRevealed, now: now, to: &times) }
  }
}
