import Geometry
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// Lists that switch between rows of different heights and rows of one height.
@MainActor @Suite struct ListViewUniformTests {
  /// The identities of the rows on the screen.
  private func ids(_ harness: ListHarness) -> [UInt64] {
    harness.list.visibleFrames.map { harness.rows[$0.row].id }
  }

  @Test(arguments: 1...12)
  func rowsOfOneHeightAreExact(seed: UInt64) {
    let harness = ListHarness(count: 60, seed: seed, height: 14)
    let list = harness.list
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    harness.keepsCells = seed % 2 == 0
    var nextID: UInt64 = 1_000
    for step in 0..<150 {
      let row = number(0...harness.rows.count - 1)
      switch number(0...9) {
      case 0...2: list.scroll(byLines: number(-20...20))
      case 3: list.scrollToRow(at: IndexPath(row: row), at: .top)
      case 4:
        if row % 4 == 0 { list.scrollToEnd() } else { list.selectRow(at: IndexPath(row: row)) }
      case 5:
        nextID += 1
        harness.rows.insert(.init(id: nextID, characters: number(0...300)), at: row)
        list.insertRows(at: [IndexPath(row: row)])
      case 6 where harness.rows.count > 30:
        harness.rows.remove(at: row)
        list.deleteRows(at: [IndexPath(row: row)])
      case 7: list.frame.size = Size(width: [21, 41, 61][number(0...2)], height: number(3...20))
      case 8: list.reconfigureRows(at: [IndexPath(row: row)])
      default:
        _ = harness.screen()
        let (top, isFollowing) = (ids(harness).first, list.isFollowing)
        let selected = list.indexPathForSelectedRow.map { harness.rows[$0.row].id }
        list.uniformRowHeight = list.uniformRowHeight == nil ? 1 : nil
        let shown = harness.screen()
        if !isFollowing, !list.isAtEnd { #expect(ids(harness).first == top, "step \(step)") }
        #expect(
          list.lastSelectedRow.map { harness.rows[$0].id } == selected, "step \(step)")
        if list.uniformRowHeight == nil {
          let place = list.topPosition.map { ScrollPosition(row: $0.row, line: $0.line) }
          #expect(shown == harness.lines(from: place ?? .top), "step \(step)")
        }
      }
      let shown = harness.screen()
      guard list.uniformRowHeight == 1 else { continue }
      #expect(list.statistics.totalHeight == harness.rows.count, "step \(step)")
      #expect(list.visibleFrames.allSatisfy { $0.height == 1 }, "step \(step)")
      let lines = ids(harness).map { "\($0).0" }
      #expect(Array(shown.prefix(lines.count)) == lines, "step \(step)")
      #expect(lines.count == min(list.frame.height, harness.rows.count), "step \(step)")
    }
    #expect(harness.errors.isEmpty)
  }

  /// However many rows there are, only those around the screen get cells, and none is measured.
  @Test func switchingTakesAScreenOfCells() {
    let harness = ListHarness(count: 100_000, seed: 3)
    let list = harness.list
    _ = harness.screen()
    list.scrollToRow(at: IndexPath(row: 70_000), at: .top)
    _ = harness.screen()
    let (created, total) = (harness.cells.count, list.statistics.totalHeight)
    harness.measured = []
    list.uniformRowHeight = 1
    _ = harness.screen()
    #expect(list.statistics.totalHeight == 100_000 && list.topPosition?.row == 70_000)
    #expect(harness.cells.count <= created + 2 * list.frame.height)
    #expect(harness.measured.isEmpty && !list.measureIdleRows())
    // Moves over rows that do not show need no cells of theirs.
    let bound = list.statistics.createdCells
    list.scroll(byLines: 5_000)
    _ = harness.screen()
    #expect(list.topPosition?.row == 75_000 && harness.measured.isEmpty)
    #expect(list.statistics.createdCells <= bound + 2 * list.frame.height)
    list.scroll(byLines: -5_000)
    list.uniformRowHeight = nil
    _ = harness.screen()
    #expect(list.topPosition?.row == 70_000)
    let again = list.statistics.totalHeight
    #expect(abs(again - total) < total / 10, "what was learned about heights is kept")
  }

  @Test func newRowsAboveAreStillCounted() {
    let harness = ListHarness(count: 50, seed: 5)
    let list = harness.list
    list.scroll(byLines: 30)
    _ = harness.screen()
    for id in 0..<3 { harness.rows.insert(.init(id: 900 + UInt64(id), characters: 40), at: 0) }
    list.insertRows(0..<3)
    _ = harness.screen()
    #expect(list.newRowsAbove == 3)
    list.uniformRowHeight = 1
    _ = harness.screen()
    #expect(list.newRowsAbove == 3)
    list.scrollToNewRows()
    _ = harness.screen()
    #expect(list.newRowsAbove == 0 && list.topPosition?.row == 0)
  }

  /// The place inside a row of many lines is kept while rows have one line.
  @Test func theLineAtTheTopEdgeComesBack() {
    let harness = ListHarness(count: 50, seed: 8)
    let list = harness.list
    list.scroll(byLines: 57)
    let before = harness.screen()
    list.uniformRowHeight = 1
    let (row, line) = (list.topPosition?.row, list.topPosition?.line)
    #expect(line == 0)
    _ = harness.screen()
    list.uniformRowHeight = nil
    #expect(harness.screen() == before && list.topPosition?.row == row)
  }

  @Test func rowsThatAreNotAdoptedYetFollow() {
    let harness = ListHarness(count: 30, seed: 2)
    let list = harness.list
    list.uniformRowHeight = 1
    #expect(harness.screen().prefix(3) == ["0.0", "1.0", "2.0"])
    list.frame = .zero
    harness.rows = (0..<400).map { .init(id: UInt64($0), characters: 300) }
    list.reloadData()
    list.uniformRowHeight = nil
    list.frame = Rect(x: 0, y: 0, width: 41, height: 20)
    #expect(harness.screen() == harness.lines(from: .top))
    harness.rows.removeLast(390)
    list.reloadData()
    list.uniformRowHeight = 1
    let expected = (0..<10).map { "\($0).0" } + Array(repeating: "", count: 10)
    #expect(harness.screen() == expected)
    #expect(list.statistics.totalHeight == 10)
  }
}
