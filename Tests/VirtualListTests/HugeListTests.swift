import Testing

@testable import VirtualList

/// Sums over rows so many that careless arithmetic leaves 64 bits behind.
@Suite struct HugeListTests {
  @Test(arguments: [10_000_000, 200_000_000])
  func positionsInHugeListsAreExact(_ count: Int) {
    var tree = HeightTree(runs: [], width: 80, estimates: HeightEstimates(estimatedRowHeight: 6))
    tree.insert(count: count, at: 0)
    for row in [1, count / 3, count / 2, count - 1] {
      let offset = tree.offset(ofRow: row)
      #expect(offset == HeightTree.fixed(6 * row))
      #expect(tree.row(atOffset: offset)?.row == row)
    }
  }
}
