import Testing
import VirtualList

@testable import TerminalViews

/// Cells that are retained for rows before they are requested.
@MainActor @Suite struct ListViewPrefetchingTests {
  /// A list whose first frame has been shown, with everything possible prepared.
  private func prepared(_ harness: ListHarness) -> ListHarness {
    harness.list.layoutList(preparesSurroundings: false)
    while harness.list.prepareSurroundings() {}
    return harness
  }

  private func bindings(_ list: ListView) -> Int {
    list.statistics.createdCells + list.statistics.reusedCells
  }

  @Test func framesBindVisibleRowsOnly() {
    let harness = ListHarness(count: 200, seed: 3, height: 12)
    harness.list.layoutList(preparesSurroundings: false)
    #expect(bindings(harness.list) == harness.list.visibleRows?.count)
  }

  /// Removed rows are not requested, although the previous frame left cells around them.
  @Test(arguments: [0, 1, 3, 40], [false, true])
  func rowsMayGoBeforeSurroundingsAreReady(left: Int, isReload: Bool) {
    let harness = ListHarness(count: 300, seed: 5, height: 12)
    harness.list.layoutList(preparesSurroundings: false)
    harness.list.scrollToRow(at: IndexPath(row: 200), at: .top)
    harness.list.layoutList(preparesSurroundings: false)
    harness.list.scroll(byPages: 1)
    harness.list.layoutList(preparesSurroundings: false)
    let gone = (left..<300).map { IndexPath(row: $0) }
    harness.rows.removeLast(300 - left)
    if isReload { harness.list.reloadData() } else { harness.list.deleteRows(at: gone) }
    while harness.list.prepareSurroundings() {}
    #expect(harness.errors.isEmpty)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// The estimates of prepared rows are shown at once: a repeated frame changes nothing.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func theScrollBarShowsFinalEstimates(seed: UInt64) {
    let harness = prepared(ListHarness(count: 200, seed: seed, height: 12))
    for pages in [1, 1, 3, -2, 8] {
      harness.list.scroll(byPages: pages)
      harness.list.layoutList(preparesSurroundings: false)
      while harness.list.prepareSurroundings() {}
      let shown = harness.list.statistics.thumb
      harness.list.layoutList(preparesSurroundings: false)
      #expect(harness.list.statistics.thumb == shown, "seed \(seed), \(pages) pages")
      while harness.list.prepareSurroundings() {}
    }
  }

  @Test(arguments: [1, -1])
  func nextPagesAreReady(pages: Int) {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    harness.list.scroll(byPages: 8)
    // The last move predicts the next one.
    harness.list.scroll(byPages: pages)
    harness.list.layoutList(preparesSurroundings: false)
    while harness.list.prepareSurroundings() {}
    let before = bindings(harness.list)
    harness.measured = []
    harness.list.scroll(byPages: pages)
    harness.list.layoutList(preparesSurroundings: false)
    #expect(bindings(harness.list) == before)
    #expect(harness.measured.isEmpty)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func preparingIsBounded() {
    let harness = prepared(ListHarness(count: 10_000, seed: 3, height: 12))
    let list = harness.list
    let lines = harness.store.retained.values.reduce(0) { $0 + $1.slot.height }
    let largest = harness.store.retained.values.map(\.slot.height).max() ?? 0
    #expect(lines < list.frame.height - list.overscanLines + largest)
    #expect(harness.store.bound.count <= list.statistics.visibleRows + 2 * list.overscanLines)
    #expect(!list.prepareSurroundings())
  }

  @Test func waitingCellsAreUnseen() {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    #expect(!harness.store.retained.isEmpty)
    for (row, cell) in harness.store.retained {
      #expect(harness.list.indexPath(for: cell) == nil)
      #expect(harness.list.cellForRow(at: IndexPath(row: row)) == nil)
      #expect(!harness.displayed.contains(harness.rows[row].id))
    }
  }

  @Test func preparingMovesNoVisibleLine() {
    let harness = ListHarness(count: 200, seed: 9, height: 12)
    harness.list.scroll(toFraction: 0.5)
    harness.list.layoutList(preparesSurroundings: false)
    let before = harness.list.visibleFrames
    while harness.list.prepareSurroundings() {}
    #expect(harness.list.visibleFrames == before)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func reloadingReleasesTheCell() throws {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let waiting = try #require(harness.store.retained.min { $0.key < $1.key })
    let others = harness.store.retained.count - 1
    harness.rows[waiting.key].characters = 333
    harness.list.reloadRows(at: [IndexPath(row: waiting.key)])
    #expect(harness.store.retained.count == others)
    #expect((waiting.value as? LineCell)?.preparedCount == 1)
    while harness.list.prepareSurroundings() {}
    harness.list.scroll(byPages: 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// As while a file is being counted: further rows at its end do not cause requests for a row to
  /// be repeated.
  @Test func retainedCellsMoveWithTheirRows() {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let cells = harness.store.retained.mapValues { ObjectIdentifier($0) }
    #expect(!cells.isEmpty)
    harness.rows.append(.init(id: 5_000, characters: 10))
    harness.list.insertRows(at: [IndexPath(row: 200)])
    #expect(harness.store.retained.mapValues { ObjectIdentifier($0) } == cells)
    harness.rows.insert(.init(id: 5_001, characters: 10), at: 0)
    harness.list.insertRows(at: [IndexPath(row: 0)])
    for (row, cell) in cells {
      #expect(harness.store.retained[row + 1].map { ObjectIdentifier($0) } == cell)
    }
    harness.list.layoutList(preparesSurroundings: false)
    while harness.list.prepareSurroundings() {}
    harness.list.scroll(byPages: 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func deletingReleasesTheCell() throws {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let row = try #require(harness.store.retained.keys.min())
    let cell = try #require(harness.store.retained[row] as? LineCell)
    harness.rows.remove(at: row)
    harness.list.deleteRows(at: [IndexPath(row: row)])
    #expect(!harness.store.retained.values.contains { $0 === cell })
    #expect(cell.preparedCount == 1)
    harness.list.scroll(byPages: 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// As if its picture arrives.
  @Test func grownRetainedCellsAreRemeasured() throws {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let row = try #require(harness.store.retained.keys.min())
    harness.rows[row].picture = 5
    (harness.store.retained[row] as? LineCell)?.configure(harness.rows[row])
    harness.list.scroll(byPages: 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
    #expect(
      harness.model.tree.measuredHeight(ofRow: row) == harness.store.bound[row]?.slot.height)
  }

  /// As if pictures arrive between two pages.
  @Test func offScreenContentCostsNextPageNothing() throws {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let list = harness.list
    let visible = try #require(list.visibleRows)
    for (row, cell) in harness.store.retained {
      harness.rows[row].picture = 1
      (cell as? LineCell)?.configure(harness.rows[row])
    }
    for row in harness.store.bound.keys where !visible.contains(row) {
      harness.grow(row: row, to: 2)
    }
    let before = harness.screen()
    list.layoutList(preparesSurroundings: false)
    while list.prepareSurroundings() {}
    #expect(harness.screen() == before)
    harness.measured = []
    list.scroll(byPages: 1)
    list.layoutList(preparesSurroundings: false)
    #expect(harness.measured.isEmpty)
    #expect(list.statistics.layoutPasses == 1)
    // The mark is on another row now.
    for row in list.visibleRows ?? 0..<0 where row != list.indexPathForSelectedRow?.row {
      #expect(harness.store.bound[row]?.needsDisplay == false, "row \(row)")
    }
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// The reader turns the page before there is another frame.
  @Test func offScreenContentNeedsNoFrame() throws {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let list = harness.list
    let visible = try #require(list.visibleRows)
    var (calls, frames) = (0, 0)
    list.onNeedsPreparation = { calls += 1 }
    list.onNeedsDisplay = { frames += 1 }
    let waiting = try #require(harness.store.retained.keys.min())
    harness.rows[waiting].picture = 3
    (harness.store.retained[waiting] as? LineCell)?.configure(harness.rows[waiting])
    #expect(calls > 0)
    #expect(frames == 0)
    for row in harness.store.bound.keys where !visible.contains(row) {
      harness.grow(row: row, to: 2)
    }
    while list.prepareSurroundings() {}
    harness.measured = []
    list.scroll(byPages: 1)
    list.layoutList(preparesSurroundings: false)
    #expect(harness.measured.isEmpty)
    #expect(list.statistics.layoutPasses == 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func preparingEndsThoughCellsNeverRest() {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let list = harness.list
    for cell in harness.cells { cell.isRestless = true }
    for cell in harness.store.retained.values { cell.setNeedsLayout() }
    var turns = 0
    while list.prepareSurroundings(), turns < 1_000 { turns += 1 }
    #expect(turns < 200)
  }

  @Test func aNewWidthLaysThemOutAgain() {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    harness.list.frame.size.width = 61
    harness.list.scroll(byPages: 1)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func jumpsReleaseOldCells() {
    let harness = prepared(ListHarness(count: 200, seed: 3, height: 12))
    let old = Set(harness.store.retained.keys)
    harness.list.scroll(toFraction: 0.7)
    harness.list.layoutList(preparesSurroundings: false)
    while harness.list.prepareSurroundings() {}
    #expect(old.isDisjoint(with: harness.store.retained.keys))
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  /// Rows that are taller than known push one another beyond the surroundings: without a limit each
  /// would be bound for the other's sake forever.
  @Test(arguments: [0, 7, 300, 600, 900])
  func preparingEndsThoughHeightsChange(characters: Int) {
    let harness = prepared(ListHarness(count: 60, height: 12))
    let list = harness.list
    while list.measureIdleRows(budget: 60) {}
    list.scrollToEnd()
    list.layoutList()
    // Visible rows are unchanged.
    for row in 0..<40 where !(8..<12).contains(row) { harness.rows[row].characters = characters }
    list.scrollToRow(at: IndexPath(row: 8), at: .top)
    var turns = 0
    for _ in 0..<20 {
      list.layoutList(preparesSurroundings: false)
      while list.prepareSurroundings(), turns < 1_000 { turns += 1 }
    }
    #expect(turns < 200)
    #expect(!list.prepareSurroundings())
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }
}
