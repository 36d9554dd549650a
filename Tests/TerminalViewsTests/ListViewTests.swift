import Geometry
import Terminal
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// The invariants of the list, checked on its screen.
@MainActor @Suite struct ListViewTests {
  @Test func itOpensAtTheFirstLine() {
    let harness = ListHarness(count: 100)
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.visibleRows == 0..<7)
    #expect(harness.displayed == Set(0..<7))
    #expect(ListHarness(count: 0).screen() == Array(repeating: "", count: 20))
  }

  /// A frame is drawn into a canvas that holds an older one.
  @Test(arguments: [0, 1, 2, 100]) func framesEraseOlderOnes(count: Int) {
    let harness = ListHarness(count: count)
    harness.list.layoutList()
    var canvas = Canvas(size: harness.list.frame.size)
    canvas.fill(canvas.bounds, with: CanvasCell("#"))
    harness.list.render(into: &canvas, origin: .zero)
    #expect(canvas.cells.allSatisfy { $0.scalars.0 != 0x23 })
  }

  @Test func invariant1ChangesAboveTheTopEdgeMoveNothing() throws {
    let harness = ListHarness(count: 100)
    _ = harness.screen()
    harness.list.scroll(byLines: 61)
    let before = harness.screen()
    // A row in the overscan above, one that was never shown, and inserted and deleted rows.
    harness.grow(row: 18, to: 9)
    #expect(harness.list.cellForRow(at: IndexPath(row: 18)) != nil)
    #expect(harness.screen() == before)
    harness.rows.insert(.init(id: 900, characters: 200), at: 3)
    harness.list.insertRows(at: [IndexPath(row: 3)])
    #expect(harness.screen() == before)
    harness.rows.removeSubrange(1..<4)
    try harness.list.performBatchUpdates {
      harness.list.deleteRows(at: (1..<4).map { IndexPath(row: $0) })
    }
    #expect(harness.screen() == before)
    #expect(harness.errors.isEmpty)
  }

  @Test func invariant2TheTopEdgeStays() {
    let harness = ListHarness(
      (0..<20).map { .init(id: $0, characters: 400, picture: $0 == 1 ? 6 : 0) })
    _ = harness.screen()
    harness.list.scroll(byLines: 11 + 13)  // in the picture of row 1
    let before = harness.screen()
    #expect(before.first == "1#2")
    harness.rows[1].characters = 800
    (harness.list.cellForRow(at: IndexPath(row: 1)) as? LineCell)?.configure(harness.rows[1])
    #expect(harness.screen().first == "1#2")
  }

  @Test func invariant3GrowthOnTheScreenPushesDown() {
    let harness = ListHarness(count: 100)
    _ = harness.screen()
    harness.list.scroll(byLines: 30)
    let before = harness.screen()
    var resizes: [ListView.RowResize] = []
    harness.list.onResize = { resizes.append($0) }
    harness.grow(row: 12, to: 5)
    let after = harness.screen()
    let end = 9
    #expect(before[end - 1] == "12.2")
    #expect(Array(after[..<end]) == Array(before[..<end]))
    #expect(Array(after[end..<end + 5]) == (0..<5).map { "12#\($0)" })
    #expect(Array(after[(end + 5)...]) == Array(before[end..<15]))
    #expect(
      resizes == [.init(row: 12, from: 3, to: 8, anchorRow: 10, anchorLine: 0)])
  }

  @Test(arguments: 1...6)
  func invariant4ScrollingByLinesIsExact(seed: UInt64) {
    let harness = ListHarness(count: 60, seed: seed)
    var random = SeededGenerator(seed: seed)
    _ = harness.screen()
    for _ in 0..<60 {
      let before = harness.screen()
      let by = Int.random(in: -40...40, using: &random)
      let moved = harness.list.scroll(byLines: by)
      let after = harness.screen()
      #expect(after == harness.lines(from: harness.model.top), "seed \(seed)")
      if moved == by {
        let (upper, lower) = by > 0 ? (before, after) : (after, before)
        #expect(upper.dropFirst(abs(by)).elementsEqual(lower.dropLast(abs(by))), "seed \(seed)")
      } else {
        #expect(harness.list.isAtTop || harness.list.isAtEnd, "seed \(seed)")
      }
      harness.list.scroll(byLines: -moved)
      #expect(harness.screen() == before, "seed \(seed)")
      harness.list.scroll(byLines: moved)
    }
  }

  @Test(arguments: 1...6)
  func invariant9CellsAreFewAndEachShowsOneRow(seed: UInt64) {
    let harness = ListHarness(count: 3000, seed: seed)
    var random = SeededGenerator(seed: seed)
    harness.list.setPinned(true, forRowAt: IndexPath(row: 2999))
    for step in 0..<60 {
      switch step % 4 {
      case 0:
        harness.list.scrollToRow(
          at: IndexPath(row: Int.random(in: 0..<3000, using: &random)), at: .top)
      case 1: harness.list.scroll(byPages: Int.random(in: -3...3, using: &random))
      default: harness.list.scroll(byLines: Int.random(in: -9...9, using: &random))
      }
      _ = harness.screen()
      let list = harness.list
      // Overscan is 10 lines beyond either edge, so at most 10 rows and one cut by the edge.
      #expect(harness.store.bound.count <= list.statistics.visibleRows + 2 * 10 + 1, "seed \(seed)")
      #expect(list.statistics.idleCells <= 40, "seed \(seed)")
      for (row, cell) in harness.store.bound {
        #expect(list.indexPath(for: cell)?.row == row)
        #expect((cell as? LineCell)?.content == harness.rows[row], "seed \(seed)")
      }
      #expect(
        Set(harness.store.bound.values.map { ObjectIdentifier($0) }).count
          == harness.store.bound.count)
      #expect(harness.displayed == Set((list.visibleRows ?? 0..<0).map { UInt64($0) }))
    }
    #expect(harness.cells.count <= 80, "cells are used again")
    #expect(harness.list.statistics.reusedCells > 100)
  }

  @Test func invariant13ANarrowScreenAndBackRestoresTheFrame() {
    let harness = ListHarness(count: 200, seed: 3)
    _ = harness.screen()
    harness.list.scroll(byLines: 333)
    let before = harness.screen()
    for width in [20, 90, 41] {
      harness.list.frame.size.width = width
      harness.measured = []
      let screen = harness.screen()
      #expect(screen == harness.lines(from: harness.model.top))
      #expect(Set(harness.measured).count <= 42, "only what shows is measured")
    }
    #expect(harness.screen() == before)
  }

  @Test func invariant17TheNextSurvivorTakesTheLine() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    harness.list.scroll(byLines: 31)
    harness.rows.removeSubrange(9..<12)
    harness.list.deleteRows(at: (9..<12).map { IndexPath(row: $0) })
    #expect(harness.screen().first == "12.0")
  }

  @Test func invariant18AFrameTakesAtMostTwoPassesEvenForRestlessCells() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    #expect(harness.list.statistics.layoutPasses == 1)
    let idle = harness.screen()
    harness.measured = []
    #expect(harness.screen() == idle)
    #expect(harness.measured.isEmpty, "an idle frame measures nothing")
    // A cell that grows whenever it is drawn gets its height frame by frame, without a loop.
    let cell = harness.list.cellForRow(at: IndexPath(row: 2)) as? LineCell
    cell?.isRestless = true
    for _ in 0..<10 {
      cell?.setNeedsLayout()
      _ = harness.screen()
      #expect(harness.list.statistics.layoutPasses <= 2)
    }
  }

  @Test func invariant19ARowIsMeasuredOnceWhileItKeepsItsCell() {
    let harness = ListHarness(count: 200)
    for _ in 0..<30 {
      harness.list.scroll(byLines: 1)
      _ = harness.screen()
    }
    #expect(Set(harness.measured).count == harness.measured.count)
    #expect(harness.list.statistics.measuredRows == harness.measured.count)
  }

  @Test func invariant20ATallRowScrollsLineByLine() {
    let harness = ListHarness([.init(id: 1, characters: 4000), .init(id: 2, characters: 40)])
    for line in 0..<83 {
      #expect(harness.screen() == harness.lines(from: ScrollPosition(row: 0, line: line)))
      harness.list.scroll(byLines: 1)
    }
    #expect(harness.list.isAtEnd)
  }

  @Test func resizedReboundRowsKeepTheFrame() {
    let harness = ListHarness(count: 200)
    _ = harness.screen()
    harness.list.scroll(byLines: 300)
    _ = harness.screen()
    // Its content changed while it had no cell; when it returns from below, the row is drawn
    // correctly.
    harness.rows[90].picture = 4
    harness.list.scroll(byLines: -20)
    _ = harness.screen()
    harness.list.scroll(byLines: -20)
    #expect(harness.screen() == harness.lines(from: harness.model.top))
  }

  @Test func wrongUpdatesAreReportedAndReload() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    harness.rows.removeLast(10)
    harness.list.deleteRows(at: [IndexPath(row: 3)])
    #expect(harness.errors == [.wrongCount(expected: 49, actual: 40)])
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.numberOfRows == 40)
    harness.rows[1].id = 0
    harness.list.reloadData()
    _ = harness.screen()
    #expect(harness.errors.last == .duplicateID(RowID(0), first: 0, second: 1))
  }

  @Test func aBatchWithoutUpdatesOverOtherRowsIsAnError() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    harness.rows.removeLast(10)
    #expect(throws: ListUpdateError.wrongCount(expected: 50, actual: 40)) {
      try harness.list.performBatchUpdates {}
    }
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.numberOfRows == 40)
    harness.rows = []
    harness.list.beginUpdates()
    harness.list.endUpdates()
    harness.list.reconfigureRows(at: [IndexPath(row: 39)])
    #expect(harness.errors == [.wrongCount(expected: 40, actual: 0)])
    #expect(harness.screen() == Array(repeating: "", count: 20))
    harness.list.endUpdates()
    harness.list.beginUpdates()
    harness.list.endUpdates()
    #expect(harness.errors.count == 1)
  }

  @Test func reconfiguringKeepsTheCellAndReloadingGivesAnother() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    let cell = harness.list.cellForRow(at: IndexPath(row: 2))
    harness.rows[2].picture = 3
    harness.list.reconfigureRows(at: [IndexPath(row: 2)])
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.cellForRow(at: IndexPath(row: 2)) === cell)
    let generation = cell?.bindingGeneration
    harness.rows[2].picture = 1
    harness.list.reloadRows(at: [IndexPath(row: 2)])
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(
      harness.list.cellForRow(at: IndexPath(row: 2)) !== cell
        || cell?.bindingGeneration != generation)
  }

  @Test func aCellMayOutliveItsList() throws {
    var harness: ListHarness? = ListHarness(count: 50)
    _ = harness?.screen()
    let cell = try #require(harness?.list.cellForRow(at: IndexPath(row: 2)))
    #expect(cell.owner != nil)
    harness = nil
    #expect(cell.owner == nil)
    cell.setNeedsLayout()
  }

  @Test func reconfiguringMayReplaceTheCell() throws {
    let harness = ListHarness(count: 50)
    harness.identifier = { $0.characters % 2 == 0 ? "line" : "other" }
    harness.rows[2].characters = 600
    harness.list.overscan = 0
    _ = harness.screen()
    let cell = try #require(harness.list.cellForRow(at: IndexPath(row: 2)))
    // Rows that come onto the screen meanwhile need a cell of the old type.
    harness.rows[2].characters = 1
    harness.list.reconfigureRows(at: [IndexPath(row: 2)])
    #expect(harness.list.indexPath(for: cell)?.row != 2)
    #expect(harness.screen() == harness.lines(from: .top))
    #expect(harness.list.cellForRow(at: IndexPath(row: 2))?.reuseIdentifier == "other")
  }

  @Test func theScrollBarTouchesTheEndsOnlyThere() {
    let harness = ListHarness(count: 100)
    func column() -> [Unicode.Scalar?] {
      let canvas = harness.canvas()
      return (0..<20).map { Unicode.Scalar(canvas[40, $0].scalars.0) }
    }
    #expect(column().first == "█")
    harness.list.scroll(byLines: 1)
    #expect(column().first == "▇")
    harness.list.scrollToEnd()
    #expect(column().last == "█")
    harness.list.scroll(byLines: -1)
    #expect(column().last == "▁")
    harness.list.beginDraggingScrollBar(at: 18)
    harness.list.dragScrollBar(to: 0)
    harness.list.endDraggingScrollBar()
    #expect(column().first == "█")
    #expect(harness.list.isAtTop)
  }
}
