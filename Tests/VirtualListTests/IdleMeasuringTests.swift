import TestSupport
import Testing

@testable import VirtualList

/// The order of measuring while nothing else is to do, and its end.
@Suite struct IdleMeasuringTests {
  /// Rows that note which of them were measured, in order.
  private final class NotedRows: ListEnvironment {
    var measured: [Int] = []
    func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
    func measure(row: Int) -> Int {
      measured.append(row)
      return 1 + row % 7
    }
    func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
    func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
  }

  private func model(_ count: Int, at row: Int, _ rows: NotedRows) throws -> ListModel {
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: count)], in: rows)
    try model.scroll(toRow: row, in: rows)
    model.commitEstimates()
    rows.measured = []
    return model
  }

  @Test func itGoesOutwardFromTheViewportAndThenOverTheWholeList() throws {
    let rows = NotedRows()
    let model = try model(1_000_000, at: 500_000, rows)
    let (low, high) = (500_000, model.visible.last?.row ?? 0)
    model.measureIdleRows(budget: 6, in: rows)
    #expect(rows.measured == [high + 1, low - 1, high + 2, low - 2, high + 3, low - 3])
    while rows.measured.count < 2 * IdleRows.reach {
      model.measureIdleRows(budget: 8, in: rows)
    }
    let outward = rows.measured.prefix(2 * IdleRows.reach)
    #expect(outward.allSatisfy { $0 >= low - 512 && $0 <= high + 512 })
    rows.measured = []
    // After any power of two of samples each part of the list has had its share.
    for share in [8, 64, 256] {
      while rows.measured.count < share {
        model.measureIdleRows(budget: share - rows.measured.count, in: rows)
      }
      let parts = Set(rows.measured.prefix(share).map { $0 * (share / 4) / 1_000_000 })
      #expect(parts.count == share / 4, "\(share) samples")
    }
  }

  @Test(arguments: [0, 1, 30, 900, 3000, 200_000])
  func itEndsAndNothingMovesAfterThat(count: Int) throws {
    let rows = NotedRows()
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: count)], in: rows)
    model.commitEstimates()
    var calls = 0
    while model.measureIdleRows(budget: 8, in: rows), calls < 2000 {
      model.commitEstimates()
      calls += 1
    }
    #expect(calls < 2000, "it never ends")
    let bound = 2 * IdleRows.reach + IdleRows.sampleLimit + 2 * model.viewportHeight
    #expect(rows.measured.count <= min(count, bound))
    #expect(rows.measured.count == Set(rows.measured).count)
    model.commitEstimates()
    let (content, measured) = (model.scrollBarContent, rows.measured.count)
    for _ in 0..<5 {
      let hasMore = model.measureIdleRows(budget: 8, in: rows)
      model.commitEstimates()
      #expect(!hasMore && model.scrollBarContent == content)
    }
    #expect(rows.measured.count == measured)
  }
}
