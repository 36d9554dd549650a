import Feeds
import TextLayout

/// By what a post is known again in another run: its id, or what it says where the source gives it
/// none and the id tells only where it stood.
struct PostMark: Hashable, Sendable {
  /// One word for what it is made of, and that: `id …`, `content …`.
  let text: String

  /// Bytes of an id that are kept as they are; of a longer one its hash is.
  static let maximumID = 1_000

  /// A mark as it was kept; nil where it is none.
  init?(kept text: String) {
    guard text.utf8.count <= Self.maximumID + 16,
      text.hasPrefix("id ") || text.hasPrefix("content ")
    else { return nil }
    self.text = text
  }

  /// - Complexity: O(1), of a post without an id O(n) in its text.
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

  /// Whether it is this post's.
  ///
  /// - Complexity: as of making one, without the memory.
  func isOf(_ post: Post) -> Bool {
    guard !post.id.hasPrefix("byte "), post.id.utf8.count <= Self.maximumID else {
      return self == PostMark(post)
    }
    return text.utf8.dropFirst(3).elementsEqual(post.id.utf8) && text.hasPrefix("id ")
  }

  /// By what the id is found in a source, whatever that is written in; nil where it has too little
  /// of it.
  var needle: PlaceNeedle? {
    guard text.hasPrefix("id "), !text.hasPrefix("id hash ") else { return nil }
    return PlaceNeedle(id: text.dropFirst(3))
  }
}
