@testable import VirtualList

/// The one driver of the invariants: a list model and a plain array of rows, to which the same
/// operations happen, with what the array says must show. What happens is drawn from a generator: a
/// seeded one, or the bytes of an input.
final class ListDriver {
  enum Operation {
    case scroll(Int)
    case select(row: Int, ScrollAlignment)
    case jumpToTop
    case jumpToEnd(following: Bool)
    case jumpToFraction(Double)
    case beginDrag(Int)
    case drag(Int)
    case endDrag
    case insert(Int, at: Int)
    case append(Int)
    case prepend(Int)
    case delete(Range<Int>)
    case move(from: Int, to: Int)
    case reload(row: Int)
    case batch
    case wrongBatch
    case resize(row: Int, picture: Int)
    case width(Int)
    case viewport(Int)
    case askForPicture(row: Int, lines: Int, delay: Int)
    case pictureArrives(row: Int?, isStale: Bool)
    case measureIdle
    case cacheOff
    case idle
  }

  /// What shows at a moment.
  struct Moment {
    var screen: [TestRows.Line] = []
    /// The index of the line at the top edge among all lines.
    var topLine = 0
    var top = ScrollPosition.top
    var thumb = ScrollThumb(start: 0, length: 0)
    var total: Int64 = 0
    var isAtTop = true
    var isAtEnd = true
    var isFollowing = false
    var isDragging = false
    var newRowsAbove = 0
  }

  /// One operation, and what became of it.
  struct Step {
    var operation: Operation
    var before: Moment
    var after: Moment
    /// The line that the array says stands at the top edge; nil where only a pointer says.
    var expectedTop: Int?
    /// Rows measured by the operation, by their indices after it.
    var measured: [Int] = []
    /// Rows with cells, in the overscan too.
    var prepared: Range<Int> = 0..<0
    /// Lines moved, as the model says.
    var moved: Int?
    /// Old rows of the resized row, whose top is the reader's.
    var oldRows: [TestRows.Row] = []
    var wanted: ScrollAnchor?
    var error: ListUpdateError?
  }

  struct Picture {
    var id: UInt64
    var version: Int
    var lines: Int
    var due: Int
  }

  /// A measurement: of a row, at a width, of a content.
  struct Measurement: Hashable {
    var id: UInt64
    var epoch: Int
    var version: Int
  }

  static let overscan = 6
  static let track = 12

  var random: any RandomNumberGenerator
  let rows: TestRows
  let model: ListModel
  var nextID: UInt64 = 1000
  var time = 0
  /// Pictures on their way.
  var pictures: [Picture] = []
  var epoch = 0
  var measurements: Set<Measurement> = []
  /// The first row measured twice in one epoch with one content.
  var measuredTwice: UInt64?
  /// Where pointers led in this drag, while nothing changed.
  var landings: [(thumb: Int, top: ScrollPosition)] = []
  var frozenTotal: Int64?

  init(drawing random: any RandomNumberGenerator) {
    self.random = random
    let count = Int.random(in: 0...24, using: &self.random)
    rows = TestRows([], width: 40)
    model = ListModel(width: 40, viewportHeight: 12)
    rows.rows = (0..<count).map { _ in newRow() }
    model.reload(runs: [(kind: 0, count: count)], in: rows)
    _ = frame()
    record()
  }

  func newRow() -> TestRows.Row {
    nextID += 1
    let isLong = Int.random(in: 0..<14, using: &random) == 0
    var row = TestRows.Row(
      id: nextID, characters: Int.random(in: 0...(isLong ? 900 : 120), using: &random))
    if Int.random(in: 0..<5, using: &random) == 0 {
      row.picture = Int.random(in: 1...6, using: &random)
    }
    row.isHidden = Int.random(in: 0..<15, using: &random) == 0
    return row
  }

  var limit: Int { max(0, rows.lineCount - model.viewportHeight) }

  /// The index of the line that the model has at the top edge.
  var topLine: Int {
    guard let top = model.displayed,
      let row = rows.rows.firstIndex(where: { $0.id == top.rowID.rawValue })
    else { return 0 }
    return rows.start(ofRow: row) + top.line
  }

  /// The next frame: cells for the overscan, estimates, thumb.
  @discardableResult func frame() -> Range<Int> {
    let prepared = model.preparedRows(overscan: Self.overscan, in: rows)
    model.commitEstimates()
    return prepared
  }

  func moment() -> Moment {
    Moment(
      screen: rows.screen(model), topLine: topLine, top: model.top,
      thumb: model.thumb(track: Self.track), total: model.tree.totalFixed,
      isAtTop: model.isAtTop, isAtEnd: model.isAtEnd, isFollowing: model.isFollowing,
      isDragging: model.isDragging, newRowsAbove: model.newRowsAbove)
  }

  /// Enters what was measured into the ledger.
  func record() {
    for row in rows.measured {
      let content = rows.rows[row]
      let entry = Measurement(id: content.id, epoch: epoch, version: content.version)
      if !measurements.insert(entry).inserted { measuredTwice = content.id }
    }
  }

  /// One random operation. `last` is the moment after the operation before.
  func step(after last: Moment) -> Step {
    time += 1
    rows.forgetMeasurements()
    let operation = nextOperation()
    var step = Step(operation: operation, before: last, after: last)
    step.oldRows = rows.rows
    step.wanted = model.displayed
    perform(operation, &step)
    step.prepared = frame()
    step.measured = rows.measured
    record()
    step.after = moment()
    follow(step)
    return step
  }

  /// Keeps the record of the drag.
  private func follow(_ step: Step) {
    guard model.isDragging else {
      landings = []
      frozenTotal = nil
      return
    }
    switch step.operation {
    case .beginDrag:
      frozenTotal = model.drag?.content.total
      landings = []
    case .drag:
      landings.append((step.after.thumb.start, step.after.top))
    case .idle, .measureIdle, .endDrag, .wrongBatch, .askForPicture: break
    default: landings = []
    }
  }
}
