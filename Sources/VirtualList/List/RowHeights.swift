/// The heights of a list's rows, measured or estimated. Its rules:
///
/// 1. A row is measured once per width and content; the tree remembers.
/// 2. The environment may read the heights while it is called, but not change them.
final class RowHeights {
  private(set) var tree: HeightTree
  /// The number of measurements so far.
  private(set) var measurementCount = 0
  /// The height of all rows in lines, if they have the same; `nil` if each has its own.
  private(set) var uniformHeight: Int?
  /// The estimates for rows of different heights, kept while all rows have one height; `nil`
  /// otherwise.
  private var learned: HeightEstimates?

  init(width: Int, estimatedRowHeight: Int) {
    tree = HeightTree(
      runs: [], width: width,
      estimates: HeightEstimates(estimatedRowHeight: estimatedRowHeight))
  }

  /// The number of rows.
  var count: Int { tree.count }

  // MARK: - Heights

  var estimatedRowHeight: Int {
    get { (learned ?? tree.estimates).estimatedRowHeight }
    set {
      if learned == nil {
        tree.setEstimatedRowHeight(newValue)
      } else {
        learned?.estimatedRowHeight = newValue
      }
    }
  }

  /// The height of a row if it is measured at the present width. - Complexity: O(log n)
  func known(_ row: Int) -> Int? { tree.measuredHeight(ofRow: row) }

  /// Whether all of some rows are known to have no height.
  func areEmpty(_ rows: some Sequence<Int>) -> Bool { rows.allSatisfy { known($0) == 0 } }

  /// The height of a row, measured if needed. - Complexity: O(log n) and a measurement
  @discardableResult
  func measured(_ row: Int, in environment: some ListEnvironment) -> Int {
    if let height = known(row) { return height }
    let kind = environment.kind(of: row) ?? 0
    let height = max(0, environment.measure(row: row))
    tree.setHeight(height, ofRow: row, kind: kind) { environment.textLength(ofRows: $0) }
    measurementCount += 1
    return height
  }

  func set(_ height: Int, ofRow row: Int, in environment: some ListEnvironment) {
    tree.setHeight(height, ofRow: row, kind: environment.kind(of: row) ?? 0)
  }

  /// Marks the row to be measured again.
  func invalidate(_ row: Int) { tree.invalidate(row: row) }

  /// Makes every height an estimate. - Complexity: O(1)
  func setWidth(_ width: Int) {
    guard uniformHeight != nil else { return tree.setWidth(width) }
    // Heights do not depend on the width, so that none may become stale.
    tree = HeightTree(
      runs: [RowRun(kind: 0, count: count)], width: width, estimates: tree.estimates)
  }

  /// Drops all heights, because the rows show something else.
  ///
  /// - Parameters:
  ///   - uniform: the height of all rows in lines from now on; `nil` if each has its own.
  ///   - runs: the rows in runs of kinds; `nil` if the environment may not be asked about them.
  func reset(
    uniform: Int?, runs: [(kind: Int, count: Int)]?, in environment: some ListEnvironment
  ) {
    let estimates = learned ?? tree.estimates
    uniformHeight = uniform
    learned = uniform == nil ? nil : estimates
    let next = uniform.map { HeightEstimates(exactRowHeight: $0) } ?? estimates
    let known = runs.map { self.runs($0, from: 0, in: environment) }
    tree = HeightTree(
      runs: known ?? [RowRun(kind: 0, count: count)], width: tree.width, estimates: next)
  }

  // MARK: - Guesses

  /// While true, no estimate changes.
  var isFrozen = false {
    didSet { tree.freezeEstimates(isFrozen) }
  }

  /// Whether `commitEstimates()` would change an estimate.
  var hasNews: Bool { uniformHeight == nil && tree.estimates.hasNews }

  /// Lets the next commit continue if the last one stopped short.
  func refreshEstimates() { tree.refreshEstimates() }

  /// Moves the estimates in use towards those learned.
  /// - Complexity: O(kinds)
  func commitEstimates() { tree.commitEstimates() }

  // MARK: - Offsets

  /// The fixed-point lines above a position, estimated for rows that are not measured.
  func offset(of position: ScrollPosition) -> Int64 {
    tree.offset(ofRow: position.row) + HeightTree.fixed(position.line)
  }

  /// The position at an offset in fixed-point lines, estimated likewise.
  func position(atOffset offset: Int64) -> ScrollPosition? {
    guard let (row, remainder) = tree.row(atOffset: offset) else { return nil }
    return ScrollPosition(row: row, line: Int(remainder >> HeightEstimates.fractionBits))
  }

  // MARK: - Lines, measured on the way

  /// The position `lines` lines above `start`, or the first line.
  func position(
    _ lines: Int, linesAbove start: ScrollPosition, in environment: some ListEnvironment
  ) -> ScrollPosition {
    var (row, line) = (start.row, start.line - lines)
    while line < 0, row > 0 {
      row -= 1
      line += measured(row, in: environment)
    }
    return ScrollPosition(row: row, line: max(0, line))
  }

  /// The position `lines` lines below `start`; at the end its line may be past the last row.
  func position(
    _ lines: Int, linesBelow start: ScrollPosition, in environment: some ListEnvironment
  ) -> ScrollPosition {
    var target = ScrollPosition(row: start.row, line: start.line + lines)
    while target.row < count - 1 {
      let height = measured(target.row, in: environment)
      guard target.line >= height else { break }
      target.line -= height
      target.row += 1
    }
    return target
  }

  /// The position with its line clamped to its row.
  func clamped(
    _ position: ScrollPosition, in environment: some ListEnvironment
  ) -> ScrollPosition {
    let height = measured(position.row, in: environment)
    return ScrollPosition(row: position.row, line: min(position.line, max(0, height - 1)))
  }

  /// Lines from `start` to `end`, negative upward. - Complexity: O(rows between · log n)
  func distance(
    from start: ScrollPosition, to end: ScrollPosition, in environment: some ListEnvironment
  ) -> Int {
    guard end >= start else { return -distance(from: end, to: start, in: environment) }
    return (start.row..<end.row).reduce(end.line - start.line) {
      $0 + measured($1, in: environment)
    }
  }

  // MARK: - Rows

  /// Replaces all rows; heights are dropped, the estimates stay.
  func reload(runs: [(kind: Int, count: Int)], in environment: some ListEnvironment) {
    let known = self.runs(runs, from: 0, in: environment)
    tree = HeightTree(runs: known, width: tree.width, estimates: tree.estimates)
  }

  /// - Complexity: O(k² + k log² n) for k ranges and rows named
  func apply(
    _ updates: BatchUpdates, _ mapping: RowMapping, in environment: some ListEnvironment
  ) {
    for row in updates.reloads { tree.invalidate(row: row) }
    // Moved rows keep their heights.
    var moved: [Int: HeightTree.DetachedRows] = [:]
    for move in updates.moves.sorted(by: { $0.from > $1.from }) {
      // From the last on, so that the rows before `from` are all still in place.
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
        // Steps over the few moves, not over the rows, which may be millions.
        let end = destinations.first { $0 > row && $0 < range.upperBound } ?? range.upperBound
        insert(row..<end, in: environment)
        row = end
      }
    }
  }

  private func insert(_ rows: Range<Int>, in environment: some ListEnvironment) {
    var row = rows.lowerBound
    for run in runs(environment.kindRuns(of: rows), from: row, in: environment) {
      tree.insert(count: run.count, kind: run.kind, textLength: run.textLength, at: row)
      row += run.count
    }
  }

  /// Runs of rows of these kinds from `first` on, with their text.
  private func runs(
    _ kinds: [(kind: Int, count: Int)], from first: Int, in environment: some ListEnvironment
  ) -> [RowRun] {
    var first = first
    return kinds.filter { $0.count > 0 }.flatMap { run in
      defer { first += run.count }
      return runs(first..<first + run.count, kind: run.kind, in: environment)
    }
  }

  /// Splits rows of one kind into runs, so that the tree learns where text is dense; one run if
  /// their text is unknown.
  private func runs(
    _ rows: Range<Int>, kind: Int, in environment: some ListEnvironment
  ) -> [RowRun] {
    let whole = RowRun(
      kind: kind, count: rows.count, textLength: environment.textLength(ofRows: rows))
    let size = max(Self.textRun, rows.count / Self.textRun)
    guard whole.textLength != nil, rows.count > size else { return [whole] }
    return stride(from: rows.lowerBound, to: rows.upperBound, by: size).map { start in
      let part = start..<min(start + size, rows.upperBound)
      return RowRun(
        kind: kind, count: part.count, textLength: environment.textLength(ofRows: part))
    }
  }

  /// The minimum rows of a run whose text is known, and roughly the maximum runs of a range.
  private static let textRun = 256
}
