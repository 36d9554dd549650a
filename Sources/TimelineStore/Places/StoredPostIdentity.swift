import Feeds
import System
import TextLayout

/// Identifies a post in another run: by its id or, if the source gives it none and the id only
/// states its position, by its contents.
struct StoredPostIdentity: Hashable, Sendable {
  /// A word for the kind of mark, and its value: `id …`, `content …`.
  let text: String

  /// The maximum number of bytes of an id; a longer one is hashed.
  static let maximumID = 1_000

  /// A mark as it was stored; `nil` if the text is none.
  init?(kept text: String) {
    guard text.utf8.count <= Self.maximumID + 16,
      text.hasPrefix("id ") || text.hasPrefix("content ")
    else { return nil }
    self.text = text
  }

  /// - Complexity: O(1); for a post without an id O(n) in its text.
  init(_ post: Post) {
    guard post.id.hasPrefix("byte ") else {
      var hash = StableHash()
      guard post.id.utf8.count > Self.maximumID else {
        text = "id " + post.id
        return
      }
      hash.combine(post.id)
      text = "id hash " + hash.text
      return
    }
    var hash = StableHash()
    hash.combine(post.author?.name ?? "")
    hash.combine(post.published.map { "\($0)" } ?? "")
    for text in [post.title, post.body] {
      for paragraph in text.paragraphs { hash.combine(paragraph.string) }
    }
    text = "content " + hash.text
  }

  /// Whether this is the mark of `post`.
  ///
  /// - Complexity: that of creating a mark.
  func isMarkOf(_ post: Post) -> Bool { self == StoredPostIdentity(post) }

  /// The post's id; `nil` if it is identified by something else.
  var id: Substring? {
    text.hasPrefix("id ") && !text.hasPrefix("id hash ") ? text.dropFirst(3) : nil
  }

  /// The pattern by which the id is found in a source of any format; `nil` if the id is too short
  /// for it, or not known.
  var needle: PostIDPattern? {
    id.flatMap { PostIDPattern(id: $0) }
  }
}
