import TestSupport
import Testing

@testable import TimelineStore

@Suite struct SearchQueueTests {
  /// Adds, removes and takes random rows, beside a set of them.
  @Test(arguments: Rounds.seeds(3)) func agreesWithASetOfRows(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rows = PostsInMemory(posts: [])
    let orders: [BackgroundSearch.Order] = [.forward, .backward, .outward]
    var queue = SearchQueue()
    var model: Set<Int> = []
    for step in 0..<300 {
      let start = Int.random(in: 0..<2_000, using: &generator)
      let range = start..<start + Int.random(in: 0...80, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        for row in range where model.insert(row).inserted { queue.add(row..<row + 1) }
      case 1:
        let removed = Set(queue.remove(range).joined())
        #expect(removed == model.intersection(range), "seed \(seed), step \(step)")
        model.subtract(range)
      case 2:
        queue.look(from: start, orders.randomElement(using: &generator) ?? .forward)
      default:
        let piece = queue.next(of: rows)
        #expect((piece == nil) == model.isEmpty, "seed \(seed), step \(step)")
        #expect(model.isSuperset(of: piece ?? 0..<0), "seed \(seed), step \(step)")
        model.subtract(piece ?? 0..<0)
      }
      #expect(Array(queue.ranges.joined()) == model.sorted(), "seed \(seed), step \(step)")
      let areApart = zip(queue.ranges, queue.ranges.dropFirst())
        .allSatisfy { $0.upperBound < $1.lowerBound }
      #expect(areApart, "seed \(seed), step \(step)")
      #expect(queue.overlaps(range) == !model.isDisjoint(with: range), "seed \(seed), \(step)")
    }
  }

  @Test func piecesBeginAtTheOriginAndGrow() {
    let rows = PostsInMemory(posts: [])
    for (order, next) in [
      (BackgroundSearch.Order.forward, [1_000..<1_016, 1_016..<1_040]),
      (.backward, [984..<1_000, 960..<984]),
      (.outward, [1_000..<1_016, 976..<1_000]),
    ] {
      var queue = SearchQueue()
      queue.add(0..<2_000)
      queue.look(from: 1_000, order)
      let pieces = (0..<2).compactMap { _ in queue.next(of: rows) }
      #expect(pieces == next, "\(order)")
    }
  }
}
