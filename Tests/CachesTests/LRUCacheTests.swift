import Caches
import TestSupport
import Testing

@Suite struct LRUCacheTests {
  /// The rules of the cache on a plain list, whose last entry is the most recently used.
  private struct Model {
    var entries: [(key: Int, value: Int, cost: Int)] = []
    let maximumCost: Int
    let maximumCount: Int
    let batch: Int

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(_ key: Int) -> Int? {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: place))
      return entries.last?.value
    }

    mutating func insert(_ key: Int, _ value: Int, cost: Int) {
      entries.removeAll { $0.key == key }
      guard cost <= maximumCost else { return }
      if self.cost + cost > maximumCost || entries.count >= maximumCount {
        entries.removeFirst(min(batch, entries.count))
        while self.cost + cost > maximumCost || entries.count >= maximumCount {
          entries.removeFirst()
        }
      }
      entries.append((key, value, cost))
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func agreesWithAPlainList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let maximumCost = Int.random(in: 5...60, using: &generator)
    let maximumCount = Int.random(in: 1...20, using: &generator)
    let batch = Int.random(in: 1...6, using: &generator)
    var cache = LRUCache<Int, Int>(
      maximumCost: maximumCost, maximumCount: maximumCount, evictionBatch: batch)
    var model = Model(maximumCost: maximumCost, maximumCount: maximumCount, batch: batch)
    for step in 0..<400 {
      let key = Int.random(in: 0..<25, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        let cost = Int.random(in: 0...12, using: &generator)
        cache.insert(step, for: key, cost: cost)
        model.insert(key, step, cost: cost)
      case 5..<9:
        #expect(cache.value(for: key) == model.value(key), "seed \(seed), step \(step)")
      default:
        cache.remove(key)
        model.entries.removeAll { $0.key == key }
      }
      #expect(
        cache.keysByRecency == model.entries.reversed().map(\.key), "seed \(seed), step \(step)")
      #expect(cache.totalCost == model.cost && cache.totalCost <= maximumCost)
    }
  }

  @Test func evictsInBatches() {
    var cache = LRUCache<Int, Int>(maximumCount: 20, evictionBatch: 5)
    for key in 0..<20 { cache.insert(key, for: key) }
    #expect(cache.count == 20)
    cache.insert(20, for: 20)
    #expect(cache.count == 16)
    #expect(cache.peek(4) == nil && cache.peek(5) == 5)
  }

  @Test func oversizedValuesAreDroppedAndEvictNothing() {
    var cache = LRUCache<Int, Int>(maximumCost: 10)
    cache.insert(1, for: 1, cost: 6)
    cache.insert(2, for: 2, cost: 11)
    #expect(cache.keysByRecency == [1])
    cache.removeAll()
    #expect(cache.count == 0 && cache.totalCost == 0 && cache.keysByRecency.isEmpty)
  }
}
