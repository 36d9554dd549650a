/// The metadata of a source that applies to its posts.
struct FeedHead: Sendable {
  let info: TimelineInfo
  /// The base against which addresses in items are resolved.
  let base: String?
  /// The source's own author.
  private let author: Post.Author?
  /// The author of items that name none: the source's own author, else the source itself.
  private let fallback: Post.Author?

  init(info: TimelineInfo, author: Post.Author? = nil, base: String?) {
    self.info = info
    self.base = base
    self.author = author
    var fallback = author
    if fallback == nil, !info.title.isEmpty {
      fallback = Post.Author(name: info.title, url: info.homePage)
    }
    if fallback?.avatar == nil { fallback?.avatar = info.icon }
    self.fallback = fallback
  }

  /// The name and handle of the author of items that name none.
  var fallbackAuthorNames: [String] { fallback.map { [$0.name, $0.handle] } ?? [] }

  /// Fills in author, avatar and language from the source if the item names none, and removes the
  /// source's icon from the post's pictures.
  func fill(_ post: inout Post) {
    if post.language == nil { post.language = info.language }
    // Podcasts repeat their cover in every episode; it shows nothing of the episode.
    post.pictures.removeAll { $0.url == info.icon && $0.alternativeText.isEmpty }
    guard var own = post.author else {
      post.author = fallback
      return
    }
    if own.avatar == nil {
      own.avatar = own.name == author?.name ? fallback?.avatar : info.icon
      post.author = own
    }
  }
}
