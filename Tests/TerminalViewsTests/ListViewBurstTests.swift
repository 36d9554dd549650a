import Geometry
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// Many keys in one frame.
@MainActor @Suite struct ListViewBurstTests {
  private enum Move {
    case next(Int)
    case previous(Int)
    case lines(Int)
    case pages(Int)
    case halfPages(Int)
    case row(Int)
    case top, end
    case width(Int)
    case height(Int)
  }

  private func perform(_ move: Move, _ list: ListView) {
    switch move {
    case .next(let count): list.selectNext(count)
    case .previous(let count): list.selectPrevious(count)
    case .lines(let count): list.scroll(byLines: count)
    case .pages(let count): list.scroll(byPages: count)
    case .halfPages(let count): list.scroll(byHalfPages: count)
    case .row(let row):
      list.selectRow(at: IndexPath(row: row))
      list.scrollToRow(at: IndexPath(row: row), at: .top)
    case .top: list.scrollToTop()
    case .end: list.scrollToEnd()
    case .width(let width): list.frame.size.width = width
    case .height(let height): list.frame.size.height = height
    }
  }

  /// The same move, a press at a time.
  private func presses(_ move: Move) -> [Move] {
    switch move {
    case .next(let count): Array(repeating: .next(1), count: count)
    case .previous(let count): Array(repeating: .previous(1), count: count)
    case .lines(let count):
      Array(repeating: .lines(count.signum()), count: Int(count.magnitude))
    case .pages(let count):
      Array(repeating: .pages(count.signum()), count: Int(count.magnitude))
    case .halfPages(let count):
      Array(repeating: .halfPages(count.signum()), count: Int(count.magnitude))
    default: [move]
    }
  }

  private func rows(_ random: inout SeededGenerator) -> [LineCell.Content] {
    (0..<Int.random(in: 1...150, using: &random)).map { id in
      let kind = Int.random(in: 0...19, using: &random)
      let characters = kind == 0 ? 900...4000 : kind < 5 ? 300...700 : 0...250
      return LineCell.Content(
        id: UInt64(id), characters: Int.random(in: characters, using: &random),
        picture: kind == 1 ? Int.random(in: 0...30, using: &random) : 0, isGone: kind == 2)
    }
  }

  private func move(_ random: inout SeededGenerator, rows: Int) -> Move {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let count = number(0...3) == 0 ? number(1...200) : number(1...12)
    return switch number(0...15) {
    case 0...4: .next(count)
    case 5...7: .previous(count)
    case 8: .lines(count)
    case 9: .lines(-count)
    case 10: .pages(number(-6...6))
    case 11: .halfPages(number(-6...6))
    case 12: .row(number(0...rows - 1))
    case 13: number(0...1) == 0 ? .top : .end
    case 14: .width([21, 41, 61, 100][number(0...3)])
    default: .height(number(1...30))
    }
  }

  /// With any bounds of heights from the data source: none, exact ones, too large ones, or some.
  @Test(arguments: 1...20)
  func joinedPressesEqualSinglePresses(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = rows(&random)
    let joined = ListHarness(rows, height: 15)
    let single = ListHarness(rows, height: 15)
    switch seed % 4 {
    case 0: break
    case 1: joined.bound = { $0 }
    case 2: joined.bound = { $0 * 2 + 3 }
    default: joined.bound = { $0 % 3 == 0 ? nil : $0 + $0 % 2 }
    }
    if seed % 5 == 0 { joined.list.overscan = 0 }
    var states = (joined.screen(), single.screen())
    for step in 0..<Rounds.times(15) {
      let move = move(&random, rows: rows.count)
      perform(move, joined.list)
      for press in presses(move) {
        perform(press, single.list)
        _ = single.screen()
      }
      states = (joined.screen(), single.screen())
      let place = "seed \(seed), step \(step), \(move)"
      let (a, b) = (joined.list, single.list)
      #expect(states.0 == states.1, "\(place)")
      #expect(a.indexPathForSelectedRow == b.indexPathForSelectedRow, "\(place)")
      #expect(joined.model.anchor == single.model.anchor, "\(place)")
      #expect(joined.model.displayed == single.model.displayed, "\(place)")
      #expect(a.isFollowing == b.isFollowing && a.isAtEnd == b.isAtEnd, "\(place)")
      #expect(a.cursorPosition == b.cursorPosition, "\(place)")
      guard states.0 == states.1 else { return }
    }
    #expect(joined.errors.isEmpty && single.errors.isEmpty)
  }

  @Test func rowsThatFitArePassedWithoutMeasuringThem() {
    let harness = ListHarness(count: 10_000)
    harness.bound = { $0 }
    _ = harness.screen()
    harness.measured = []
    harness.list.selectNext(9_000)
    _ = harness.screen()
    #expect(harness.list.indexPathForSelectedRow?.row == 9_000)
    // A screen of 20 lines and half a screen on either side, of rows of 3.
    #expect(harness.measured.count <= 16)
    #expect(harness.model.visible.last.map { [$0.row, $0.y, $0.height] } == [9_000, 17, 3])
    harness.measured = []
    harness.list.selectPrevious(8_000)
    _ = harness.screen()
    #expect(harness.model.visible.first.map { [$0.row, $0.y, $0.height] } == [1_000, 0, 3])
    #expect(harness.measured.count <= 16)
    // More presses than there are rows end at the first.
    harness.list.selectPrevious(999_999_999)
    #expect(harness.list.indexPathForSelectedRow?.row == 0)
  }

  @Test func onlyRowsNotKnownToFitAreMeasured() {
    let harness = ListHarness(count: 2_000)
    harness.bound = { $0 }
    for row in stride(from: 100, to: 2_000, by: 100) { harness.rows[row].characters = 4_000 }
    harness.list.reloadData()
    _ = harness.screen()
    harness.measured = []
    // Rows of 101 lines: each takes j once to reach, and then 5 presses to its end.
    harness.list.selectNext(1_000)
    _ = harness.screen()
    #expect(harness.list.indexPathForSelectedRow?.row == 955)
    #expect(harness.measured.filter { $0 % 100 == 0 }.count == 9)
    #expect(harness.measured.count <= 9 * 8 + 16, "each time what shows around it")
  }

  @Test(arguments: [0, 2, 600])
  func passedRowsShareAScreenOfCells(characters: Int) {
    let rows = (0..<3_000).map { LineCell.Content(id: UInt64($0), characters: characters) }
    let harness = ListHarness(rows, height: 20)
    _ = harness.screen()
    let list = harness.list
    let height = 1 + (characters + 39) / 40
    let bound = list.statistics.visibleRows + 2 * list.overscanLines + 1
    for lines in [1_000 * height, -700 * height, 300 * height] {
      list.scroll(byLines: lines)
      list.selectNext(500)
      _ = harness.screen()
    }
    #expect(harness.mostLiveCells <= bound)
    #expect(harness.cells.count <= 40 / height + 4, "a screen and half of one on either side")
    #expect(list.statistics.createdCells == harness.cells.count)
  }

  @Test func idleMeasuringTakesNoCellFromTheScreen() {
    let harness = ListHarness(count: 3_000)
    _ = harness.screen()
    let before = harness.store.bound.mapValues { ObjectIdentifier($0) }
    while harness.list.measureIdleRows(budget: 8) {}
    #expect(harness.store.bound.mapValues { ObjectIdentifier($0) } == before)
    #expect(harness.cells.count <= before.count + 1)
    #expect(harness.displayed.count == harness.list.statistics.visibleRows)
  }

  @Test func rowsWithoutHeightAreNotSelected() {
    var rows = (0..<40).map { LineCell.Content(id: UInt64($0), characters: 40) }
    for row in [3, 4, 20, 39] { rows[row].isGone = true }
    let harness = ListHarness(rows)
    var selected: [Int] = []
    for _ in 0..<40 {
      _ = harness.screen()
      selected.append(harness.list.indexPathForSelectedRow?.row ?? -1)
      harness.list.selectNext()
    }
    #expect(selected == rows.indices.filter { !rows[$0].isGone } + [38, 38, 38, 38])
  }
}
