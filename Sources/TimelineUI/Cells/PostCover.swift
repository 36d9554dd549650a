import Feeds
import TextLayout

/// The part of a post that is hidden until the reader reveals it, and the reason.
struct PostCover: Hashable {
  enum Extent: Hashable {
    /// The whole row, which is folded into the reason.
    case post
    /// The text, the pictures and everything below them.
    case content
    case pictures
    /// Quoted posts, each behind its own warning.
    case quotes
  }

  let extent: Extent
  /// A single line.
  let reason: String

  /// `nil` if nothing is hidden.
  init?(of post: Post) {
    if let filter = post.filter {
      (extent, reason) = (.post, "filtered: \(Sanitizer.line(filter))")
    } else if let warning = post.contentWarning, Self.hasContent(post) {
      (extent, reason) = (.content, Sanitizer.line(warning))
    } else if post.isSensitive, !post.pictures.isEmpty {
      let count = post.pictures.count
      (extent, reason) = (.pictures, count == 1 ? "sensitive" : "sensitive: \(count) pictures")
    } else if post.quotes.contains(where: { PostCover(of: $0) != nil }) {
      (extent, reason) = (.quotes, "")
    } else {
      return nil
    }
  }

  private static func hasContent(_ post: Post) -> Bool {
    !post.body.isEmpty || !post.pictures.isEmpty || !post.attachments.isEmpty || post.poll != nil
      || post.card != nil || !post.quotes.isEmpty
  }

  /// Whether `part` is hidden.
  func hides(_ part: Extent) -> Bool {
    switch extent {
    case .post, .content: true
    case .pictures: part == .pictures
    case .quotes: false
    }
  }

  /// Adds the reason, and the key that shows the content or hides it again.
  func addReason(to text: inout StyledText, isRevealed: Bool) {
    text.append("⚠ \(reason)", style: TextStyle(role: .warning))
    text.append(" · x \(isRevealed ? "hides" : "shows") it", style: .secondary)
  }
}
