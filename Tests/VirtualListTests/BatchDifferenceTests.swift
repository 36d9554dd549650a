import TestSupport
import Testing

@testable import VirtualList

@Suite struct BatchDifferenceTests {
  private func ids(_ numbers: [Int]) -> [RowID] { numbers.map { RowID(UInt64($0)) } }

  /// What the updates make of rows: those that stayed or moved, and the inserted ones of `new`.
  private func applying(_ updates: BatchUpdates, to old: [RowID], for new: [RowID]) throws
    -> [RowID]
  {
    let mapping = try updates.mapping(from: old.count, to: new.count)
    var result: [RowID?] = Array(repeating: nil, count: new.count)
    for (row, id) in old.enumerated() {
      guard let target = mapping.newRow(forOld: row) else { continue }
      #expect(result[target] == nil, "two rows at \(target)")
      result[target] = id
    }
    for range in updates.insertions {
      for row in range { result[row] = new[row] }
    }
    return result.compactMap { $0 }
  }

  @Test(arguments: 1...60)
  func theDifferenceLeadsFromOneOrderToTheOther(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let old = ids(Array((0..<Int.random(in: 0...60, using: &random)).shuffled(using: &random)))
    var new = old
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let at = Int.random(in: 0...new.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: new.insert(RowID(random.next() | 1 << 40), at: at)
      case 1 where at < new.count: new.remove(at: at)
      case 2 where at < new.count:
        let id = new.remove(at: at)
        new.insert(id, at: Int.random(in: 0...new.count, using: &random))
      default: break
      }
    }
    let reloading = Set(old.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    let updates = try BatchUpdates(from: old, to: new)
    #expect(try applying(updates, to: old, for: new) == new, "seed \(seed)")
    let both = try BatchUpdates(from: old, to: new, reloading: reloading)
    #expect(try applying(both, to: old, for: new) == new, "seed \(seed)")
    // Every row that has changed and is still there is reloaded, one way or the other.
    let updated = Set(both.reloads.map { old[$0] } + both.insertions.flatMap { $0 }.map { new[$0] })
    #expect(reloading.intersection(new).isSubset(of: updated), "seed \(seed)")
  }

  @Test func oneRowMovedIsOneMove() throws {
    let updates = try BatchUpdates(from: ids([1, 2, 3, 4, 5]), to: ids([5, 1, 2, 3, 4]))
    #expect(updates.moves.map { [$0.from, $0.to] } == [[4, 0]])
    #expect(updates.deletions.isEmpty && updates.insertions.isEmpty)
    #expect(try BatchUpdates(from: ids([1, 2]), to: ids([1, 2])).isEmpty)
  }

  @Test func anIdentityThatIsThereTwiceIsAnError() {
    #expect(throws: ListUpdateError.duplicateID(RowID(7), first: 0, second: 2)) {
      _ = try BatchUpdates(from: ids([1]), to: ids([7, 8, 7]))
    }
  }

  @Test func aReversedOrderIsNotQuadratic() throws {
    let updates = try BatchUpdates(from: ids(Array(0..<20_000)), to: ids((0..<20_000).reversed()))
    #expect(updates.moves.count == 19_999)
  }
}
