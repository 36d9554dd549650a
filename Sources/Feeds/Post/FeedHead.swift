/// What a source says about itself, as it bears on its posts.
struct FeedHead: Sendable {
  let info: TimelineInfo
  /// What addresses of items are relative to.
  let base: String?
  /// The source's own author.
  private let author: Post.Author?
  /// Who wrote what names no author: the source's own author, else the source.
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

  /// What authors are called that no item names.
  var namesOfAuthors: [String] { fallback.map { [$0.name, $0.handle] } ?? [] }

  /// Lets the source speak where an item names no author, language or avatar; its icon is no
  /// picture of an item.
  func fill(_ post: inout Post) {
    if post.language == nil { post.language = info.language }
    // A podcast's cover on every episode says nothing about any of them.
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
