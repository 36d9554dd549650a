import Feeds

/// When the texts of a post change because time passes.
struct PostTimes {
  /// The first change of a relative time: infinity if none ever changes, `nil` if the texts have
  /// none.
  let nextChange: Double?
  /// When the texts were made.
  private let start: Double

  /// The times in a post's header, and in its footer: those of a poll and of quoted posts.
  ///
  /// - Parameters:
  ///   - hidden: the cover of hidden content, which shows no times.
  ///   - now: when the texts are made, in seconds since 1970.
  init(of post: Post, hidden: PostCover?, isRevealed: Bool, now: Double) {
    var times = [Self.nextChange(of: post, now: now)].compactMap { $0 }
    if hidden?.hides(.content) != true {
      if let end = post.poll?.closes {
        let words = end <= now ? nil : RelativeTime.nextChange(from: end, now: now, style: .reader)
        times.append(end <= now ? .infinity : min(end, words ?? end))
      }
      for quote in post.quotes { Self.add(quote, isRevealed: isRevealed, now: now, to: &times) }
    }
    (nextChange, start) = (times.min(), now)
  }

  /// The times of a text that shows only the post's own time.
  init(headerOf post: Post, now: Double) {
    (nextChange, start) = (Self.nextChange(of: post, now: now), now)
  }

  /// Whether the texts would be the same if they were made now; false if the clock was set back.
  @MainActor func areCurrent(by clock: PostClock) -> Bool {
    guard let nextChange else { return true }
    let now = clock.now
    return now >= start && now < nextChange
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
