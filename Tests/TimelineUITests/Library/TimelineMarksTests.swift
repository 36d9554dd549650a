import Feeds
import Library
import TestSupport
import Testing

@testable import TimelineStore

/// Marks by shown rows, compared with arrays.
@MainActor @Suite struct TimelineMarksTests {
  private func source(_ count: Int, _ random: inout SeededGenerator) -> MarkedPosts {
    let posts = (0..<count).map { number in
      Post.numbered(number, text: Int.random(in: 0..<3, using: &random) == 0 ? " ebb" : " flow")
    }
    let marks = posts.map { _ in PostMarks(rawValue: UInt8.random(in: 0..<8, using: &random)) }
    return MarkedPosts(posts, marks: marks)
  }

  private func isEbb(_ post: Post) -> Bool { post.body.plainText.contains("ebb") }

  @Test func rowsAreFoundAndMarkedAsInAnArray() async throws {
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let source = source(Int.random(in: 0...120, using: &random), &random)
      let store = TimelineStore(posts: source)
      try await store.open()
      for isFiltered in [false, true] {
        store.show(fitting: isFiltered ? try PostQuery("ebb") : nil, around: 0..<source.count)
        let marks = try #require(store.marks)
        let rows = (0..<source.count).filter { !isFiltered || isEbb(source.post(at: $0)) }
        #expect(store.count == rows.count)
        for _ in 0..<30 {
          let wanted = PostMarks(rawValue: UInt8.random(in: 1..<8, using: &random))
          let row = Int.random(in: -1...rows.count, using: &random)
          let fits = rows.indices.filter { source.marks(ofRow: rows[$0]).isSuperset(of: wanted) }
          if row < rows.count {
            #expect(
              marks.row(after: row, having: wanted) == fits.first { $0 > row }, "seed \(seed)")
          }
          if row >= 0 {
            #expect(
              marks.row(before: row, having: wanted) == fits.last { $0 < row }, "seed \(seed)")
          }
        }
        for row in rows.indices {
          #expect(marks.marks(ofRow: row) == source.marks(ofRow: rows[row]))
        }
        // All that is shown, and nothing else.
        let unread = rows.count { source.marks(ofRow: $0).contains(.unread) }
        let others = source.unreadCount - unread
        #expect(marks.markAll(as: .read) == unread, "seed \(seed)")
        #expect(source.unreadCount == others && marks.unreadCount == others, "seed \(seed)")
        let undone = try await marks.undoMarking()
        #expect((undone?.items.count ?? 0) == unread, "seed \(seed)")
        #expect(source.unreadCount == others + unread, "seed \(seed)")
      }
      store.stop()
    }
  }

  @Test func otherSourcesHaveNone() async throws {
    let store = TimelineStore(reader: NoReader(), isImmediate: false)
    #expect(store.marks == nil)
    try await store.open()
    #expect(store.marks == nil)
  }

  @Test func rangesOfASet() {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      var set = RowSet()
      var members: Set<Int> = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let start = Int.random(in: 0...600, using: &random)
        for row in start..<start + Int.random(in: 1...90, using: &random) {
          set.insert(row)
          members.insert(row)
        }
      }
      let ranges = set.ranges
      #expect(Set(ranges.joined()) == members, "seed \(seed)")
      for (a, b) in zip(ranges, ranges.dropFirst()) {
        #expect(a.upperBound < b.lowerBound, "seed \(seed)")
      }
    }
  }
}
