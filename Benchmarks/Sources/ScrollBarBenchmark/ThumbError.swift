import VirtualList

/// How a list is looked into before its scroll bar is judged.
enum Jump: CaseIterable {
  /// Measures the row it comes to and no other.
  case row
  /// Measures all that are then on the screen, so that fewer places are seen.
  case screen
}

/// The distance of the thumb from the truth, in parts of the track, over many places of a list.
///
/// Coming to a place measures the rows there. So that this does not teach the list, a list is given
/// up after one place in ten thousand rows and another is looked into, by other jumps.
struct ThumbError {
  private static let places = 200
  private static let viewport = 40
  /// Cells; far more than a terminal has, so that the error is not one of rounding.
  private static let track = 10_000

  let median: Double
  let largest: Double
  /// How often the thumb went back while the list went on.
  let reversals: Int

  init(of rows: KnownRows, jump: Jump, seed: UInt64) throws {
    var random = SeededRandom(seed: seed &+ 100)
    var errors: [Double] = []
    var model = Self.model(of: rows, jump: jump, &random)
    while true {
      for _ in 0..<max(1, rows.count / 10_000) {
        let row = Int.random(in: 0..<rows.count, using: &random)
        errors.append(try Self.error(atRow: row, model, rows))
      }
      guard errors.count < Self.places else { break }
      model = Self.model(of: rows, jump: jump, &random)
    }
    reversals = try Self.scrollForward(model, rows, &random)
    errors.sort()
    median = errors[errors.count / 2]
    largest = errors[errors.count - 1]
  }

  /// A list of which one row in a hundred was measured.
  private static func model(
    of rows: KnownRows, jump: Jump, _ random: inout SeededRandom
  ) -> ListModel {
    let model = ListModel(width: KnownRows.width, viewportHeight: viewport)
    model.reload(runs: [(kind: 0, count: rows.count)], in: rows)
    while model.tree.measuredCount < rows.count / 100 {
      let part = Double.random(in: 0..<1, using: &random)
      switch jump {
      case .row: model.measuredHeight(ofRow: Int(part * Double(rows.count)), in: rows)
      case .screen: model.scroll(toFraction: part, in: rows)
      }
      model.commitEstimates()
    }
    // Frames that follow let what was learned be shown.
    for _ in 0..<60 {
      model.measureIdleRows(budget: 0, in: rows)
      model.commitEstimates()
    }
    return model
  }

  private static func error(
    atRow row: Int, _ model: ListModel, _ rows: KnownRows
  ) throws -> Double {
    try model.scroll(toRow: row, at: .top, in: rows)
    var bar = ScrollBarModel()
    let thumb = bar.thumb(track: track, for: model.scrollBarContent)
    let shown = Double(thumb.start) / Double(track * ScrollBarModel.unit - thumb.length)
    let total = rows.starts[rows.count] - viewport
    return abs(shown - Double(rows.starts[model.top.row] + model.top.line) / Double(total))
  }

  /// Goes on by lines and by rows, measuring a little meanwhile.
  private static func scrollForward(
    _ model: ListModel, _ rows: KnownRows, _ random: inout SeededRandom
  ) throws -> Int {
    model.scrollToTop(in: rows)
    var last = model.thumb(track: 50)
    var reversals = 0
    for _ in 0..<1_000 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let row = model.top.row + Int.random(in: 1...rows.count / 200, using: &random)
        try model.scroll(toRow: min(rows.count - 1, row), at: .top, in: rows)
      } else {
        model.scroll(byLines: Int.random(in: 1...viewport, using: &random), in: rows)
      }
      model.measureIdleRows(budget: 2, in: rows)
      model.commitEstimates()
      let thumb = model.thumb(track: 50)
      if thumb.start < last.start { reversals += 1 }
      last = thumb
    }
    return reversals
  }
}
