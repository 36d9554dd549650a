import TestSupport
import Testing

@testable import VirtualList

/// How far the thumb is from the truth after one row in a hundred was measured by jumps.
@Suite struct ScrollBarErrorTests {
  enum Corpus: CaseIterable { case short, long, alternating, skewed }

  private static func rows(_ corpus: Corpus, count: Int, seed: UInt64) -> KnownRows {
    var random = SeededGenerator(seed: seed)
    let heights = (0..<count).map { row -> Int in
      switch corpus {
      case .short: return Int.random(in: 2...5, using: &random)
      case .long: return Int.random(in: 10...60, using: &random)
      case .alternating:
        return row % 2 == 0 ? 3 : Int.random(in: 20...40, using: &random)
      case .skewed:
        // Short posts, a region of long ones, then middling ones.
        let part = Double(row) / Double(count)
        if part < 0.37 { return Int.random(in: 2...5, using: &random) }
        if part < 0.55 { return Int.random(in: 20...60, using: &random) }
        return Int.random(in: 6...12, using: &random)
      }
    }
    return KnownRows(heights: heights)
  }

  @Test(arguments: Corpus.allCases)
  func theThumbIsWithinAHundredthOfTheTruthAndNeverReverses(corpus: Corpus) throws {
    for seed in UInt64(1)...2 {
      let count = 200_000
      let rows = Self.rows(corpus, count: count, seed: seed)
      let model = ListModel(width: 40, viewportHeight: 40)
      model.reload(runs: [(kind: 0, count: count)], in: rows)
      var random = SeededGenerator(seed: seed &+ 100)
      while model.tree.measuredCount < count / 100 {
        model.scroll(toFraction: Double.random(in: 0..<1, using: &random), in: rows)
        model.commitEstimates()
      }
      let total = Double(rows.starts[count] - model.viewportHeight)
      let guessed = Double(model.scrollBarContent.total) / 65_536 - Double(model.viewportHeight)
      let errors = (0..<200).map { _ -> Double in
        let row = Int.random(in: 0..<count, using: &random)
        let offset = Double(model.offset(of: ScrollPosition(row: row, line: 0))) / 65_536
        return abs(min(1, offset / guessed) - min(1, Double(rows.starts[row]) / total))
      }.sorted()
      let (median, worst) = (errors[100], errors[199])
      #expect(median <= 0.01, "\(corpus), seed \(seed): median \(median), worst \(worst)")
      #expect(worst <= 0.05, "\(corpus), seed \(seed): median \(median), worst \(worst)")

      model.scrollToTop(in: rows)
      var last = model.thumb(track: 50)
      for _ in 0..<120 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let row = min(count - 1, model.top.row + Int.random(in: 1...600, using: &random))
          try model.scroll(toRow: row, at: .top, in: rows)
        } else {
          model.scroll(byLines: Int.random(in: 1...40, using: &random), in: rows)
        }
        model.measureIdleRows(budget: 2, in: rows)
        model.commitEstimates()
        let thumb = model.thumb(track: 50)
        #expect(thumb.start >= last.start, "\(corpus), seed \(seed)")
        last = thumb
      }
    }
  }
}

@Suite struct HeightRegionTests {
  /// Rows come at either end of a long list while it is scrolled and dragged.
  @Test(arguments: 1...4)
  func aListThatGrowsKeepsItsRegionsInOrder(seed: UInt64) throws {
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
        model.offset(of: ScrollPosition(row: $0 * (rows.count - 1) / 49, line: 0))
      }
      #expect(offsets == offsets.sorted(), "seed \(seed)")
    }
  }
}

/// Rows whose heights are known to the test.
struct KnownRows: ListEnvironment {
  let heights: [Int]
  /// Lines before each row, and of all.
  let starts: [Int]

  init(heights: [Int]) {
    self.heights = heights
    var starts = [0]
    starts.reserveCapacity(heights.count + 1)
    for height in heights { starts.append(starts[starts.count - 1] + height) }
    self.starts = starts
  }

  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func measure(row: Int) -> Int { heights[row] }
  func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
  func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
}
