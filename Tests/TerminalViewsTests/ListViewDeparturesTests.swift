import Testing
import VirtualList

@testable import TerminalViews

/// Departed cells: those of rows that have left the screen.
@MainActor @Suite struct ListViewDeparturesTests {
  private func harness(count: Int = 400, keepsCells: Bool = true) -> ListHarness {
    let harness = ListHarness(count: count, seed: 3, height: 12)
    harness.keepsCells = keepsCells
    show(harness.list)
    return harness
  }

  /// Shows a frame, and prepares everything possible after it.
  private func show(_ list: ListView) {
    list.layoutList(preparesSurroundings: false)
    while list.prepareSurroundings() {}
  }

  private func bindings(_ list: ListView) -> Int {
    list.statistics.createdCells + list.statistics.reusedCells
  }

  private func departed(_ harness: ListHarness) -> [Int: ListViewCell] {
    harness.store.retained.filter { $0.value.slot.state == .departed }
  }

  @Test func returningRowsFindTheirCells() {
    let harness = harness()
    let list = harness.list
    let first = list.visibleRows
    list.scrollToEnd()
    show(list)
    let before = bindings(list)
    harness.measured = []
    list.scrollToTop()
    list.layoutList(preparesSurroundings: false)
    #expect(list.visibleRows == first)
    #expect(bindings(list) == before)
    #expect(harness.measured.isEmpty)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func aPageUpAfterPagesDownFindsItsCells() {
    let harness = harness()
    let list = harness.list
    for _ in 0..<3 {
      list.scroll(byPages: 1)
      show(list)
    }
    let before = bindings(list)
    list.scroll(byPages: -1)
    list.layoutList(preparesSurroundings: false)
    #expect(bindings(list) == before)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func stayInvisible() {
    let harness = harness()
    harness.list.scrollToEnd()
    show(harness.list)
    #expect(!departed(harness).isEmpty)
    for (row, cell) in departed(harness) {
      #expect(harness.list.indexPath(for: cell) == nil)
      #expect(harness.list.cellForRow(at: IndexPath(row: row)) == nil)
      #expect(!harness.displayed.contains(harness.rows[row].id))
      #expect((cell as? LineCell)?.preparedCount == 0)
    }
  }

  @Test func areLimitedToTwoScreens() {
    let harness = harness()
    let list = harness.list
    var most = 0
    for _ in 0..<60 {
      list.scroll(byPages: 1)
      list.layoutList(preparesSurroundings: false)
      most = max(most, harness.store.retained.count + harness.store.bound.count)
      while list.prepareSurroundings() {}
      #expect(departed(harness).values.reduce(0) { $0 + $1.slot.height } <= 2 * list.frame.height)
    }
    // The cells kept longest returned to the pool and were reused.
    #expect(harness.cells.count <= most + 12)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func rowsWithoutHeightCount() {
    let harness = ListHarness(
      (0..<800).map { .init(id: $0, characters: 0, isGone: $0 % 20 != 0) }, height: 12)
    harness.keepsCells = true
    show(harness.list)
    for _ in 0..<15 {
      harness.list.scroll(byLines: 1)
      show(harness.list)
      #expect(departed(harness).count <= 2 * harness.list.frame.height)
    }
  }

  @Test func cellsThatCannotWaitGoAtOnce() {
    let harness = harness(keepsCells: false)
    let cells = harness.store.bound.values.compactMap { $0 as? LineCell }
    harness.list.scrollToEnd()
    show(harness.list)
    #expect(departed(harness).isEmpty)
    for cell in cells { #expect(cell.preparedCount > 0) }
  }

  @Test func reloadedRowsShowNewContent() throws {
    let harness = harness()
    harness.list.scrollToEnd()
    show(harness.list)
    let row = try #require(departed(harness).keys.min())
    harness.rows[row].characters = 77
    harness.list.reloadRows(at: [IndexPath(row: row)])
    #expect(departed(harness)[row] == nil)
    harness.list.scrollToTop()
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// As if another file has replaced the one that is read.
  @Test func rowsWithRetainedCellsAreListed() {
    let harness = harness()
    harness.list.scrollToEnd()
    show(harness.list)
    let waiting = Set(departed(harness).keys)
    #expect(!waiting.isEmpty)
    let prepared = harness.list.indexPathsForPreparedRows
    #expect(waiting.isSubset(of: prepared.map(\.row)))
    for path in prepared { harness.rows[path.row].characters = 5 }
    harness.list.reloadRows(at: prepared)
    #expect(harness.store.retained.isEmpty)
    harness.list.scrollToTop()
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func moveWithTheirRows() {
    let harness = harness()
    harness.list.scrollToEnd()
    show(harness.list)
    let cells = departed(harness).mapValues { ObjectIdentifier($0) }
    harness.rows.insert(.init(id: 9_000, characters: 10), at: 0)
    harness.list.insertRows(at: [IndexPath(row: 0)])
    for (row, cell) in cells {
      #expect(departed(harness)[row + 1].map { ObjectIdentifier($0) } == cell)
    }
    harness.list.scrollToTop()
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func aNewScreenHeightReleasesThem() {
    let harness = harness()
    harness.list.scrollToEnd()
    show(harness.list)
    harness.list.frame.size.height = 15
    harness.list.layoutList(preparesSurroundings: false)
    #expect(departed(harness).isEmpty)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func loseTheSelection() {
    let harness = harness()
    let list = harness.list
    list.selectRow(at: IndexPath(row: 0))
    show(list)
    #expect(list.cellForRow(at: IndexPath(row: 0))?.isSelected == true)
    list.selectRow(at: IndexPath(row: 399))
    list.scrollToEnd()
    show(list)
    list.scrollToTop()
    show(list)
    #expect(list.cellForRow(at: IndexPath(row: 0))?.isSelected == false)
  }
}
