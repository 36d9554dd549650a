import Testing
import VirtualList

@testable import TerminalViews

/// Cells whose content depends on more than their rows, such as the time.
@MainActor @Suite struct StaleCellTests {
  private func harness() -> ListHarness {
    let harness = ListHarness(count: 200, height: 12)
    harness.keepsCells = true
    show(harness)
    return harness
  }

  private func show(_ harness: ListHarness) {
    harness.list.layoutList(preparesSurroundings: false)
    _ = harness.canvas()
    while harness.list.prepareSurroundings() {}
  }

  private func cell(_ row: Int, in harness: ListHarness) throws -> LineCell {
    try #require(harness.list.cellForRow(at: IndexPath(row: row)) as? LineCell)
  }

  /// Only cells that are not current are configured again, and no others are redrawn.
  @Test func staleCellsAreConfiguredBeforeFrames() throws {
    let harness = harness()
    let (first, second) = (try cell(0, in: harness), try cell(1, in: harness))
    let drawn = (first.drawnCount, second.drawnCount)
    harness.rows[0].characters = 400
    harness.rows[1].characters = 400
    first.current = { first.content.characters == 400 }
    show(harness)
    #expect(first.content == harness.rows[0] && second.content != harness.rows[1])
    #expect((first.drawnCount, second.drawnCount) == (drawn.0 + 1, drawn.1))
    #expect(harness.screen().prefix(11).allSatisfy { $0.hasPrefix("0.") })
    #expect(harness.store.brokenInvariants().isEmpty)
    show(harness)
    #expect(first.drawnCount == drawn.0 + 1)
  }

  /// A cell retained for a row that has left, or prepared for one that comes, is not shown then.
  @Test func staleRetainedCellsAreNotUsed() throws {
    let harness = harness()
    let list = harness.list
    list.scroll(byPages: 2)
    show(harness)
    let retained = harness.store.retained
    try #require(!retained.isEmpty)
    let rows = Set(retained.keys)
    for case let cell as LineCell in retained.values {
      let content = cell.content
      cell.current = { cell.content != content }
    }
    for row in rows { harness.rows[row].characters = 40 }
    list.scrollToTop()
    for _ in 0..<4 {
      show(harness)
      #expect(harness.screen() == harness.lines(from: harness.model.top))
      list.scroll(byPages: 1)
    }
    #expect(harness.store.brokenInvariants().isEmpty && harness.errors.isEmpty)
  }
}
