import Feeds

/// When the relative times in a post's texts change: infinity if they never do, `nil` if there are
/// none.
struct PostTimes {
  /// The post's own time.
  let header: Double?
  /// The first of the times in the footer: in a poll or a quoted post.
  let footer: Double?
  /// When the texts were made.
  private let start: Double

  /// - Parameters:
  ///   - hidden: the cover of hidden content, which shows no times.
  ///   - now: when the texts are made, in seconds since 1970.
  init(of post: Post, hidden: PostCover?, isRevealed: Bool, now: Double) {
    start = now
    header = Self.nextChange(of: post, now: now)
    var times: [Double] = []
    if hidden?.hides(.content) != true {
      if let end = post.poll?.closes {
        let words = end <= now ? nil : RelativeTime.nextChange(from: end, now: now, style: .reader)
        times.append(end <= now ? .infinity : min(end, words ?? end))
      }
      for quote in post.quotes { Self.add(quote, isRevealed: isRevealed, now: now, to: &times) }
    }
    footer = times.min()
  }

  /// The times of a text that shows only the post's own time.
  init(headerOf post: Post, now: Double) {
    start = now
    header = Self.nextChange(of: post, now: now)
    footer = nil
  }

  /// Whether the texts would be the same if they were made now; false if the clock was set back.
  @MainActor func areCurrent(by clock: PostClock) -> Bool {
    guard header != nil || footer != nil else { return true }
    let now = clock.now
    return now >= start && now < min(header ?? .infinity, footer ?? .infinity)
  }

  private static func nextChange(of post: Post, now: Double) -> Double? {
    post.published.map { published in
      RelativeTime.nextChange(
        from: published, now: now, hasZone: post.hasZone, style: .reader) ?? .infinity
    }
  }

  /// Adds the times that ``PostFooter`` shows of a quoted post.
  private static func add(
    _ quote: Post, isRevealed: Bool, now: Double, to times: inout [Double]
  ) {
    if quote.author != nil, let time = nextChange(of: quote, now: now) { times.append(time) }
    guard isRevealed || PostCover(of: quote)?.hides(.content) != true else { return }
    for inner in quote.quotes { add(inner, isRevealed: isRevealed, now: now, to: &times) }
  }
}
