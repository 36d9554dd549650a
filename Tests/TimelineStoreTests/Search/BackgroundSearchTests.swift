import Feeds
import TestSupport
import Testing
import TextLayout

@testable import TimelineStore

/// Sets of rows, and sweeps through posts, compared with naive models.
@MainActor @Suite struct BackgroundSearchTests {
  @Test(arguments: Rounds.seeds(8))
  func setsAgreeWithAnArray(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var set = RowSet()
    var model: Set<Int> = []
    let size = Int.random(in: 1...20_000, using: &generator)
    for _ in 0..<400 {
      let row = Int.random(in: 0..<size, using: &generator)
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<4:
        set.remove(row)
        model.remove(row)
      case 4:
        let end = row + Int.random(in: 0...300, using: &generator)
        set.insert(row..<end)
        model.formUnion(row..<end)
      case 5:
        let end = row + Int.random(in: 0...600, using: &generator)
        set.remove(row..<end)
        model.subtract(row..<end)
      default:
        set.insert(row)
        model.insert(row)
      }
    }
    let sorted = model.sorted()
    #expect(set.brokenInvariants().isEmpty, "seed \(seed)")
    #expect((0..<sorted.count).map { set.member(at: $0) } == sorted.map { $0 }, "seed \(seed)")
    for _ in 0..<200 {
      let row = Int.random(in: 0..<size + 100, using: &generator)
      #expect(set.contains(row) == model.contains(row))
      #expect(set.rank(of: row) == sorted.count { $0 < row }, "seed \(seed), \(row)")
      #expect(set.first(from: row) == sorted.first { $0 >= row })
      #expect(set.last(before: row) == sorted.last { $0 < row })
    }
    #expect(set.member(at: sorted.count) == nil && set.member(at: -1) == nil)
    var other = RowSet()
    for row in 0..<Int.random(in: 1...30_000, using: &generator) where row % 3 == 0 {
      other.insert(row)
    }
    let shared = sorted.filter { other.contains($0) }
    #expect(set.count(sharedWith: other) == shared.count, "seed \(seed)")
    for row in [-1, 0, 1, 63, 64, 65, size / 2, size, size + 64, .max] {
      let below = shared.count { $0 < row }
      #expect(set.count(below: row, sharedWith: other) == below, "seed \(seed), \(row)")
      #expect(other.count(below: row, sharedWith: set) == below, "seed \(seed), \(row)")
    }
  }

  private static let vocabulary = ["tide", "harbour", "rope", "gull", "潮位", "café", "wave"]

  static func posts(_ count: Int, _ generator: inout SeededGenerator, from first: Int = 0) -> [Post]
  {
    (first..<first + count).map { index in
      var post = Post(id: "post \(index)")
      let words = (0..<3).map { _ in vocabulary.randomElement(using: &generator) ?? "" }
      post.body = StyledText(words.joined(separator: " "))
      return post
    }
  }

  /// Waits until a sweep is at rest.
  static func finish(_ sweep: BackgroundSearch) async {
    guard !sweep.isDone else { return }
    let (pieces, continuation) = AsyncStream.makeStream(of: Void.self)
    let forward = sweep.onPiece
    sweep.onPiece = {
      forward?($0, $1)
      continuation.yield()
    }
    for await _ in pieces where sweep.isDone { break }
    sweep.onPiece = forward
  }

  @Test(arguments: Rounds.seeds(3))
  func agreesWithReadingAllRows(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...3_000, using: &generator)
    var posts = Self.posts(count, &generator)
    let query = try PostQuery(
      ["rope", "cafe -tide", "\"gull 潮位\" or wave"].randomElement(using: &generator) ?? "rope")
    var matcher = PostMatcher(query)
    let sweep = BackgroundSearch(query)
    let order: [BackgroundSearch.Order] = [.forward, .backward, .outward]
    sweep.look(
      from: Int.random(in: 0...max(1, count), using: &generator),
      order.randomElement(using: &generator) ?? .forward)
    sweep.extend(to: count, of: PostsInMemory(posts: posts))
    for _ in 0..<3 {
      #expect(sweep.brokenInvariants().isEmpty, "seed \(seed)")
      await Self.finish(sweep)
      let expected = posts.indices.filter { matcher.fits(posts[$0]) }
      #expect(sweep.found.count == expected.count, "seed \(seed)")
      #expect(expected.allSatisfy(sweep.found.contains), "seed \(seed)")
      #expect(sweep.brokenInvariants().isEmpty, "seed \(seed)")
      // New contents of a row, and more rows.
      if let row = posts.indices.randomElement(using: &generator) {
        posts[row] = Self.posts(1, &generator, from: row)[0]
        posts += Self.posts(
          Int.random(in: 0...700, using: &generator), &generator, from: posts.count)
        sweep.extend(to: posts.count, of: PostsInMemory(posts: posts))
        sweep.invalidate(row)
      }
    }
  }

  @Test func matchesAreUnknownBeforeTheSweep() async throws {
    var generator = SeededGenerator(seed: 3)
    let posts = Self.posts(4_000, &generator)
    let needle = try #require(TextNeedle("post 3999 is nowhere"))
    let sweep = BackgroundSearch(PostQuery(phrase: needle))
    sweep.limit = 0
    sweep.extend(to: posts.count, of: PostsInMemory(posts: posts))
    #expect(sweep.first(in: 0..<4_000, fromEnd: false) == .unknown)
    #expect(!sweep.isRunning)
    sweep.limit = nil
    await Self.finish(sweep)
    #expect(sweep.first(in: 0..<4_000, fromEnd: false) == .none)
  }

  @Test func stoppingLeavesNothingRunning() async throws {
    var generator = SeededGenerator(seed: 4)
    let posts = Self.posts(20_000, &generator)
    let sweep = BackgroundSearch(try PostQuery("tide"))
    sweep.onPiece = { _, _ in Issue.record("a piece came after the end") }
    sweep.extend(to: posts.count, of: PostsInMemory(posts: posts))
    #expect(sweep.isRunning)
    sweep.stop()
    #expect(!sweep.isRunning)
    await Task.yield()
  }
}
