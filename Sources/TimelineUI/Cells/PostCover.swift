import Feeds
import TextLayout

/// What of a post is shown only when the reader asks for it, and why.
struct PostCover: Hashable {
  enum Extent: Hashable {
    /// The row is folded into the reason.
    case post
    /// Text, pictures and all that comes with them.
    case content
    case pictures
    /// Posts within it, each behind its own warning.
    case quotes
  }

  let extent: Extent
  /// One line.
  let reason: String

  /// Nil where nothing is to be hidden.
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

  /// Whether `part` lies under it.
  func hides(_ part: Extent) -> Bool {
    switch extent {
    case .post, .content: true
    case .pictures: part == .pictures
    case .quotes: false
    }
  }
}
