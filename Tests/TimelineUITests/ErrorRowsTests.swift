import Feeds
import TestSupport
import Testing
import TextLayout

@testable import TimelineStore
@testable import TimelineUI

/// Rows that are errors have no number among the posts.
@MainActor @Suite struct ErrorRowsTests {
  private func post(_ number: Int, isError: Bool) -> Post {
    guard isError else { return .numbered(number) }
    var post = Post(id: "p\(number)")
    post.damage = "cannot be read"
    return post
  }

  /// Random timelines whose rows are read in any order, against counting.
  @Test func numbersAreThoseOfCounting() async throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let areErrors = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Int.random(in: 0..<3, using: &random) == 0
      }
      let shelf = Shelf(areErrors.indices.map { post($0, isError: areErrors[$0]) })
      let store = TimelineStore(reader: ShelfReader(shelf), isImmediate: true)
      try await store.open()
      await eventually { store.count == areErrors.count }
      let errors = ErrorRows(of: store)
      var known = Array(repeating: false, count: areErrors.count)
      for row in areErrors.indices.shuffled(using: &random) {
        errors.note(store.post(at: row), ofRow: row)
        known[row] = areErrors[row]
        let posts = known.indices.filter { !known[$0] }
        #expect(errors.count == known.count { $0 }, "seed \(seed)")
        for row in known.indices {
          #expect(errors.contains(row: row) == known[row], "seed \(seed)")
          #expect(errors.count(above: row) == known[..<row].count { $0 }, "seed \(seed)")
        }
        for (number, row) in posts.enumerated() {
          #expect(errors.row(ofPost: number) == row, "seed \(seed)")
        }
      }
      store.stop()
    }
  }

  /// Idle time reads a short timeline once, and what it finds is news once.
  @Test func shortTimelinesAreReadAhead() async throws {
    let shelf = Shelf((0..<90).map { post($0, isError: $0 % 30 == 29) })
    let store = TimelineStore(reader: ShelfReader(shelf), isImmediate: true)
    try await store.open()
    store.start()
    await eventually { store.isComplete }
    let errors = ErrorRows(of: store)
    var slices = 1
    while errors.readAhead() { slices += 1 }
    #expect(slices > 1 && errors.count == 3 && !errors.readAhead())
    #expect(errors.takeNews() && !errors.takeNews())
    store.stop()
  }

  /// A row of which something can be read is a post, though it is marked.
  @Test func whatCanBeReadIsAPost() {
    var cut = Post.numbered(1)
    cut.damage = "ends inside a value"
    #expect(!cut.isError && post(2, isError: true).isError)
    let reader = RowReader(format: .jsonl)
    func read(_ line: String) -> Post {
      Array(line.utf8).withUnsafeBytes { reader.post($0, offset: 0, length: $0.count) }
    }
    #expect(read("{\"a\" b").isError)
    #expect(!read("{\"content_text\": \"one\"").isError)
    #expect(!read("plain text").isError && !read("{\"a\": 1}").isError)
  }
}
