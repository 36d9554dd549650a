import Feeds

/// By what a post is known again when its source was refreshed: its id, or all it says where the
/// source gives it none and the id tells only where it stood.
///
/// What it says is kept behind a reference: keys are many, and those of posts without an id few.
enum PostKey: Hashable, Sendable {
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
