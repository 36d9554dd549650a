/// The items of a document that is read whole, found and not read yet.
protocol DocumentItems: Sendable {
  /// What the document says about itself, wherever it does.
  var head: FeedHead { get }
  var count: Int { get }
  /// Whether bytes of it that are no text were replaced.
  var isRepaired: Bool { get }
  func post(at index: Int) -> Post
  /// Bytes that an item takes.
  func length(at index: Int) -> Int
  /// A post that says what is wrong outside of items; nil where nothing is.
  var mark: Post? { get }
  /// What to say where nothing can be read of it; nil where one of the posts is sound.
  func failure(ofPosts posts: [Post]) -> FeedError?
}

/// Reads a document whole, but its posts only when they are asked for: those of the first screen need not
/// wait for the others.
///
/// 1. What the document says about itself is known from the beginning, also where it stands behind the items.
/// 2. The posts are the same however many are asked for at a time, and their ids differ from each other.
package struct DocumentReader: Sendable {
  private let items: any DocumentItems
  /// Items that were read.
  private var position = 0
  private var isAtMark: Bool
  /// How often ids were there.
  private var seen: [String: Int] = [:]

  init(_ items: any DocumentItems) {
    self.items = items
    isAtMark = items.mark != nil
  }

  /// What the document says about itself.
  package var info: TimelineInfo { items.head.info }

  /// Whether all posts have been read.
  package var isAtEnd: Bool { position == items.count && !isAtMark }

  /// Bytes of the items, for each post that there is; none for one that says what is wrong outside of them.
  package var lengths: [Int] {
    (0..<items.count).map(items.length(at:)) + (items.mark == nil ? [] : [0])
  }

  /// Any of the posts by itself, read or not, as it is but for the number that tells its id from others.
  ///
  /// - Precondition: `index` is within ``lengths``.
  /// - Complexity: O(n) in the bytes of the post.
  package func post(at index: Int) -> Post {
    var post = index < items.count ? items.post(at: index) : items.mark ?? Post(id: "")
    fill(&post)
    return post
  }

  /// The next posts, at most `count`, and one or as many as begin within `bytes`; more only where none of
  /// the first ones can be read.
  ///
  /// - Throws: `FeedError` where nothing of the document can be read.
  /// - Complexity: O(n) in the bytes of these posts.
  package mutating func next(
    atMost count: Int, within bytes: Int = .max
  ) throws(FeedError) -> [Post] {
    let isFirst = position == 0
    var left = bytes
    let fitting = (position..<items.count).prefix(count).prefix { index in
      defer { left -= min(left, items.length(at: index)) }
      return left > 0
    }
    var posts = take(fitting.count)
    if isFirst, var failure = items.failure(ofPosts: posts) {
      while !isAtEnd {
        posts += take(max(1, fitting.count))
        guard let still = items.failure(ofPosts: posts) else { return posts }
        failure = still
      }
      throw failure
    }
    return posts
  }

  private mutating func take(_ count: Int) -> [Post] {
    let end = position + min(count, items.count - position)
    var posts = (position..<end).map(items.post(at:))
    position = end
    if position == items.count, isAtMark {
      isAtMark = false
      if let mark = items.mark { posts.append(mark) }
    }
    for index in posts.indices { complete(&posts[index]) }
    return posts
  }

  /// Marks a post whose bytes were repaired, and fills in what its item leaves out.
  private func fill(_ post: inout Post) {
    if items.isRepaired, post.holdsReplacement {
      post.addDamage("bytes that are not text were replaced")
    }
    items.head.fill(&post)
  }

  /// Fills a post in, and gives a repeated id a number, as posts are told apart by it.
  private mutating func complete(_ post: inout Post) {
    fill(&post)
    let id = post.id
    guard let count = seen[id] else {
      seen[id] = 1
      return
    }
    var number = count + 1
    while seen["\(id)#\(number)"] != nil { number += 1 }
    seen[id] = number
    post.id = "\(id)#\(number)"
    seen[post.id] = 1
  }
}
