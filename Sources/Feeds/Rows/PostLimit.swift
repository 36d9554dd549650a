/// The number of posts held of a source that cannot be read again, and the memory they may take.
/// Posts beyond the limit are left out and reported.
public struct PostLimit: Hashable, Sendable {
  /// Number of posts.
  public var count: Int
  /// Bytes of memory, estimated from the posts' texts.
  public var bytes: Int

  /// Creates a limit of both.
  public init(count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }

  /// For an answer of a server, a document that is read whole, or merged sources: 50,000 posts, 64
  /// MiB.
  public static let standard = PostLimit(count: 50_000, bytes: 64 << 20)
  /// No limit, for the user's own documents.
  public static let none = PostLimit(count: .max, bytes: .max)
}

/// Posts in the order of their source, up to a limit, with unique ids.
package struct LimitedPosts: Sendable {
  package private(set) var posts: [Post] = []
  /// Whether posts were left out.
  package private(set) var isCut = false
  private let limit: PostLimit
  private var bytes = 0
  private var ids = UniqueIDs()

  package init(_ limit: PostLimit) { self.limit = limit }

  /// Whether no further post may be added.
  package var isFull: Bool { posts.count >= limit.count || bytes >= limit.bytes }

  /// Holds a post, or records that one was left out.
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
