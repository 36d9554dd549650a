/// A timeline read whole.
public struct FeedDocument: Hashable, Sendable {
  /// What it was written in.
  public var format: FeedFormat
  /// What it says about itself.
  public var info: TimelineInfo
  /// In the order of the source, with ids that differ from each other.
  public var posts: [Post]

  /// A timeline; without posts unless they are given.
  public init(format: FeedFormat, info: TimelineInfo = TimelineInfo(), posts: [Post] = []) {
    self.format = format
    self.info = info
    self.posts = posts
  }

  /// Gives every repeated id a number, as rows are told apart by it.
  ///
  /// - Complexity: O(n) in the posts.
  mutating func makeIDsUnique() {
    var seen: [String: Int] = [:]
    for index in posts.indices {
      let id = posts[index].id
      guard let count = seen[id] else {
        seen[id] = 1
        continue
      }
      var number = count + 1
      while seen["\(id)#\(number)"] != nil { number += 1 }
      seen[id] = number
      posts[index].id = "\(id)#\(number)"
      seen[posts[index].id] = 1
    }
  }

  /// Lets the feed speak where an item names no author, language or avatar; its icon is no picture of
  /// an item.
  mutating func fillFromFeed(author: Post.Author?) {
    let fallback = Self.fallback(author, info)
    for index in posts.indices {
      Self.fill(&posts[index], from: info, author: fallback, of: author)
    }
  }

  /// Who wrote what names no author: the feed's own author, else the feed.
  static func fallback(_ author: Post.Author?, _ info: TimelineInfo) -> Post.Author? {
    var fallback = author
    if fallback == nil, !info.title.isEmpty {
      fallback = Post.Author(name: info.title, url: info.homePage)
    }
    if fallback?.avatar == nil { fallback?.avatar = info.icon }
    return fallback
  }

  /// As `fillFromFeed`, for one post. `feedAuthor` is the feed's own author.
  static func fill(
    _ post: inout Post, from info: TimelineInfo, author fallback: Post.Author?,
    of feedAuthor: Post.Author?
  ) {
    if post.language == nil { post.language = info.language }
    // A podcast's cover on every episode says nothing about any of them.
    post.pictures.removeAll { $0.url == info.icon && $0.alternativeText.isEmpty }
    guard var own = post.author else {
      post.author = fallback
      return
    }
    if own.avatar == nil {
      own.avatar = own.name == feedAuthor?.name ? fallback?.avatar : info.icon
      post.author = own
    }
  }
}
