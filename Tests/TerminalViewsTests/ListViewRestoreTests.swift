import Testing
import VirtualList

@testable import TerminalViews

/// A list that opens at its former place.
@MainActor @Suite struct ListViewRestoreTests {
  @Test func hiddenRowsAreNotMeasured() {
    let harness = ListHarness(count: 1_000, seed: 3)
    harness.list.restore(Place(part: -1, offset: 0), words: "", ofRow: 500)
    harness.list.layoutList()
    #expect(harness.list.topPosition.map { $0.row } == 500)
    #expect(harness.measured.allSatisfy { (480...560).contains($0) }, "\(harness.measured)")
    #expect(harness.screen() == harness.lines(from: ScrollPosition(row: 500, line: 0)))
  }

  @Test func missingRowsShowTheTop() {
    for row in [-1, 1_000] {
      let harness = ListHarness(count: 1_000, seed: 3)
      harness.list.restore(Place(part: -1, offset: 0), words: "", ofRow: row)
      harness.list.layoutList()
      #expect(harness.errors == [.rowOutOfRange(row: row, count: 1_000)])
      #expect(harness.list.topPosition.map { $0.row } == 0)
    }
  }
}
