import TestSupport
import Testing

@testable import VirtualList

/// Guesses of rows whose text is known without reading them.
@Suite struct TextEstimateTests {
  /// Rows of two lines and as many as their text takes at 40 columns.
  private struct Texts {
    let cells: [Int]
    /// Cells before each row, and of all.
    private let starts: [Int]

    init(count: Int, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let cells = (0..<count).map { row in
        // Short at first, long later.
        Int.random(in: 0...(row < count / 2 ? 100 : 1500), using: &random)
      }
      var starts = [0]
      for (row, length) in cells.enumerated() { starts.append(starts[row] + length) }
      (self.cells, self.starts) = (cells, starts)
    }

    func height(_ row: Int, width: Int = 40) -> Int { 2 + (cells[row] + width - 1) / width }
    func length(_ rows: Range<Int>) -> Int { starts[rows.upperBound] - starts[rows.lowerBound] }
    var tree: HeightTree {
      HeightTree(
        runs: [RowRun(count: cells.count, textLength: length(cells.indices))], width: 40)
    }
  }

  @Test func tenMillionRowsWithTextAreOneNode() {
    let count = 10_000_000
    var tree = HeightTree(runs: [RowRun(count: count, textLength: count * 160)], width: 40)
    #expect(tree.nodeCount == 1)
    for row in 0..<200 { tree.setHeight(6, ofRow: row * 50_000) { rows in rows.count * 160 } }
    tree.commitEstimates()
    #expect(abs(tree.totalHeight - 6 * count) < count / 10)
    #expect(tree.nodeCount < 200 * 4)
    #expect(tree.brokenInvariants().isEmpty)
  }

  @Test(arguments: 1...4)
  func rowsAreGuessedByTheirText(seed: UInt64) {
    let texts = Texts(count: 40_000, seed: seed)
    var tree = texts.tree
    for row in stride(from: 10, to: 40_000, by: 500) {
      tree.setHeight(texts.height(row), ofRow: row) { texts.length($0) }
    }
    tree.commitEstimates()
    // The guesses of all rows are right to half a line a row, learned from one in five hundred.
    for start in stride(from: 0, to: 40_000, by: 5000) {
      let guess = tree.offset(ofRow: start + 5000) - tree.offset(ofRow: start)
      let truth = (start..<start + 5000).reduce(0) { $0 + texts.height($1) }
      #expect(abs(HeightTree.lines(guess) - truth) < 2500, "seed \(seed), rows from \(start)")
    }
  }

  @Test func aRunThatIsCutAsksForItsParts() throws {
    let texts = Texts(count: 4000, seed: 1)
    var tree = texts.tree
    var asked: [Range<Int>] = []
    tree.setHeight(texts.height(2000), ofRow: 2000) { rows in
      asked.append(rows)
      return texts.length(rows)
    }
    #expect(asked == [0..<1985, 1985..<2017, 2000..<2001])
    let leaves = tree.leaves
    try #require(leaves.map(\.count) == [1985, 32, 1983])
    // A unit is 16 cells; what is rounded away from one part is in the last.
    #expect(leaves[0].lengths[0] == Int32((texts.length(0..<1985) + 8) / 16))
    let all = (texts.length(0..<4000) + 8) / 16 - (texts.cells[2000] + 8) / 16
    #expect(leaves.reduce(0) { $0 + Int($1.lengths[0]) } == all)
  }

  @Test func textIsWrappedAnewAndTheRestIsNot() {
    let texts = Texts(count: 2000, seed: 2)
    var tree = texts.tree
    for row in stride(from: 0, to: 2000, by: 10) {
      tree.setHeight(texts.height(row), ofRow: row) { texts.length($0) }
    }
    tree.commitEstimates()
    tree.setWidth(20)
    let rows = 0..<2000
    let truth = rows.reduce(0) { $0 + texts.height($1, width: 20) }
    #expect(abs(tree.totalHeight - truth) < truth / 20)
  }

  @Test func textInProportionOnlyIsLearned() {
    // Bytes, three for a cell and 400 for everything else.
    let texts = Texts(count: 40_000, seed: 3)
    func bytes(_ rows: Range<Int>) -> Int { texts.length(rows) * 3 + 400 * rows.count }
    var tree = HeightTree(
      runs: [RowRun(count: 40_000, textLength: bytes(0..<40_000))], width: 40)
    for row in stride(from: 10, to: 40_000, by: 500) {
      tree.setHeight(texts.height(row), ofRow: row) { bytes($0) }
    }
    tree.commitEstimates()
    let half = HeightTree.lines(tree.offset(ofRow: 20_000))
    let truth = (0..<20_000).reduce(0) { $0 + texts.height($1) }
    #expect(abs(half - truth) < truth / 10)
  }

  @Test func whatIsLearnedOfTextIsEasedInAndNotDuringADrag() {
    let texts = Texts(count: 2000, seed: 4)
    var tree = texts.tree
    tree.setHeight(2, ofRow: 0) { texts.length($0) }
    tree.commitEstimates()
    let first = tree.estimates.slope(ofKind: 0)
    for row in 0..<300 { tree.setHeight(9, ofRow: row * 6) { texts.length($0) } }
    tree.freezeEstimates(true)
    let whileFrozen = tree.commitEstimates()
    #expect(!whileFrozen && tree.estimates.slope(ofKind: 0) == first)
    tree.freezeEstimates(false)
    tree.commitEstimates()
    let second = tree.estimates.slope(ofKind: 0)
    #expect(second < first)
    tree.refreshEstimates()
    tree.commitEstimates()
    #expect(tree.estimates.slope(ofKind: 0) < second)
  }

  /// Every operation in random order, with text: nothing of it is lost or made up, positions stay
  /// in order, and rows are found where they are said to be.
  @Test(arguments: Rounds.seeds(4))
  func randomOperationsKeepTheText(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tree = HeightTree(
      runs: [RowRun(count: 900, textLength: 90_000), RowRun(kind: 1, count: 400)], width: 40)
    for step in 0..<90 {
      let count = tree.count
      let row = Int.random(in: 0..<max(1, count), using: &random)
      let before = text(tree)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3 where count > 0:
        let share = Int.random(in: 0..<300, using: &random)
        let knows = Bool.random(using: &random)
        tree.setHeight(Int.random(in: 0...9, using: &random), ofRow: row) {
          knows ? $0.count * share : nil
        }
        #expect(text(tree) <= before, "seed \(seed), step \(step)")
      case 4:
        let added = Int.random(in: 1...400, using: &random)
        let length = added * Int.random(in: 0...50, using: &random)
        tree.insert(
          count: added, kind: Int.random(in: 0...1, using: &random), textLength: length, at: row)
        #expect(text(tree) == before + (length + 8) / 16, "seed \(seed), step \(step)")
      case 5 where count > 0:
        let end = min(count, row + Int.random(in: 1...300, using: &random))
        tree.remove(row..<end)
        #expect(text(tree) <= before, "seed \(seed), step \(step)")
      case 6 where count > 0:
        tree.move(from: row, to: Int.random(in: 0..<count, using: &random))
        #expect(text(tree) == before, "seed \(seed), step \(step)")
      default:
        tree.setWidth([20, 40, 80].randomElement(using: &random) ?? 40)
        tree.commitEstimates()
        #expect(text(tree) == before, "seed \(seed), step \(step)")
      }
      let wrong = tree.brokenInvariants()
      #expect(wrong.isEmpty, "seed \(seed), step \(step): \(wrong.prefix(2))")
    }
    checkPositions(tree, seed: seed)
  }

  private func text(_ tree: borrowing HeightTree) -> Int {
    tree.leaves.reduce(0) { $0 + Int($1.lengths.wrappedSum()) }
  }

  private func checkPositions(_ tree: borrowing HeightTree, seed: UInt64) {
    var reached: Int64 = 0
    // Each takes as long as all rows of its leaf, and the seeds begin at different ones.
    for row in stride(from: Int(seed) % 6, to: tree.count, by: 6) {
      let (offset, next) = (tree.offset(ofRow: row), tree.offset(ofRow: row + 1))
      let isFound =
        next == offset
        || tree.row(atOffset: offset)?.row == row && tree.row(atOffset: next - 1)?.row == row
      if offset < reached || next < offset || !isFound {
        Issue.record("seed \(seed), row \(row): from \(offset) to \(next), after \(reached)")
      }
      reached = next
    }
    #expect(tree.offset(ofRow: tree.count) == tree.totalFixed, "seed \(seed)")
    #expect(reached <= tree.totalFixed, "seed \(seed)")
  }
}
