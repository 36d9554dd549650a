/// What is known of the heights of a list's rows: what was measured, and guesses for the rest. Its rules:
///
/// 1. A row is measured once per width and content; the tree remembers.
/// 2. The environment may look at the heights while it is asked, but not change them.
final class RowHeights {
  private(set) var tree: HeightTree
  /// Rows measured so far.
  private(set) var measurementCount = 0
  private var regions = HeightRegions()

  init(width: Int, estimatedRowHeight: Int) {
    tree = HeightTree(
      width: width, estimates: HeightEstimates(estimatedRowHeight: estimatedRowHeight))
  }

  // MARK: - Heights

  var estimatedRowHeight: Int {
    get { tree.estimates.estimatedRowHeight }
    set { tree.estimates.estimatedRowHeight = newValue }
  }

  /// The height of a row, measured if need be. - Complexity: O(log n) and a measurement
  @discardableResult
  func measured(_ row: Int, in environment: some ListEnvironment) -> Int {
    if let height = tree.measuredHeight(ofRow: row) { return height }
    let kind = environment.kind(of: row)
    let height = max(0, environment.measure(row: row))
    let lesson = tree.measure(height, row: row, kind: kind) { environment.textLength(ofRows: $0) }
    if let lesson { regions.learn(height: height, lesson, row: row) }
    measurementCount += 1
    return height
  }

  func set(_ height: Int, ofRow row: Int, in environment: some ListEnvironment) {
    tree.setHeight(height, ofRow: row, kind: environment.kind(of: row))
  }

  /// The row is to be measured again.
  func invalidate(_ row: Int) { tree.invalidate(row: row) }

  /// Every height becomes an estimate. - Complexity: O(1)
  func setWidth(_ width: Int) {
    regions.rescale(from: tree.width, to: width)
    tree.setWidth(width)
  }

  // MARK: - Guesses

  /// While true, no guess changes.
  var isFrozen = false {
    didSet {
      tree.estimates.isFrozen = isFrozen
      regions.isFrozen = isFrozen
    }
  }

  /// True where `commitEstimates()` would change something.
  var hasNews: Bool { tree.estimates.hasNews || regions.hasNews }

  /// Lets estimates go on where they stopped short.
  func renewEstimates() {
    tree.estimates.renew()
    regions.renew()
  }

  /// Estimates take over part of what was learned.
  /// - Complexity: O(kinds); now and then, more rarely the more is known, O(log n)
  func commitEstimates() {
    tree.estimates.commit()
    regions.update(from: tree)
  }

  // MARK: - Offsets

  /// Fixed-point lines of all rows.
  var total: Int64 { regions.total ?? tree.totalFixed }

  /// Fixed-point lines above a position, as far as known, by regions where there are any.
  func offset(of position: ScrollPosition) -> Int64 {
    let offset = tree.offset(ofRow: position.row) + HeightTree.fixed(position.line)
    return regions.offset(of: offset, row: position.row, in: tree) ?? offset
  }

  /// The line at so many fixed-point lines, as far as known.
  func position(atOffset offset: Int64) -> ScrollPosition? {
    let offset = regions.treeOffset(of: offset, in: tree) ?? offset
    guard let (row, remainder) = tree.row(atOffset: offset) else { return nil }
    return ScrollPosition(row: row, line: Int(remainder >> HeightEstimates.fractionBits))
  }

  // MARK: - Rows

  /// There are other rows; what is known of heights goes, the estimates stay.
  func reload(runs: [(kind: Int, count: Int)], in environment: some ListEnvironment) {
    var first = 0
    let known = runs.filter { $0.count > 0 }.map { run in
      defer { first += run.count }
      return RowRun(
        kind: run.kind, count: run.count,
        textLength: environment.textLength(ofRows: first..<first + run.count))
    }
    tree = HeightTree(runs: known, width: tree.width, estimates: tree.estimates)
  }

  /// Forgets which parts of the list have higher rows than others.
  func forgetRegions(in environment: some ListEnvironment) {
    regions.reset(count: tree.count)
    regions.ask { environment.textLength(ofRows: $0) }
  }

  /// - Complexity: O(k log n) for k ranges and rows named
  func apply(
    _ updates: BatchUpdates, _ mapping: RowMapping, in environment: some ListEnvironment
  ) {
    for row in updates.reloads { tree.invalidate(row: row) }
    // Moved rows keep what is known of them.
    var moved: [Int: HeightTree.DetachedRows] = [:]
    for move in updates.moves.sorted(by: { $0.from > $1.from }) {
      // Rows after it may be out already; nothing before it is.
      moved[move.to] = tree.detach(move.from..<move.from + 1)
    }
    let sources = updates.moves.map(\.from).sorted()
    let destinations = updates.moves.map(\.to).sorted()
    for range in updates.deletions.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      let before = sources.prefix { $0 < range.lowerBound }.count
      tree.remove(range.lowerBound - before..<range.upperBound - before)
    }
    for range in mapping.added {
      var row = range.lowerBound
      while row < range.upperBound {
        if let rows = moved[row] {
          tree.attach(rows, at: row)
          row += 1
          continue
        }
        // By the moves, of which there are few, and not by the rows, which may be millions.
        let end = destinations.first { $0 > row && $0 < range.upperBound } ?? range.upperBound
        insert(row..<end, in: environment)
        row = end
      }
    }
    regions.resize(to: tree.count, shift: mapping.shiftedCount)
    regions.ask { environment.textLength(ofRows: $0) }
  }

  private func insert(_ rows: Range<Int>, in environment: some ListEnvironment) {
    // So many rows are asked for their kind at once; of more, the kind is learned when they show.
    guard rows.count <= ListModel.checkedRows else {
      tree.insert(
        count: rows.count, textLength: environment.textLength(ofRows: rows), at: rows.lowerBound)
      return
    }
    var start = rows.lowerBound
    while start < rows.upperBound {
      let kind = environment.kind(of: start)
      var end = start + 1
      while end < rows.upperBound, environment.kind(of: end) == kind { end += 1 }
      tree.insert(
        count: end - start, kind: kind,
        textLength: environment.textLength(ofRows: start..<end), at: start)
      start = end
    }
  }
}
