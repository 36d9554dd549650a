import Feeds
import TextLayout

/// The parts around a post's text: its booster, its poll, the posts it quotes, its link and its
/// counts.
extension PostText {
  /// `"↻ Buoy boosted"`.
  static func repost(of post: Post) -> StyledText {
    guard let author = post.repostedBy else { return StyledText() }
    return StyledText("↻ \(Sanitizer.line(author.shownName)) boosted", style: secondary)
  }

  /// `"↩ 3   ↻ 12   ★ 40"`, without zero counts.
  static func counts(of post: Post) -> String {
    guard let counts = post.counts else { return "" }
    let parts = [("↩", counts.replies), ("↻", counts.reposts), ("★", counts.likes)]
    return parts.compactMap { sign, count in
      count.flatMap { $0 > 0 ? "\(sign) \($0)" : nil }
    }.joined(separator: "   ")
  }

  // MARK: Polls

  private static let barWidth = 10

  /// Adds a line for each option, with a bar for its share of the votes.
  static func add(_ poll: Post.Poll, now: Double, to text: inout StyledText) {
    for option in poll.options {
      text.beginParagraph(tight)
      if let share = poll.share(of: option) {
        let filled = Int((share * Double(barWidth)).rounded())
        let percent = "\(Int((share * 100).rounded()))%"
        text.append(String(repeating: "█", count: filled), style: TextStyle(role: .tag))
        text.append(String(repeating: "░", count: barWidth - filled), style: secondary)
        text.append(" " + String(repeating: " ", count: max(0, 4 - percent.count)) + percent + "  ")
      } else {
        text.append("○  ", style: secondary)
      }
      text.append(Sanitizer.line(option.title))
    }
    let votes = poll.voters ?? poll.options.reduce(0) { $0.addingClamped($1.votes ?? 0) }
    var parts = [votes.counted("vote")]
    if let end = poll.closes {
      parts.append(
        end <= now ? "closed" : "closes \(RelativeTime.string(from: end, now: now, style: .reader))"
      )
    }
    line(parts.joined(separator: " · "), in: &text)
  }

  // MARK: Quotes

  /// Adds a post within another: its author and its text, behind a bar.
  ///
  /// - Parameter isRevealed: whether content that the quoted post hides is shown.
  static func add(
    quote: Post, isRevealed: Bool, depth: Int = 1, now: Double, to text: inout StyledText
  ) {
    var style = StyledText.ParagraphStyle()
    style.quoteDepth = min(depth, 8)
    text.beginParagraph(style)
    style.spacingBefore = 0
    if let author = quote.author {
      text.append(Sanitizer.line(author.shownName), style: TextStyle(traits: .bold))
      if !author.handle.isEmpty, !author.name.isEmpty {
        text.append(" \(Sanitizer.line(author.handle))", style: secondary)
      }
      if let published = quote.published {
        let time = RelativeTime.string(
          from: published, now: now, hasZone: quote.hasZone, style: .reader)
        text.append(" · \(time)", style: secondary)
      }
    }
    let cover = PostCover(of: quote)
    if let cover, cover.extent != .quotes {
      text.beginParagraph(style)
      add(cover, isRevealed: isRevealed, to: &text)
    }
    let hidden = isRevealed ? nil : cover
    guard hidden?.hides(.content) != true else { return }
    if !quote.title.isEmpty { append(title(of: quote), in: style, to: &text) }
    let named = hidden?.hides(.pictures) == true ? [] : quote.pictures[...]
    append(body(of: quote, naming: named), in: style, to: &text)
    if hidden?.hides(.pictures) != true {
      for picture in quote.pictures where picture.place == nil {
        text.beginParagraph(style)
        text.append(mark(of: picture), style: secondary)
      }
    }
    for file in quote.attachments { add(file, in: style, to: &text) }
    for inner in quote.quotes {
      add(quote: inner, isRevealed: isRevealed, depth: depth + 1, now: now, to: &text)
    }
  }

  private static func append(
    _ other: StyledText, in style: StyledText.ParagraphStyle, to text: inout StyledText
  ) {
    for (index, paragraph) in other.paragraphs.enumerated() {
      var own = paragraph.style
      own.quoteDepth = min(own.quoteDepth + style.quoteDepth, 8)
      if index == 0 { own.spacingBefore = 0 }
      text.beginParagraph(own)
      for run in paragraph.runs {
        var runStyle = run.style
        runStyle.link = run.style.link.map { text.addLink(other.links[$0]) }
        text.append(String(paragraph.string.slice(utf8: run.range)), style: runStyle)
      }
    }
  }

  // MARK: Links and warnings

  /// Adds the title and address of the page that the post links to.
  static func add(_ card: Post.Card, to text: inout StyledText) {
    text.beginParagraph(tight)
    text.append(
      card.title.isEmpty ? "↗ " : "↗ \(Sanitizer.line(card.title)) · ", style: secondary)
    let link = text.addLink(card.url)
    text.append(Sanitizer.line(card.url), style: TextStyle(role: .secondary, link: link))
  }

  /// Adds the reason why something is hidden, and the key that reveals it.
  static func add(_ cover: PostCover, isRevealed: Bool, to text: inout StyledText) {
    text.append("⚠ \(cover.reason)", style: TextStyle(role: .warning))
    text.append(" · x \(isRevealed ? "hides" : "shows") it", style: secondary)
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
