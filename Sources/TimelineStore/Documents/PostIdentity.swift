import Feeds

/// Identifies a post across refreshes: by its id or, if the source gives it none and the id only
/// states its position, by its contents.
///
/// The contents are stored indirectly, because keys are many and posts without an id few.
enum PostIdentity: Hashable, Sendable {
  case id(String)
  indirect case content(Post)

  init(_ post: Post) {
    guard post.id.hasPrefix("byte ") else {
      self = .id(post.id)
      return
    }
    var content = post
    content.id = ""
    self = .content(content)
  }
}
