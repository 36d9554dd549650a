/// How many posts of a source that cannot be read again are held in memory, and how much of it they
/// may take. What a source has beyond is left out and reported.
public struct PostLimit: Hashable, Sendable {
  /// Posts.
  public var count: Int
  /// Bytes of memory, as they are estimated from the posts' texts.
  public var bytes: Int

  /// A limit of both.
  public init(count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }

  /// One answer of a server, one document that is read whole, or sources that are merged: 50,000
  /// posts, 64 MiB.
  public static let standard = PostLimit(count: 50_000, bytes: 64 << 20)
  /// For documents of one's own.
  public static let none = PostLimit(count: .max, bytes: .max)
}

/// Posts in the order of their source, as many as may be held, with ids that differ.
package struct HeldPosts: Sendable {
  package private(set) var posts: [Post] = []
  /// Whether there were more.
  package private(set) var isCut = false
  private let limit: PostLimit
  private var bytes = 0
  private var ids = UniqueIDs()

  package init(_ limit: PostLimit) { self.limit = limit }

  /// Whether no other post may be added.
  package var isFull: Bool { posts.count >= limit.count || bytes >= limit.bytes }

  /// Holds a post, or notes that one is left out.
  ///
  /// - Complexity: O(n) in the post's paragraphs.
  package mutating func add(_ post: Post) {
    guard !isFull else {
      isCut = true
      return
    }
    var post = post
    ids.number(&post)
    bytes += post.footprint
    posts.append(post)
  }
}
