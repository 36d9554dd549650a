import TestSupport
import Testing

@testable import VirtualList

/// How far the thumb is from the truth after one row in a hundred was measured by seeded jumps.
///
/// A jump measures the row it lands on. Where jumps measure whole screens, a hundredth of the rows
/// is fewer places to have looked at, and a small list whose text nobody knows has not been seen
/// well enough: those are asserted from 40,000 rows on, or with text. Where rows are long in one
/// region and short in another, the text alone can tell: without it only the order is asserted.
@Suite struct ScrollBarErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var corpus: KnownRows.Corpus
    var count: Int
    var text: KnownRows.Text
    var byScreens = false

    var isBounded: Bool { text != .unknown || corpus != .skewed }

    var testDescription: String {
      "\(corpus), \(count) rows, text \(text)\(byScreens ? ", by screens" : "")"
    }
  }

  /// Whether the long run is asked for: larger lists and more seeds.
  private static let isLong = Rounds.areMany

  private static let counts = isLong ? [10_000, 40_000, 200_000, 1_000_000] : [10_000, 40_000]

  static let cases: [Case] = counts.flatMap { count in
    KnownRows.Corpus.allCases.flatMap { corpus in
      let texts: [KnownRows.Text] = count < 1_000_000 ? KnownRows.Text.allCases : [.unknown]
      let cases = texts.map { Case(corpus: corpus, count: count, text: $0) }
      let byScreens = cases.filter { $0.text != .unknown || count >= 40_000 }.map {
        Case(corpus: $0.corpus, count: $0.count, text: $0.text, byScreens: true)
      }
      // By screens is the harder one; the other is looked at in a small list.
      return isLong || count == 10_000 ? cases + byScreens : byScreens
    }
  }

  @Test(arguments: cases)
  func theThumbIsWithinAHundredthOfTheTruthAndNeverReverses(_ test: Case) throws {
    for seed in UInt64(1)...(Self.isLong && test.count <= 100_000 ? 3 : 1) {
      let count = test.count
      let rows = KnownRows(test.corpus, count: count, text: test.text, seed: seed)
      let model = ListModel(width: 40, viewportHeight: 40)
      model.reload(runs: [(kind: 0, count: count)], in: rows)
      var random = SeededGenerator(seed: seed &+ 100)
      while model.tree.measuredCount < count / 100 {
        let place = Double.random(in: 0..<1, using: &random)
        if test.byScreens {
          model.scroll(toFraction: place, in: rows)
        } else {
          model.measuredHeight(ofRow: Int(place * Double(count)), in: rows)
        }
        model.commitEstimates()
      }
      // Frames that follow let what was learned be shown.
      for _ in 0..<60 {
        model.measureIdleRows(budget: 0, in: rows)
        model.commitEstimates()
      }
      let errors = (0..<200).map { _ in
        error(atRow: Int.random(in: 0..<count, using: &random), model, rows)
      }.sorted()
      let (median, worst) = (errors[100], errors[199])
      if Self.isLong {
        print(test.testDescription, "seed \(seed): median \(median), worst \(worst)")
      }
      if test.isBounded {
        #expect(median <= 0.01, "seed \(seed): median \(median), worst \(worst)")
        #expect(worst <= 0.05, "seed \(seed): median \(median), worst \(worst)")
      }
      if seed == 1 { try scrollForward(model, rows, &random) }
    }
  }

  /// The distance of the thumb's place from where it should be, in parts of the track.
  private func error(atRow row: Int, _ model: ListModel, _ rows: KnownRows) -> Double {
    var content = model.scrollBarContent
    content.top = ScrollPosition(row: row, line: 0)
    content.offset = model.tree.offset(ofRow: row)
    let total = Double(rows.starts[rows.heights.count] - model.viewportHeight)
    let truth = min(1, Double(rows.starts[row]) / total)
    return abs(ScrollBarModel.position(content) - truth)
  }

  private func scrollForward(
    _ model: ListModel, _ rows: KnownRows, _ random: inout SeededGenerator
  ) throws {
    model.scrollToTop(in: rows)
    var last = model.thumb(track: 50)
    for _ in 0..<(Self.isLong ? 120 : 60) {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let row = min(model.count - 1, model.top.row + Int.random(in: 1...600, using: &random))
        try model.scroll(toRow: row, at: .top, in: rows)
      } else {
        model.scroll(byLines: Int.random(in: 1...40, using: &random), in: rows)
      }
      model.measureIdleRows(budget: 2, in: rows)
      model.commitEstimates()
      let thumb = model.thumb(track: 50)
      #expect(thumb.start >= last.start)
      last = thumb
    }
  }
}
