import Feeds
import TerminalViews
import TextLayout
import TimelineStore

/// The texts of a post's headline.
enum HeadlineText {
  /// The characters of a text that are considered: more than a screen is wide.
  private static let limit = 400

  /// The source in a merged timeline, else the author, else the timeline's title.
  static func name(of post: Post, in info: TimelineInfo) -> StyledText {
    let name = post.source ?? post.author?.shownName ?? info.title
    return StyledText(Sanitizer.line(name), style: .secondary)
  }

  /// The title, or the first words of a post without one, or what else it consists of. Emphasis and
  /// links of the source are left out.
  ///
  /// - Parameters:
  ///   - isRevealed: whether content that the post hides behind a warning is shown.
  ///   - isBold: whether the words stand out.
  static func title(of post: Post, isRevealed: Bool, isBold: Bool) -> StyledText {
    let cover = isRevealed ? nil : PostCover(of: post)
    if let cover, cover.extent == .post { return warning(cover.reason) }
    var text = StyledText()
    if post.damage != nil { text.append("⚠ ", style: TextStyle(role: .warning)) }
    if post.repostedBy != nil { text.append("↻ ", style: .secondary) }
    let title = words(of: post.title)
    if title.isEmpty, let cover, cover.hides(.content) { return warning(cover.reason) }
    let shown = title.isEmpty ? substitute(for: post, hidesPictures: cover != nil) : title
    text.append(shown, style: TextStyle(traits: isBold ? .bold : []))
    return text
  }

  private static func warning(_ reason: String) -> StyledText {
    StyledText("⚠ \(reason)", style: TextStyle(role: .warning))
  }

  /// What a post without a title shows.
  private static func substitute(for post: Post, hidesPictures: Bool) -> String {
    let body = words(of: post.body)
    guard body.isEmpty else { return body }
    if !hidesPictures, let picture = post.pictures.first { return PostText.mark(of: picture) }
    if let file = post.attachments.first { return "→ \(file.shownName)" }
    if let poll = post.poll { return poll.options.map(\.title).joined(separator: " / ") }
    if let card = post.card { return "↗ \(card.title.isEmpty ? card.url : card.title)" }
    if let quote = post.quotes.first {
      let quoted = words(of: quote.title)
      let isHidden = PostCover(of: quote) != nil
      return "> " + (quoted.isEmpty && !isHidden ? words(of: quote.body) : quoted)
    }
    return post.damage ?? post.url ?? ""
  }

  /// The first words of a text, in one line.
  ///
  /// - Complexity: O(n) in the paragraphs without words; of the others, few characters are
  ///   considered.
  private static func words(of text: StyledText) -> String {
    var line = ""
    for paragraph in text.paragraphs where !paragraph.isRule {
      let words = paragraph.string.prefix(limit).split(whereSeparator: \.isWhitespace)
      guard !words.isEmpty else { continue }
      line += (line.isEmpty ? "" : " ") + words.joined(separator: " ")
      if line.utf8.count >= limit { break }
    }
    return line
  }
}
