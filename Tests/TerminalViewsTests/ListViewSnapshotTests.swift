import Geometry
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// Snapshots, new rows above, measuring in idle time, and the rows of cells.
@MainActor @Suite struct ListViewSnapshotTests {
  private func ids(_ harness: ListHarness) -> [RowID] { harness.rows.map { RowID($0.id) } }

  @Test func aSnapshotKeepsTheReadersPlaceAndMovesTheCells() throws {
    let harness = ListHarness(count: 60)
    _ = harness.screen()
    harness.list.scroll(byLines: 30)
    let before = harness.screen()
    let cell = harness.list.cellForRow(at: IndexPath(row: 11))
    let old = ids(harness)
    harness.rows.removeSubrange(2..<5)
    harness.rows.insert(.init(id: 900, characters: 80), at: 0)
    harness.rows.swapAt(40, 50)
    try harness.list.applySnapshot(ids(harness), replacing: old)
    #expect(harness.screen() == before)
    let found = try #require(cell)
    #expect(harness.list.indexPath(for: found) == IndexPath(row: 9), "answered at call time")
    #expect((found as? LineCell)?.content.id == 11)
    harness.list.scroll(byLines: 500)
    #expect(harness.list.indexPath(for: found)?.row != 9)
  }

  @Test func wrongSnapshotsThrowAndReload() {
    let harness = ListHarness(count: 20)
    _ = harness.screen()
    let old = ids(harness)
    harness.rows[3].id = 2
    #expect(throws: ListUpdateError.duplicateID(RowID(2), first: 2, second: 3)) {
      try harness.list.applySnapshot(ids(harness), replacing: old)
    }
    harness.rows[3].id = 3
    _ = harness.screen()
    harness.rows.removeLast()
    #expect(throws: ListUpdateError.wrongCount(expected: 20, actual: 19)) {
      try harness.list.applySnapshot(old, replacing: old)
    }
    #expect(harness.screen() == harness.lines(from: harness.model.top))
    #expect(harness.list.numberOfRows == 19)
  }

  @Test(arguments: [0, 7])
  func newRowsAreCountedAndReachable(scrolled: Int) {
    let harness = ListHarness(count: 60)
    _ = harness.screen()
    harness.list.scroll(byLines: scrolled)
    let before = harness.screen()
    for id in 0..<3 {
      harness.rows.insert(.init(id: UInt64(900 + id), characters: 80), at: 0)
      harness.list.insertRows(at: [IndexPath(row: 0)])
      #expect(harness.list.newRowsAbove == id + 1)
    }
    #expect(harness.screen() == before)
    harness.list.scrollToNewRows()
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.newRowsAbove == 0)
    harness.list.scroll(byLines: 5)
    let there = harness.screen()
    harness.list.scrollToNewRows()
    #expect(harness.screen() == there, "without new rows it goes nowhere")
  }

  @Test func idleMeasuringStaysInItsBudgetMovesNothingAndEnds() {
    let harness = ListHarness(count: 400, seed: 4)
    _ = harness.screen()
    harness.list.scroll(byLines: 200)
    let before = harness.screen()
    let live = harness.store.bound.count
    var rounds = 0
    while rounds < 1000 {
      let measured = harness.list.statistics.measuredRows
      let hasMore = harness.list.measureIdleRows(budget: 5)
      #expect(harness.list.statistics.measuredRows - measured <= 5)
      #expect(harness.store.bound.count <= live)
      rounds += 1
      if !hasMore { break }
    }
    #expect(rounds < 1000)
    #expect(harness.list.statistics.measuredRows == 400, "all of so few rows")
    #expect(harness.screen() == before)
    let expected = harness.rows.reduce(0) { $0 + 1 + ($1.characters + 39) / 40 }
    #expect(harness.list.statistics.totalHeight == expected)
  }
}
