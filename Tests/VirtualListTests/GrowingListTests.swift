import TestSupport
import Testing

@testable import VirtualList

@Suite struct GrowingListTests {
  /// Rows come at either end of a long list while it is scrolled and dragged.
  @Test(arguments: 1...4)
  func positionsStayInOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rows = EndlessRows(count: 900)
    let model = ListModel(width: 40, viewportHeight: 20)
    model.reload(runs: [(kind: 0, count: 900)], in: rows)
    for _ in 0..<250 {
      let added = Int.random(in: 1...400, using: &random)
      let isPrepended = Int.random(in: 0..<4, using: &random) == 0
      var updates = BatchUpdates()
      if isPrepended {
        updates.insert(0..<added)
      } else {
        updates.insert(rows.count..<rows.count + added)
      }
      rows.count += added
      // Rows known by index alone: what was first is another row now.
      try model.apply(updates, newCount: rows.count, in: rows)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: model.scroll(toFraction: Double.random(in: 0...1, using: &random), in: rows)
      case 1: model.beginDrag(pointer: Int.random(in: 0..<160, using: &random), track: 20, in: rows)
      case 2: model.drag(to: Int.random(in: 0..<160, using: &random), in: rows)
      default:
        model.resize(width: Bool.random(using: &random) ? 40 : 60, viewportHeight: 20, in: rows)
      }
      if Bool.random(using: &random) { model.commitEstimates() }
      let content = model.scrollBarContent
      #expect(content.offset >= 0 && content.offset <= content.total, "seed \(seed)")
      let offsets = (0..<50).map {
        model.tree.offset(ofRow: $0 * (rows.count - 1) / 49)
      }
      #expect(offsets == offsets.sorted(), "seed \(seed)")
    }
  }
}
