import Feeds

/// A post between those it answers and those that answer it.
public struct PostThread: Sendable {
  /// A post that answers, directly or not.
  public struct Answer: Sendable {
    /// The post.
    public var post: Post
    /// 1 for one that answers the post itself, one more for each between.
    public var depth: Int
  }

  /// What the post answers, the first of the conversation first.
  public private(set) var ancestors: [Post] = []
  /// Each followed by its own answers.
  public private(set) var answers: [Answer] = []

  /// Whether the conversation has more posts than are held.
  public internal(set) var isCut = false

  /// Posts that are looked at. `5,000`
  public static let maximumPosts = 5_000
  /// What is held of a server's answer: ``maximumPosts``, 16 MiB.
  public static let limit = PostLimit(count: maximumPosts, bytes: 16 << 20)

  /// No others.
  public init() {}

  /// Finds those that belong together by which post each says that it answers. A post that answers
  /// itself, by whatever way, ends the way there.
  ///
  /// - Parameters:
  ///   - key: another name that `posts` may have for the post, such as its number on their server.
  ///   - isWhole: whether all of `posts` belong to the conversation, in the order of reading: then
  ///     those that cannot be placed by what they say are placed by where they stand.
  /// - Complexity: O(n) in the posts, of which there are ``maximumPosts`` at most.
  public init(of post: Post, key: String? = nil, among posts: [Post], isWhole: Bool) {
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
    [post.id, ownID(of: post), post.url].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// As its source has it, where that stands behind the number of one of several sources.
  private static func ownID(of post: Post) -> String? {
    let digits = post.id.prefix { $0.isASCII && $0.isNumber }
    let rest = post.id[digits.endIndex...]
    return digits.isEmpty || rest.first != ":" ? nil : String(rest.dropFirst())
  }

  /// Those that answer one of `names`, and theirs, as they are read.
  private static func answers(
    to names: Set<String>, in posts: [Post], except used: inout Set<Int>
  ) -> [Answer] {
    var children: [String: [Int]] = [:]
    for (index, post) in posts.enumerated() where !used.contains(index) {
      if let parent = post.inReplyTo { children[parent, default: []].append(index) }
    }
    var answers: [Answer] = []
    // The next to be read last.
    var waiting: [(index: Int, depth: Int)] = []
    func wait(for names: some Sequence<String>, _ depth: Int) {
      let found = Set(names.flatMap { children[$0] ?? [] }).sorted(by: >)
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

  /// Places what nothing that is said places, by where it stands.
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

  /// With the posts of another one that this does not have, as far as the two agree on what stands
  /// above.
  public mutating func merge(_ other: PostThread) {
    isCut = isCut || other.isCut
    if ancestors.count < other.ancestors.count { ancestors = other.ancestors }
    let known = Set(answers.flatMap { Self.names(of: $0.post) })
    answers += other.answers.filter { known.isDisjoint(with: Self.names(of: $0.post)) }
  }
}
