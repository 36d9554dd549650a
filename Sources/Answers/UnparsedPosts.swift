import Feeds

/// Posts of a source, in source order, either parsed or still as rows of source text.
package enum UnparsedPosts: Sendable {
  case posts([Post])
  case rows(RowBatch)

  /// The posts, parsed if necessary.
  ///
  /// - Complexity: O(n) in their bytes.
  package func read() -> [Post] {
    switch self {
    case .posts(let posts): posts
    case .rows(let rows): rows.posts()
    }
  }

  /// Passes the posts to `body` one after another.
  ///
  /// - Complexity: O(n) in their bytes.
  package func readEach(_ body: (Post) -> Void) {
    switch self {
    case .posts(let posts): for post in posts { body(post) }
    case .rows(let rows): rows.readEach(body)
    }
  }

  /// Splits the posts into parts of at most `count`, so that processing one takes little memory.
  ///
  /// - Complexity: O(n) in the posts.
  package func parts(atMost count: Int) -> [UnparsedPosts] {
    switch self {
    case .posts(let posts):
      let count = max(1, count)
      guard posts.count > count else { return [self] }
      return stride(from: 0, to: posts.count, by: count).map {
        .posts(Array(posts[$0..<min($0 + count, posts.count)]))
      }
    case .rows(let rows): return rows.parts(atMost: count).map(UnparsedPosts.rows)
    }
  }

  /// Whether there are no posts.
  package var isEmpty: Bool {
    switch self {
    case .posts(let posts): posts.isEmpty
    case .rows(let rows): rows.isEmpty
    }
  }
}
