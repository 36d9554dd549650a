import Feeds

/// Posts parsed lately, by the byte at which they begin; bounded in number and in bytes of source.
struct PostCache {
  private var posts: [Int: (post: Post, bytes: Int)] = [:]
  /// In the order they came, those taken out early included.
  private var order: [Int] = []
  private var first = 0
  private var byteCount = 0

  static let maximumCount = 512
  static let maximumBytes = 16 << 20

  subscript(offset: Int) -> Post? { posts[offset]?.post }

  var count: Int { posts.count }

  mutating func insert(_ post: Post, at offset: Int, bytes: Int) {
    remove(at: offset)
    posts[offset] = (post, bytes)
    order.append(offset)
    byteCount += bytes
    while posts.count > Self.maximumCount || (byteCount > Self.maximumBytes && posts.count > 1) {
      remove(at: order[first])
      first += 1
    }
    if first > Self.maximumCount {
      order.removeFirst(first)
      first = 0
    }
  }

  mutating func remove(at offset: Int) {
    guard let old = posts.removeValue(forKey: offset) else { return }
    byteCount -= old.bytes
  }

  mutating func removeAll() { self = PostCache() }
}
