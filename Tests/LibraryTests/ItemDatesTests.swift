import TestSupport
import Testing

@testable import Library

@Suite struct ItemDatesTests {
  @Test(
    arguments: [
      // In the first document an item without a date stands with its newer neighbour, or else the
      // older one.
      ([50, nil, 30], true, [50, 50, 30], [0, 1, 2]),
      ([nil, 50, nil, nil], true, [50, 50, 50, 50], [0, 1, 2, 3]),
      ([nil, nil], true, [100, 100], [0, 1]),
      // Oldest first: the neighbours are the other way round.
      ([30, nil, 50], true, [30, 50, 50], [2, 1, 0]),
      // Later it counts as of now.
      ([50, nil, 30], false, [50, 100, 30], [0, 1, 2]),
      // A date in the future counts as now.
      ([900, nil, 30], true, [100, 100, 30], [0, 1, 2]),
      ([], true, [], []),
    ] as [([Int64?], Bool, [Int64], [Int])])
  func datesAreThose(published: [Int64?], isFirst: Bool, dates: [Int64], order: [Int]) {
    let found = ItemDates(published: published, now: 100, isFirst: isFirst)
    #expect(found.dates == dates)
    #expect(found.order == order)
  }

  /// The list of a sorted document has its order, wherever dates are missing.
  @Test(arguments: Rounds.seeds(50))
  func aSortedDocumentKeepsItsOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sorted = (0..<Int.random(in: 3...30, using: &random)).map { _ in
      Int64.random(in: 1...99, using: &random)
    }.sorted(by: >)
    let published: [Int64?] = sorted.enumerated().map { index, date in
      index > 0 && index < sorted.count - 1 && Bool.random(using: &random) ? nil : date
    }
    let isReversed = Bool.random(using: &random) && sorted.first != sorted.last
    let dates = ItemDates(
      published: isReversed ? published.reversed() : published, now: 100, isFirst: true)
    let places = dates.order.enumerated().map { key, index in
      (index, ItemPlace(ItemID(Int64(key + 1)), date: dates.dates[index]))
    }
    let shown = places.sorted { $0.1 < $1.1 }.map(\.0)
    let expected = Array(published.indices)
    #expect(shown == (isReversed ? expected.reversed() : expected), "seed \(seed)")
  }
}
