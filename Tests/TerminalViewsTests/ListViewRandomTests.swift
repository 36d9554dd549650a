import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// The invariants that need cells, under random operations; each frame is compared with the array's
/// lines.
@MainActor @Suite struct ListViewRandomTests {
  private struct Request {
    var cell: LineCell
    var generation: Int
    var content: LineCell.Content
    var lines: Int
    var due: Int
  }

  @Test(arguments: 1...15)
  func invariants9To11And18CellsPicturesAndIdleFrames(seed: UInt64) {
    let run = RandomRun(seed: seed, count: 40, height: 12)
    let (harness, list, number) = (run.harness, run.harness.list, run.number)
    // Every other run keeps no cells beyond the screen.
    if seed % 2 == 0 { list.overscan = 0 }
    harness.keepsCells = seed % 5 < 3
    harness.identifier = { $0.characters % 3 == 0 ? "other" : "line" }
    var requests: [Request] = []
    var nextID: UInt64 = 1000
    for step in 0..<120 {
      var (quiet, before) = (false, [String]())
      let row = number(0...harness.rows.count - 1)
      // In some runs cells are prepared between frames, sometimes fewer than possible.
      if seed % 3 == 0 { list.prepareSurroundings(budget: number(0...8)) }
      switch number(0...12) {
      case 0...3: list.scroll(byLines: number(-15...15))
      case 4: list.scrollToRow(at: IndexPath(row: row), at: .top)
      case 5: if row % 2 == 0 { list.scrollToEnd() } else { list.scrollToTop() }
      case 6 where harness.rows.count < 60:
        nextID += 1
        harness.rows.insert(.init(id: nextID, characters: number(0...300)), at: row)
        list.insertRows(at: [IndexPath(row: row)])
      case 7 where harness.rows.count > 20:
        harness.rows.remove(at: row)
        list.deleteRows(at: [IndexPath(row: row)])
      case 8:
        harness.rows[row].characters = number(0...300)
        list.reloadRows(at: [IndexPath(row: row)])
      case 9:
        harness.rows[row].characters = number(0...300)
        list.reconfigureRows(at: [IndexPath(row: row)])
      case 10: list.frame.size.width = [21, 41, 61][number(0...2)]
      default:
        guard
          let cell = harness.store.bound.sorted(by: { $0.key < $1.key }).first?.value as? LineCell
        else { break }
        for lines in [number(0...6), number(0...6)] {
          requests.append(
            Request(
              cell: cell, generation: cell.bindingGeneration, content: cell.content,
              lines: lines, due: step + number(0...10)))
        }
        quiet = true
        before = harness.screen()
      }
      for request in requests where request.due == step && !quiet {
        guard let row = list.indexPath(for: request.cell)?.row,
          request.cell.bindingGeneration == request.generation
        else { continue }
        // A cell of the same generation still shows the row of the request.
        #expect(request.cell.content.id == request.content.id, "seed \(seed), step \(step)")
        guard request.cell.content == request.content else { continue }
        let screen = harness.screen()
        // That frame may have removed the row, and the request with it.
        guard list.indexPath(for: request.cell)?.row == row else { continue }
        let mayMove = list.isFollowing || list.visibleRows?.contains(row) == true
        harness.grow(row: row, to: request.lines)
        if !mayMove, harness.store.bound[row] != nil {
          #expect(harness.screen() == screen, "seed \(seed), step \(step)")
        }
      }
      #expect(harness.store.brokenInvariants() == [], "seed \(seed), step \(step)")
      let screen = harness.screen()
      if quiet { #expect(screen == before, "seed \(seed), step \(step)") }
      #expect(
        screen == harness.lines(from: harness.model.top), "seed \(seed), step \(step)")
      let bound = list.statistics.visibleRows + 2 * list.overscanLines + 1
      #expect(harness.store.bound.count <= bound, "seed \(seed), step \(step)")
      #expect(
        Set(harness.store.bound.values.map { ObjectIdentifier($0) }).count
          == harness.store.bound.count)
      harness.measured = []
      #expect(harness.screen() == screen, "an idle frame, seed \(seed), step \(step)")
      #expect(harness.measured.isEmpty, "an idle frame, seed \(seed), step \(step)")
    }
    #expect(harness.errors.isEmpty, "seed \(seed)")
  }
}

/// Rows whose heights differ from the remembered ones when they come onto the screen again.
@MainActor @Suite struct ListViewSurpriseTests {
  @Test(arguments: Rounds.seeds(20))
  func everyVisibleRowHasACell(seed: UInt64) {
    let run = RandomRun(seed: seed, count: 60, height: 16)
    let (harness, list, number) = (run.harness, run.harness.list, run.number)
    harness.keepsCells = seed % 3 == 0
    if seed % 4 == 0 { list.overscan = 0 }
    for step in 0..<150 {
      // Without a notification: the content of a row depends on data that has arrived meanwhile.
      for _ in 0...number(0...5) {
        let row = number(0...59)
        guard harness.store.bound[row] == nil, harness.store.retained[row] == nil else { continue }
        harness.rows[row].characters = number(0...3) == 0 ? number(0...900) : number(0...80)
      }
      switch number(0...6) {
      case 0...2: list.scroll(byLines: number(-40...40))
      case 3: list.scroll(byPages: number(0...1) == 0 ? -1 : 1)
      case 4: list.scrollToRow(at: IndexPath(row: number(0...59)), at: .middle)
      case 5: list.frame.size.width = [21, 41, 61][number(0...2)]
      default: if step % 2 == 0 { list.scrollToEnd() } else { list.scrollToTop() }
      }
      list.layoutList(preparesSurroundings: step % 2 == 0)
      let place = "seed \(seed), step \(step)"
      for row in list.visibleRows ?? 0..<0 {
        #expect(list.cellForRow(at: IndexPath(row: row)) != nil, "row \(row), \(place)")
      }
      #expect(harness.store.brokenInvariants() == [], "\(place)")
      if step % 3 == 0 { list.prepareSurroundings(budget: number(0...7)) }
    }
  }
}

/// A list of random rows, and the random numbers that choose its operations.
@MainActor private final class RandomRun {
  let harness: ListHarness
  private var random: SeededGenerator

  init(seed: UInt64, count: Int, height: Int) {
    harness = ListHarness(count: count, seed: seed, height: height)
    random = SeededGenerator(seed: seed)
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}
