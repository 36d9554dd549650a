import TestSupport
import Testing

@testable import VirtualList

/// Lists whose rows all have one height, for a time.
@Suite struct UniformHeightTests {
  /// Rows that are tall, or one line high, as the list says. Some have no height at all.
  private final class Rows: ListEnvironment {
    var ids: [UInt64]
    var isUniform = false

    init(_ count: Int) { ids = (0..<count).map { UInt64($0) } }

    func isGone(_ row: Int) -> Bool { ids[row] % 11 == 7 }
    func rowID(at row: Int) -> RowID { RowID(ids[row]) }
    func kind(of row: Int) -> Int? { isUniform ? 0 : Int(ids[row] % 3) }
    func measure(row: Int) -> Int { isGone(row) ? 0 : isUniform ? 1 : 2 + Int(ids[row] % 9) }
    func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
    func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
  }

  private func toggle(_ model: ListModel, _ rows: Rows) {
    rows.isUniform.toggle()
    model.resetHeights(
      uniform: rows.isUniform ? 1 : nil, runs: rows.kindRuns(of: 0..<rows.ids.count), in: rows)
  }

  @Test(arguments: Rounds.seeds(10)) func invariantsHold(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let rows = Rows(80)
    let model = ListModel(width: 40, viewportHeight: 12)
    model.reload(runs: rows.kindRuns(of: 0..<80), in: rows)
    var nextID: UInt64 = 1_000
    for step in 0..<200 {
      let row = number(0...rows.ids.count - 1)
      switch number(0...11) {
      case 0...2: model.scroll(byLines: number(-25...25), in: rows)
      case 3: try model.scroll(toRow: row, at: .middle, in: rows)
      case 4: if step % 3 == 0 { model.scrollToEnd(following: step % 2 == 0, in: rows) }
      case 5:
        nextID += 1
        rows.ids.insert(nextID, at: row)
        var updates = BatchUpdates()
        updates.insert(row..<row + 1)
        try model.apply(updates, newCount: rows.ids.count, in: rows)
      case 6 where rows.ids.count > 40:
        rows.ids.remove(at: row)
        var updates = BatchUpdates()
        updates.delete(row..<row + 1)
        try model.apply(updates, newCount: rows.ids.count, in: rows)
      case 7:
        model.resize(width: [20, 40, 80][number(0...2)], viewportHeight: number(3...15), in: rows)
      case 8: model.measureIdleRows(budget: 3, in: rows)
      case 9:
        model.beginDrag(pointer: number(0...95), track: 12, in: rows)
        model.drag(to: number(0...95), in: rows)
        model.endDrag()
      default:
        let top = model.displayed?.rowID
        let isPulledBack = model.isAtEnd
        toggle(model, rows)
        if !isPulledBack, !model.isAtEnd, !model.isFollowing {
          #expect(model.displayed?.rowID == top, "step \(step)")
        }
      }
      model.commitEstimates()
      #expect(model.brokenInvariants() == [], "step \(step)")
      guard rows.isUniform else { continue }
      #expect(model.uniformRowHeight == 1)
      // Rows that were found to have no height are the only ones that change the total.
      let known = rows.ids.indices.filter { rows.isGone($0) && model.knownHeight(ofRow: $0) == 0 }
      #expect(model.tree.totalHeight == rows.ids.count - known.count, "step \(step)")
    }
  }

  /// Without measuring a row that does not show, and whatever was learned before.
  @Test func aMillionRowsAreExactAtOnce() {
    let rows = Rows(1_000_000)
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: rows.ids.count)], in: rows)
    model.measureIdleRows(budget: 500, in: rows)
    model.commitEstimates()
    let (before, learned) = (model.measurementCount, model.tree.estimates.mean(ofKind: 0))
    toggle(model, rows)
    #expect(model.measurementCount - before <= 24)
    #expect(model.tree.totalHeight > 999_990)
    model.estimatedRowHeight = 30
    model.resize(width: 80, viewportHeight: 20, in: rows)
    #expect(model.tree.totalHeight > 999_990, "no width changes a row of one line")
    model.resize(width: 40, viewportHeight: 20, in: rows)
    toggle(model, rows)
    #expect(model.estimatedRowHeight == 30)
    #expect(abs(model.tree.estimates.mean(ofKind: 0) - learned) < 1, "nothing learned is lost")
  }
}
