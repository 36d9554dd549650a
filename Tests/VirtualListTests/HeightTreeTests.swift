import TestSupport
import Testing

@testable import VirtualList

@Suite struct HeightTreeTests {
  /// Every operation in random order against an array, with a full self-check after each.
  @Test(arguments: Rounds.seeds(3))
  func randomOperationsAgreeWithAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let start = Int.random(in: 0...1500, using: &random)
    var tree = HeightTree(count: start, width: 80)
    var model = HeightTreeModel(count: start)
    for step in 0..<120 {
      let done = Self.change(&tree, &model, &random)
      // The whole comparison is dear: the structure each time, the rows now and then.
      let wrong =
        step % 20 == 19 ? model.differences(from: tree) : tree.brokenInvariants()
      if !wrong.isEmpty {
        Issue.record("seed \(seed), step \(step), \(done): \(wrong.prefix(3))")
        return
      }
    }
    #expect(model.differences(from: tree).isEmpty, "seed \(seed)")
  }

  private static func change(
    _ tree: inout HeightTree, _ model: inout HeightTreeModel, _ random: inout SeededGenerator
  ) -> String {
    let count = model.rows.count
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3 where count > 0:
      let first = Int.random(in: 0..<count, using: &random)
      let length = Int.random(in: 1...60, using: &random)
      for row in first..<min(count, first + length) {
        let height = Self.height(&random)
        tree.setHeight(height, ofRow: row)
        model.rows[row] = .measured(height)
      }
      return "measure \(length) rows from \(first)"
    case 4...5 where count > 0:
      let row = Int.random(in: 0..<count, using: &random)
      let height = Self.height(&random)
      tree.setHeight(height, ofRow: row)
      model.rows[row] = .measured(height)
      return "measure row \(row)"
    case 6:
      let row = Int.random(in: 0...count, using: &random)
      let added = Int.random(in: 0..<3, using: &random) == 0 ? 600 : 1
      let kind = Int.random(in: 0..<3, using: &random)
      tree.insert(count: added, kind: kind, at: row)
      model.rows.insert(contentsOf: Array(repeating: .unmeasured(kind), count: added), at: row)
      return "insert \(added) at \(row)"
    case 7 where count > 0:
      let first = Int.random(in: 0..<count, using: &random)
      let length = Int.random(in: 0..<4, using: &random) == 0 ? 400 : 1
      let rows = first..<min(count, first + length)
      tree.remove(rows)
      model.rows.removeSubrange(rows)
      return "remove \(rows)"
    case 8...9 where count > 0:
      let from = Int.random(in: 0..<count, using: &random)
      let to = Int.random(in: 0..<count, using: &random)
      tree.move(from: from, to: to)
      model.rows.insert(model.rows.remove(at: from), at: to)
      return "move \(from) to \(to)"
    case 10 where count > 0:
      let row = Int.random(in: 0..<count, using: &random)
      tree.invalidate(row: row)
      model.invalidate(row)
      return "invalidate \(row)"
    default:
      let old = tree.width
      let width = [20, 40, 80, 200].randomElement(using: &random) ?? 80
      tree.setWidth(width)
      if width != old { model.setWidth() }
      tree.commitEstimates()
      return "width \(width)"
    }
  }

  private static func height(_ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: 0
    case 1: Int.random(in: 32_000...70_000, using: &random)
    default: Int.random(in: 1...60, using: &random)
    }
  }

  @Test func tenMillionUntouchedRowsAreOneNode() {
    let tree = HeightTree(count: 10_000_000, width: 80)
    #expect(tree.nodeCount == 1)
    #expect(tree.totalHeight == 40_000_000)
    #expect(tree.row(atOffset: tree.totalFixed / 2)?.row == 5_000_000)
  }

  @Test func measuredRowsCostLessThanThreeBytes() {
    let count = 60_000
    var tree = HeightTree(count: count, width: 80)
    for row in 0..<count { tree.setHeight(row % 9, ofRow: row) }
    #expect(tree.measuredCount == count)
    #expect(tree.byteCount < 3 * count, "\(tree.byteCount) bytes for \(count) rows")
  }

  @Test func scatteredSamplesStayCompact() {
    let count = 1_000_000
    var tree = HeightTree(count: count, width: 80)
    for row in stride(from: 0, to: count, by: 100) { tree.setHeight(5, ofRow: row) }
    #expect(tree.byteCount < 3 * count, "\(tree.byteCount) bytes for \(count) rows")
  }

  @Test func aBetterMeanChangesTheTotalWithoutVisitingRows() {
    var tree = HeightTree(count: 1_000_000, width: 80)
    for row in 0..<50 { tree.setHeight(10, ofRow: row) }
    let nodes = tree.nodeCount
    #expect(tree.totalHeight == 50 * 10 + 999_950 * 4)
    tree.commitEstimates()
    // (4 · 4 + 50 · 10) / 54 lines a row
    #expect(abs(tree.totalHeight - 999_950 * 516 / 54 - 500) <= 20)
    #expect(tree.nodeCount == nodes)
  }

  @Test func invariant14StaleHeightsAreEstimatesNeverZero() {
    var tree = HeightTree(count: 100, width: 80)
    for row in 0..<100 { tree.setHeight(row % 7, ofRow: row) }
    let before = tree.totalHeight
    tree.setWidth(160)
    #expect(tree.measuredCount == 0)
    #expect(abs(tree.totalHeight - before / 2) <= 1)
    for row in 0..<100 {
      #expect((tree.estimatedHeight(ofRow: row) > 0) == (row % 7 > 0))
    }
    // Measured again at the other width, the rest is still remembered; back, it is exact.
    tree.setHeight(3, ofRow: 50)
    tree.setWidth(80)
    for row in 0..<100 where row != 50 {
      #expect(tree.height(ofRow: row) == .stale(height: row % 7, width: 80))
    }
  }

  @Test func aRememberedHeightIsScaledByHowMuchTheOthersWere() {
    var tree = HeightTree(count: 1000, width: 80)
    for row in 0..<1000 { tree.setHeight(8, ofRow: row) }
    tree.setWidth(40)
    // Text that does not grow at all when it gets narrower, unlike the first guess.
    for row in 0..<300 { tree.setHeight(8, ofRow: row) }
    for _ in 0..<20 {
      tree.setHeight(7, ofRow: 0)
      tree.commitEstimates()
      tree.setHeight(8, ofRow: 0)
      tree.commitEstimates()
    }
    #expect(tree.estimatedHeight(ofRow: 900) == 8)
  }

  @Test func kindsAreEstimatedApart() {
    var tree = HeightTree(
      runs: [RowRun(kind: 1, count: 500), RowRun(kind: 2, count: 500)], width: 80)
    for row in 0..<100 { tree.setHeight(2, ofRow: row) }
    for row in 500..<600 { tree.setHeight(30, ofRow: row) }
    tree.commitEstimates()
    #expect(tree.estimatedHeight(ofRow: 400) == 2)
    #expect(tree.estimatedHeight(ofRow: 900) == 29)
    #expect(tree.height(ofRow: 450) == .unmeasured(kind: 1))
  }

  @Test func rowsWithoutHeightAreSkippedBySeeking() {
    var tree = HeightTree(count: 300, width: 80)
    for row in 0..<300 { tree.setHeight(row == 250 ? 2 : 0, ofRow: row) }
    #expect(tree.row(atOffset: 0)?.row == 250)
    #expect(tree.totalHeight == 2)
    #expect(HeightTree(width: 80).row(atOffset: 0) == nil)
  }

  @Test func frozenEstimatesDoNotMove() {
    var tree = HeightTree(count: 1000, width: 80)
    tree.freezeEstimates(true)
    tree.setHeight(40, ofRow: 0)
    let whileFrozen = tree.commitEstimates()
    #expect(!whileFrozen)
    #expect(tree.totalHeight == 40 + 999 * 4)
    tree.freezeEstimates(false)
    let withNews = tree.commitEstimates()
    #expect(withNews)
    let withoutNews = tree.commitEstimates()
    #expect(!withoutNews)
  }
}
