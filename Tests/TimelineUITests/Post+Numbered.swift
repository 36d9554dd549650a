import Feeds
import TextLayout

extension Post {
  /// A post whose properties are derived from its number.
  static func numbered(_ number: Int, text: String = "") -> Post {
    var post = Post(id: "p\(number)")
    post.body = StyledText("Post \(number)\(text)")
    post.published = Double(number)
    return post
  }
}
