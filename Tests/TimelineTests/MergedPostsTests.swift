import Feeds
import TestSupport
import Testing

@testable import TimelineStore

/// The limits of merged sources.
@Suite struct MergedPostsTests {
  private func post(_ number: Int, date: Double?) -> Post {
    var post = Post(id: "\(number)")
    post.published = date
    return post
  }

  /// Compared with sorting all posts.
  @Test func theNewestPostsAreHeld() {
    for seed in UInt64(0)..<40 {
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 1...30, using: &random)
      var held = NewestPosts(PostLimit(count: limit, bytes: .max))
      var all: [(date: Double, source: Int, number: Int)] = []
      for number in 0..<Int.random(in: 0...100, using: &random) {
        let date = Double(Int.random(in: 0...20, using: &random))
        all.append((date, Int.random(in: 0...3, using: &random), number))
      }
      for one in all.shuffled(using: &random) {
        held.add(
          post(one.number, date: one.date), date: one.date, source: one.source, number: one.number)
      }
      let sorted = all.sorted {
        ($1.date, $0.source, $0.number) < ($0.date, $1.source, $1.number)
      }
      #expect(held.omitted == max(0, all.count - limit), "seed \(seed)")
      let taken = held.take()
      #expect(taken.posts.map(\.id) == sorted.prefix(limit).map { "\($0.number)" }, "seed \(seed)")
      #expect(taken.sources == sorted.prefix(limit).map(\.source), "seed \(seed)")
      #expect(held.count == 0)
    }
  }

  @Test func memoryIsBounded() {
    let size = post(0, date: 0).footprint
    var held = NewestPosts(PostLimit(count: .max, bytes: 10 * size))
    for number in 0..<100 {
      held.add(post(number, date: 0), date: Double(number), source: 0, number: number)
    }
    let taken = held.take().posts
    #expect((9...10).contains(taken.count))
    #expect(taken.first?.id == "99")
  }

  private func feed(_ name: String, _ days: [Int]) -> String {
    let items = days.map {
      "{\"id\":\"\($0)\",\"content_text\":\"x\",\"date_published\":\"2024-01-\($0)T00:00:00Z\"}"
    }
    return "{\"title\":\"\(name)\",\"items\":[\(items.joined(separator: ","))]}"
  }

  @Test func omittedPostsAreReported() async throws {
    let folder = try TemporaryFolder()
    let paths = [
      try folder.write(feed("a", [11, 13, 15]), to: "a"),
      try folder.write(feed("b", [12, 14, 16]), to: "b"),
    ]
    let readers = try paths.map { try SourceReader(source: .file($0), format: nil, transport: nil) }
    let merged = MergedReader(readers: readers, limit: PostLimit(count: 4, bytes: .max))
    let batch = try #require(try await merged.next())
    #expect(batch.posts.map(\.id) == ["1:16", "0:15", "1:14", "0:13"])
    #expect(batch.posts.map(\.source) == ["b", "a", "b", "a"])
    #expect(
      await merged.omission()
        == "the newest 4 posts are kept, which is the most; 2 others are left out")
    let again = MergedReader(readers: [try #require(try readers[0].refreshed())])
    #expect(try await again.next()?.posts.count == 3)
    #expect(await again.omission() == nil)
  }

  /// A long source is read row by row, and still named by its title.
  @Test func newestPostsOfALongFileAreHeld() async throws {
    let folder = try TemporaryFolder()
    let words = String(repeating: "tide ", count: 20_000)
    let items = (0..<60).map {
      "{\"id\":\"\($0)\",\"content_text\":\"\(words)\",\"date_published\":\"\(2000 + $0)\"}"
    }
    let path = try folder.write(
      "{\"items\":[\(items.joined(separator: ","))],\"title\":\"Tides\"}", to: "feed.json")
    let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
    let merged = MergedReader(readers: [reader], limit: PostLimit(count: 5, bytes: .max))
    let posts = try #require(try await merged.next()).posts
    #expect(posts.map(\.id) == ["0:59", "0:58", "0:57", "0:56", "0:55"])
    #expect(posts.allSatisfy { $0.source == "Tides" })
  }

  /// If there are many files, only some of them are open.
  @Test func manyFilesAreOpenedOneByOne() async throws {
    let folder = try TemporaryFolder()
    let parts = try (0..<MergedReader.openFiles + 40).map { number in
      let path = try folder.write(feed("\(number)", [10 + number % 20]), to: "\(number)")
      return try MergedReader.Part(after: number) { () throws(SourceError) in
        try SourceReader(source: .file(path), format: nil, transport: nil)
      }
    }
    #expect(parts.count { $0.reader != nil } == MergedReader.openFiles)
    let merged = MergedReader(parts: parts)
    #expect(try await merged.next()?.posts.count == parts.count)
    #expect(merged.isRefreshable && merged.files.count == MergedReader.openFiles)
    let again = try #require(try merged.refreshed())
    #expect(try await again.next()?.posts.count == parts.count)
    #expect(throws: SourceError.self) {
      try MergedReader.Part(after: 1_000) { () throws(SourceError) in
        try SourceReader(source: .file(folder.path + "/missing"), format: nil, transport: nil)
      }
    }
  }
}
