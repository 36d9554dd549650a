import Geometry
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// j and k.
@MainActor @Suite struct ListViewSelectionTests {
  private func selected(_ harness: ListHarness) -> Int? {
    harness.list.indexPathForSelectedRow?.row
  }

  @Test func theFirstRowIsSelectedAndItsNeighboursFollow() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    #expect(selected(harness) == 0)
    #expect(harness.list.cursorPosition == Point(x: 0, y: 0))
    for _ in 0..<10 { harness.list.selectNext() }
    #expect(selected(harness) == 10)
    _ = harness.screen()
    // Scrolled just far enough to show all of row 10.
    #expect(harness.model.visible.last.map { [$0.row, $0.y, $0.height] } == [10, 17, 3])
    harness.list.selectPrevious()
    #expect(selected(harness) == 9)
    _ = harness.screen()
    #expect(harness.list.cellForRow(at: IndexPath(row: 9))?.isSelected == true)
    #expect(harness.list.cellForRow(at: IndexPath(row: 10))?.isSelected == false)
  }

  @Test func aTallRowScrollsBeforeTheNextIsSelected() {
    let harness = ListHarness([
      .init(id: 0, characters: 40), .init(id: 1, characters: 2000), .init(id: 2, characters: 40),
    ])
    _ = harness.screen()
    harness.list.selectNext()
    #expect(selected(harness) == 1)
    #expect(harness.list.topPosition.map { $0 == (1, 0) } == true, "its first line at the top")
    var tops: [Int] = []
    while selected(harness) == 1 {
      let before = harness.model.top
      harness.list.selectNext()
      tops.append(harness.model.top.line)
      guard harness.model.top != before else { break }
    }
    // 51 lines, 20 on the screen: by at most 18 at once, none skipped, then on to row 2.
    #expect(tops == [18, 31, 33])
    #expect(selected(harness) == 2)
    harness.list.selectPrevious()
    #expect(selected(harness) == 1)
    #expect(harness.model.top.line == 31, "its last line at the bottom")
    harness.list.selectPrevious()
    #expect(selected(harness) == 1)
    #expect(harness.model.top.line == 13)
  }

  private func markedRows(_ harness: ListHarness) -> [Int] {
    harness.store.bound.filter { $0.value.isSelected }.map(\.key)
  }

  @Test func theNearestVisibleRowStandsIn() {
    let harness = ListHarness(count: 100)
    let before = harness.screen()
    harness.list.scroll(byLines: 60)
    #expect(selected(harness) == 20)
    #expect(harness.list.cursorPosition == Point(x: 0, y: 0))
    _ = harness.screen()
    #expect(markedRows(harness) == [20])
    harness.list.scroll(byLines: -60)
    #expect(harness.screen() == before && selected(harness) == 0, "it is back")
    #expect(markedRows(harness) == [0])
    harness.list.scroll(byLines: 60)
    harness.list.selectNext()
    #expect(selected(harness) == 21)
    harness.list.scrollToTop()
    #expect(selected(harness) == 6)
    harness.list.selectPrevious()
    #expect(selected(harness) == 5)
    _ = harness.screen()
    #expect(markedRows(harness) == [5])
  }

  /// A row that continues below the screen is scrolled to its end, and stays selected even if the
  /// row that was selected before comes onto the screen.
  @Test func theStandInStaysOnceAKeyHasMovedFromIt() {
    let harness = ListHarness(count: 100)
    _ = harness.screen()
    harness.list.selectRow(at: IndexPath(row: 7))
    #expect(selected(harness) == 6, "its first two lines show")
    harness.list.selectNext()
    #expect(selected(harness) == 6)
    harness.list.scroll(byLines: 3)
    #expect(selected(harness) == 6)
  }

  /// The bar is not drawn beside the blank line at the end of a row.
  @Test func rowsShowingOnlySpacingAreNotSelected() {
    let harness = ListHarness(count: 100)
    harness.list.rowSpacing = 1
    _ = harness.screen()
    harness.list.scroll(byLines: 2)
    #expect(selected(harness) == 1)
    #expect(harness.list.cursorPosition == Point(x: 0, y: 1))
    harness.list.scroll(byLines: -1)
    #expect(selected(harness) == 0)
    harness.list.frame.size.height = 1
    harness.list.scroll(byLines: 1)
    #expect(selected(harness) == 0, "there is no other")
  }

  /// After any move one cell is marked: that of the row reported as selected.
  @Test(arguments: [UInt64(5), 6, 7, .random(in: 0 ... .max)])
  func oneRowOnTheScreenIsMarkedAfterAnyMove(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let harness = ListHarness(count: 80, seed: seed)
    harness.list.rowSpacing = 1
    var nextID: UInt64 = 1_000
    _ = harness.screen()
    for step in 0..<400 {
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      let list = harness.list
      let before = list.indexPathForSelectedRow.map { harness.rows[$0.row].id }
      var updates = false
      switch number(0..<12) {
      case 0: list.selectNext(number(1..<4))
      case 1: list.selectPrevious(number(1..<4))
      case 2, 3: list.scroll(byLines: number(-40..<41))
      case 4: list.scroll(byPages: number(-2..<3))
      case 5: list.scroll(toFraction: Double(number(0..<101)) / 100)
      case 6: if number(0..<2) == 0 { list.scrollToEnd() } else { list.scrollToTop() }
      case 7: list.frame.size = Size(width: number(21..<60), height: number(1..<30))
      case 8:
        list.beginDraggingScrollBar(at: 0)
        list.dragScrollBar(to: number(0..<30))
        list.endDraggingScrollBar()
      case 9:
        updates = true
        let row = number(0..<harness.rows.count + 1)
        nextID += 1
        harness.rows.insert(.init(id: nextID, characters: number(0..<300)), at: row)
        list.insertRows(at: [IndexPath(row: row)])
      case 10 where harness.rows.count > 1:
        updates = true
        let row = number(0..<harness.rows.count)
        harness.rows.remove(at: row)
        list.deleteRows(at: [IndexPath(row: row)])
      default:
        updates = true
        list.reloadData()
      }
      _ = harness.screen()
      let row = selected(harness)
      guard markedRows(harness) == [row],
        row.map({ list.visibleRows?.contains($0) == true }) == true
      else {
        Issue.record("seed \(seed), step \(step): \(markedRows(harness)) for \(row ?? -1)")
        return
      }
      // Unless the row was pushed off the screen.
      let isShown = list.visibleFrames.contains { shown in
        harness.rows[shown.row].id == before && shown.y + max(1, shown.height - 1) > 0
      }
      if updates, isShown {
        #expect(row.map { harness.rows[$0].id } == before, "seed \(seed), step \(step)")
      }
    }
  }

  /// As in UIKit, the program is not notified of its own selections.
  @Test func onlyUserSelectionsNotify() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    harness.list.selectRow(at: IndexPath(row: 4))
    harness.list.scrollToTop()
    harness.rows.removeFirst()
    harness.list.deleteRows(at: [IndexPath(row: 0)])
    harness.list.reloadData()
    _ = harness.screen()
    #expect(harness.selectedByUser.isEmpty)
    harness.list.selectNext(4)
    harness.list.selectPrevious()
    #expect(harness.selectedByUser == [7, 6])
    harness.list.scrollToTop()
    harness.list.selectRow(under: Point(x: 3, y: 4))
    harness.list.selectRow(under: Point(x: 3, y: 400))
    #expect(harness.selectedByUser == [7, 6, 1])
    harness.list.selectPrevious(9)
    harness.list.selectPrevious()
    #expect(harness.selectedByUser == [7, 6, 1, 0], "nothing above the first row")
  }

  @Test func theSelectionFollowsItsRow() {
    let harness = ListHarness(count: 50)
    _ = harness.screen()
    harness.list.selectRow(at: IndexPath(row: 3))
    harness.rows.insert(.init(id: 900, characters: 1), at: 0)
    harness.list.insertRows(at: [IndexPath(row: 0)])
    #expect(selected(harness) == 4)
    _ = harness.screen()
    harness.rows.remove(at: 4)
    harness.list.deleteRows(at: [IndexPath(row: 4)])
    #expect(selected(harness) == 4, "its survivor")
    harness.list.reloadData()
    _ = harness.screen()
    #expect(selected(harness) == 4)
    let marked = harness.store.bound.filter { $0.value.isSelected }.map(\.key)
    #expect(marked == [4])
  }

  /// After any selection and any other change the screen equals that of a list that is drawn for
  /// the first time.
  @Test(arguments: [0, 1], [UInt64(1), 2, 3, 4])
  func theMarkFollowsTheSelection(width: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let harness = ListHarness(count: 60, seed: seed)
    (harness.markWidth, harness.keepsCells) = (width, true)
    harness.list.reloadData()
    _ = harness.screen()
    for step in 0..<Rounds.times(150) {
      switch Int.random(in: 0..<7, using: &random) {
      case 0...2: harness.list.selectNext()
      case 3...4: harness.list.selectPrevious()
      case 5: harness.list.selectRow(at: IndexPath(row: Int.random(in: 0..<60, using: &random)))
      default:
        let row = Int.random(in: 0..<60, using: &random)
        harness.rows[row].characters = Int.random(in: 0...600, using: &random)
        harness.list.reconfigureRows(at: [IndexPath(row: row)])
      }
      let shown = harness.screen()
      while harness.list.prepareSurroundings() {}
      #expect(harness.screen() == shown, "seed \(seed), step \(step)")
      let top = harness.model.top
      var expected = harness.lines(from: top)
      if width > 0 {
        expected = zip(expected, harness.rowsOfLines(from: top)).map { line, row in
          (row == selected(harness) ? "▌" : " ") + line
        }
      }
      guard shown == expected else {
        Issue.record("seed \(seed), step \(step): \(shown) for \(expected)")
        return
      }
    }
  }

  @Test func onlyTheMarkIsRedrawn() {
    func drawn(markWidth: Int) -> Int {
      let harness = ListHarness(count: 50)
      harness.markWidth = markWidth
      harness.list.reloadData()
      _ = harness.screen()
      let before = harness.cells.map(\.drawnCount).reduce(0, +)
      harness.list.selectNext()
      _ = harness.screen()
      return harness.cells.map(\.drawnCount).reduce(0, +) - before
    }
    #expect(drawn(markWidth: 1) == 0)
    #expect(drawn(markWidth: 0) == 2)
  }
}
