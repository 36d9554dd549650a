import Geometry
import TestSupport
import Testing
import VirtualList

@testable import TerminalViews

/// An estimated row height of 0: all rows are measured before the frame.
@MainActor @Suite struct ListViewEstimatesTests {
  /// Provides the heights that the harness's cells would measure, and counts the requests.
  private final class HeightTeller: ListViewDelegate {
    let harness: ListHarness
    private(set) var asked: [Int: Int] = [:]

    init(_ harness: ListHarness) { self.harness = harness }

    func listView(_ listView: ListView, heightForRowAt indexPath: IndexPath) -> Int? {
      asked[indexPath.row, default: 0] += 1
      let row = harness.rows[indexPath.row]
      return 1 + (row.characters + listView.rowWidth - 1) / listView.rowWidth + row.picture
    }
  }

  private func trueHeight(_ harness: ListHarness) -> Int {
    let width = harness.list.rowWidth
    return harness.rows.reduce(0) { $0 + 1 + ($1.characters + width - 1) / width + $1.picture }
  }

  @Test func theDelegateIsAskedForEveryRowBeforeTheFirstFrame() {
    let harness = ListHarness(count: 200, seed: 11)
    let teller = HeightTeller(harness)
    harness.list.delegate = teller
    harness.list.estimatedRowHeight = 0
    #expect(harness.list.estimatedRowHeight == 0)
    harness.list.layoutList()
    let statistics = harness.list.statistics
    #expect(statistics.measuredRows == 200)
    #expect(statistics.totalHeight == trueHeight(harness))
    #expect(teller.asked.count == 200)
    #expect(harness.measured.isEmpty, "cells were measured though the delegate tells heights")
    // Visible rows and those beside them, and no others.
    #expect(statistics.createdCells == statistics.liveCells)
    #expect(statistics.liveCells <= 40)
    #expect(harness.screen() == harness.lines(from: ScrollPosition(row: 0, line: 0)))
  }

  @Test func nothingIsMeasuredAgainUntilTheWidthChanges() {
    let harness = ListHarness(count: 200, seed: 12)
    let teller = HeightTeller(harness)
    harness.list.delegate = teller
    harness.list.estimatedRowHeight = 0
    harness.list.layoutList()
    for _ in 0..<40 {
      harness.list.scroll(byLines: 9)
      harness.list.layoutList()
    }
    #expect(harness.list.statistics.measuredRows == 200)
    let before = harness.screen()
    harness.list.frame = Rect(x: 0, y: 0, width: 31, height: 20)
    harness.list.layoutList()
    #expect(harness.list.statistics.measuredRows == 400)
    #expect(harness.list.statistics.totalHeight == trueHeight(harness))
    harness.list.frame = Rect(x: 0, y: 0, width: 41, height: 20)
    #expect(harness.screen() == before)
  }

  @Test func withoutADelegatesHeightsCellsMeasureAllRows() {
    let harness = ListHarness(count: 120, seed: 13)
    harness.list.estimatedRowHeight = 0
    harness.list.layoutList()
    #expect(harness.list.statistics.measuredRows == 120)
    #expect(harness.list.statistics.totalHeight == trueHeight(harness))
    #expect(harness.list.statistics.liveCells <= 40)
    #expect(harness.screen() == harness.lines(from: ScrollPosition(row: 0, line: 0)))
  }

  @Test func insertedRowsAreMeasuredToo() throws {
    let harness = ListHarness(count: 50, seed: 14)
    let teller = HeightTeller(harness)
    harness.list.delegate = teller
    harness.list.estimatedRowHeight = 0
    harness.list.layoutList()
    harness.rows += (50..<90).map { LineCell.Content(id: $0, characters: Int($0) * 5) }
    try harness.list.performBatchUpdates {
      harness.list.insertRows(at: (50..<90).map { IndexPath(row: $0) })
    }
    harness.list.layoutList()
    #expect(harness.list.statistics.totalHeight == trueHeight(harness))
    #expect(harness.list.statistics.measuredRows == 90)
  }
}
