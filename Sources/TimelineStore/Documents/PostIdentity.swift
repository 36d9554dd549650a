import Feeds

/// Identifies a post across refreshes: by its id or, if the source gives it none and the id only
/// states its position, by its contents.
///
/// Contents are represented by two hashes of 64 bits each, whose keys differ in every run of the
/// program. Keys are many, and a post is much larger.
enum PostIdentity: Hashable, Sendable {
  case id(String)
  case content(Int, Int)

  init(_ post: Post) {
    guard post.id.hasPrefix("byte ") else {
      self = .id(post.id)
      return
    }
    var content = post
    content.id = ""
    var first = Hasher()
    first.combine(content)
    var second = Hasher()
    second.combine(1)
    second.combine(content)
    self = .content(first.finalize(), second.finalize())
  }
}
