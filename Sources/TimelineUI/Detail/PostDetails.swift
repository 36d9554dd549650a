import Feeds
import TerminalApp
import TextLayout

/// The details of a post that its cell does not show: full dates, the source, and every address.
enum PostDetails {
  /// The width in columns of the names before the values.
  private static let columns = 11

  /// The details of `post`, a paragraph for each.
  ///
  /// - Parameters:
  ///   - answered: the post that this one answers, if known; it is shown above.
  ///   - isRevealed: whether content that the post hides is shown.
  /// - Complexity: O(n) in the post's texts.
  static func text(
    of post: Post, answering answered: Post?, isRevealed: Bool, in info: TimelineInfo
  ) -> StyledText {
    var text = StyledText()
    if let published = post.published {
      add("published", RelativeTime.whole(published, hasZone: post.hasZone, style: .reader), &text)
    }
    if let modified = post.modified {
      let changed = RelativeTime.whole(modified, hasZone: post.hasZone, style: .reader)
      let published = post.published.map {
        RelativeTime.whole($0, hasZone: post.hasZone, style: .reader)
      }
      if changed != published { add("changed", changed, &text) }
    }
    // On a narrow screen the header truncates the handle.
    if let author = post.author, !author.name.isEmpty, !author.handle.isEmpty {
      add("author", "\(author.name) \(author.handle)", &text)
    }
    let source = post.source ?? info.title
    if source != post.author?.shownName { add("source", source, &text) }
    add("language", post.language ?? "", &text)
    if let answered {
      let author = answered.author?.shownName ?? ""
      add("answers", "↑ \(author.isEmpty ? "the post above" : author)", &text)
    } else if let id = post.inReplyTo {
      // An id without a colon is often just a number, which means nothing to readers.
      add("answers", id.contains(":") ? id : "a post that is not known here", &text)
    }
    // The address usually contains the id.
    if post.url == nil { add("id", post.id, &text) }
    addLinks(PostLinks(of: post, isRevealed: isRevealed).links, to: &text)
    return text
  }

  private static func paragraph(_ marker: String, isFirst: Bool) -> StyledText.ParagraphStyle {
    var style = StyledText.ParagraphStyle()
    style.indent = columns
    style.marker =
      marker
      + String(repeating: " ", count: max(1, columns - TextMetrics.current.width(of: marker)))
    style.spacingBefore = isFirst ? 1 : 0
    return style
  }

  private static func add(_ name: String, _ value: String, _ text: inout StyledText) {
    guard !value.isEmpty else { return }
    text.beginParagraph(paragraph(name, isFirst: false))
    text.append(Sanitizer.line(value))
  }

  private static func addLinks(_ links: [Link], to text: inout StyledText) {
    for (index, link) in links.enumerated() {
      text.beginParagraph(paragraph("link \(index + 1)", isFirst: index == 0))
      switch Result(catching: { () throws(LinkAddress.Refusal) in try LinkAddress(link.address) }) {
      case .success(let target):
        let words = link.words(atMost: 200)
        // On a line of its own, an address is broken as late as possible.
        if !words.isEmpty, !target.isNamed(by: link.text) {
          text.append(words + "\n", style: .secondary)
        }
        let number = text.addLink(target.text)
        text.append(target.text, style: TextStyle(role: .link, link: number))
      case .failure(let refusal):
        text.append("not opened: \(refusal.reason)", style: TextStyle(role: .warning))
      }
    }
  }
}
