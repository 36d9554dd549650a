import Feeds

/// A post between the posts that it answers and its own answers.
package struct PostThread: Sendable {
  /// A post that answers, directly or not.
  package struct Answer: Sendable {
    /// The post.
    package var post: Post
    /// 1 for an answer to the post itself, one more for each answer between.
    package var depth: Int
  }

  /// The posts that the post answers, from the first of the conversation on.
  package private(set) var ancestors: [Post] = []
  /// The answers, each followed by its own answers.
  package private(set) var answers: [Answer] = []

  /// Whether the conversation has more posts than are held.
  package internal(set) var isCut = false

  /// The maximum number of posts examined. `5,000`
  package static let maximumPosts = 5_000
  /// The limit of a server's answer: ``maximumPosts``, 16 MiB.
  package static let limit = PostLimit(count: maximumPosts, bytes: 16 << 20)

  /// Creates a thread without other posts.
  package init() {}

  /// Finds the posts of the conversation, by the post that each of them says it answers. A cycle of
  /// answers is cut.
  ///
  /// - Parameters:
  ///   - key: another name that `posts` may have for the post, such as its number on their server.
  ///   - isWhole: whether all of `posts` belong to the conversation, in reading order: then those
  ///     that do not say what they answer are placed by their positions.
  /// - Complexity: O(n log n) in the posts, of which there are ``maximumPosts`` at most.
  package init(of post: Post, key: String? = nil, among posts: [Post], isWhole: Bool) {
    let names = Set(Self.names(of: post) + [key].compactMap { $0 })
    let posts = Array(posts.prefix(Self.maximumPosts))
    let ownIndex = posts.firstIndex { !names.isDisjoint(with: Self.names(of: $0)) }
    var places: [String: Int] = [:]
    for (index, other) in posts.enumerated() where index != ownIndex {
      for name in Self.names(of: other) where places[name] == nil { places[name] = index }
    }
    var used = Set(ownIndex.map { [$0] } ?? [])
    var chain: [Int] = []
    var next = post.inReplyTo ?? ownIndex.flatMap { posts[$0].inReplyTo }
    while let name = next, let index = places[name], used.insert(index).inserted {
      chain.append(index)
      next = posts[index].inReplyTo
    }
    answers = Self.answers(to: names, in: posts, except: &used)
    ancestors = chain.reversed().map { posts[$0] }
    if isWhole { placeOthers(of: posts, above: chain, ownIndex: ownIndex, used: used) }
  }

  private static func names(of post: Post) -> [String] {
    [post.id, post.idInFeed, post.url].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The answers to one of `names`, and the answers to these, in reading order.
  private static func answers(
    to names: Set<String>, in posts: [Post], except used: inout Set<Int>
  ) -> [Answer] {
    var children: [String: [Int]] = [:]
    for (index, post) in posts.enumerated() where !used.contains(index) {
      if let parent = post.inReplyTo { children[parent, default: []].append(index) }
    }
    var answers: [Answer] = []
    // A stack: the next one to be read is last.
    var waiting: [(index: Int, depth: Int)] = []
    func wait(for names: some Sequence<String>, _ depth: Int) {
      // Many posts may have one name: only the first takes its answers.
      let found = Set(names.flatMap { children.removeValue(forKey: $0) ?? [] }).sorted(by: >)
      waiting += found.map { ($0, depth) }
    }
    wait(for: names, 1)
    while let (index, depth) = waiting.popLast() {
      guard used.insert(index).inserted else { continue }
      answers.append(Answer(post: posts[index], depth: depth))
      wait(for: Self.names(of: posts[index]), depth + 1)
    }
    return answers
  }

  /// Places the remaining posts by their positions.
  private mutating func placeOthers(
    of posts: [Post], above chain: [Int], ownIndex: Int?, used: Set<Int>
  ) {
    let answered = Set(answers.map(\.post.id))
    let firstAnswer = posts.firstIndex { answered.contains($0.id) }
    let boundary = ownIndex ?? firstAnswer ?? (chain.isEmpty ? 0 : posts.count)
    let others = posts.indices.filter { !used.contains($0) }
    ancestors = (chain + others.filter { $0 < boundary }).sorted().map { posts[$0] }
    answers += others.filter { $0 >= boundary }.map { Answer(post: posts[$0], depth: 1) }
  }

  /// Adds the answers of another thread that this one lacks, and takes over its ancestors if it has
  /// more.
  package mutating func merge(_ other: PostThread) {
    isCut = isCut || other.isCut
    if ancestors.count < other.ancestors.count { ancestors = other.ancestors }
    let known = Set(answers.flatMap { Self.names(of: $0.post) })
    answers += other.answers.filter { known.isDisjoint(with: Self.names(of: $0.post)) }
  }
}
