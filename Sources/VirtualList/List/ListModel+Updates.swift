extension ListModel {
  /// Takes the rows anew: `count` of them, or runs of kinds. What is known of heights goes, the
  /// estimates and the reader's place stay; the row at the top edge is found again by its identity,
  /// else its index counts.
  /// - Complexity: O(runs + rows searched for the identity + visible rows · log n)
  public func reload(runs: [(kind: Int, count: Int)], in environment: some ListEnvironment) {
    let newCount = runs.reduce(0) { $0 + max(0, $1.count) }
    endDrag()
    settle()
    var first = 0
    let known = runs.filter { $0.count > 0 }.flatMap { run in
      defer { first += run.count }
      return self.runs(first..<first + run.count, kind: run.kind, in: environment)
    }
    tree = HeightTree(runs: known, width: tree.width, estimates: tree.estimates)
    // Rows measured from here on may bring somebody to ask what shows: none of these rows does yet.
    visible = []
    if var anchor, newCount > 0 {
      if let row = environment.row(of: anchor.rowID, near: anchor.row, count: newCount) {
        anchor.row = row
      } else {
        anchor = start(ofRow: min(anchor.row, newCount - 1), in: environment)
      }
      self.anchor = anchor
    } else {
      anchor = nil
    }
    anchorNeedsLine = anchor != nil
    newRowsAbove = 0
    idle = IdleProgress()
    scrollBar.forget()
    layout(in: environment)
  }

  /// Applies a batch and says where the rows went. `newCount` is what the data source has now.
  ///
  /// The reader's place is kept, at the very top too, where rows that come before it are counted in
  /// `newRowsAbove`. If its row is deleted the next survivor takes its line; if it is moved the
  /// view goes with it.
  /// - Throws: `ListUpdateError`; the list is then unchanged.
  /// - Complexity: O(k log n) for k ranges and rows named, and measurements of what shows
  @discardableResult
  public func apply(
    _ updates: BatchUpdates, newCount: Int, in environment: some ListEnvironment
  ) throws(ListUpdateError) -> RowMapping {
    let mapping = try updates.mapping(from: count, to: newCount)
    let isAppending = updates.onlyAppends(to: count)
    try checkIdentities(of: updates.insertions, in: environment)
    // A drag goes on: rows may come while the reader looks for a place.
    drag?.forgetLandings()
    settle()
    edit(updates, mapping, in: environment)
    visible = []
    if let old = anchor, newCount > 0 {
      if let row = mapping.newRow(forOld: old.row) {
        anchor?.row = row
        anchor?.rowID = environment.rowID(at: row)
        anchorNeedsLine = updates.reloads.contains(old.row)
        if row >= mapping.prependedCount { newRowsAbove += mapping.prependedCount }
      } else {
        anchor = start(ofRow: mapping.survivor(ofOld: old.row) ?? 0, in: environment)
      }
    } else {
      anchor = nil
    }
    // Rows that come behind the last are no reason for the thumb to go back.
    if !isAppending { scrollBar.forget() }
    layout(in: environment)
    return mapping
  }

  /// The heights of rows have changed without any other change, as when a picture's size is known.
  /// Rows outside the list are ignored: they are late.
  /// - Complexity: O((k + visible rows) · log n)
  public func setHeights(
    _ heights: [(row: Int, height: Int)], in environment: some ListEnvironment
  ) {
    settle()
    for (row, height) in heights where row >= 0 && row < count {
      tree.setHeight(height, ofRow: row, kind: environment.kind(of: row))
      if row == anchor?.row { anchorNeedsLine = true }
    }
    layout(in: environment)
  }

  /// A row's content has changed: it is measured again when it shows, and keeps its place till
  /// then. Rows outside the list are ignored.
  public func invalidate(row: Int, in environment: some ListEnvironment) {
    guard row >= 0, row < count else { return }
    settle()
    tree.invalidate(row: row)
    if row == anchor?.row { anchorNeedsLine = true }
    layout(in: environment)
  }

  private func edit(
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
  }

  private func insert(_ rows: Range<Int>, in environment: some ListEnvironment) {
    // So many rows are asked for their kind at once; of more, the kind is learned when they show.
    guard rows.count <= Self.checkedRows else {
      insert(rows, kind: 0, in: environment)
      return
    }
    var start = rows.lowerBound
    while start < rows.upperBound {
      let kind = environment.kind(of: start)
      var end = start + 1
      while end < rows.upperBound, environment.kind(of: end) == kind { end += 1 }
      insert(start..<end, kind: kind, in: environment)
      start = end
    }
  }

  private func insert(_ rows: Range<Int>, kind: Int, in environment: some ListEnvironment) {
    var row = rows.lowerBound
    for run in runs(rows, kind: kind, in: environment) {
      tree.insert(count: run.count, kind: kind, textLength: run.textLength, at: row)
      row += run.count
    }
  }

  /// Rows of one kind in parts, so that the tree learns where text is dense; whole where their text
  /// is not known.
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

  /// Rows whose text is asked for at once, at least, and about how many times at most.
  private static let textRun = 256

  /// Rows whose identities and kinds are looked at when they come, at most.
  public static let checkedRows = 4096

  /// Looks for two rows of one identity among new rows, where they are at most `checkedRows`.
  /// - Throws: `ListUpdateError.duplicateID`.
  /// - Complexity: O(rows)
  public func checkIdentities(
    of ranges: [Range<Int>], in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard ranges.reduce(0, { $0 + $1.count }) <= Self.checkedRows else { return }
    var rows: [RowID: Int] = [:]
    for range in ranges {
      for row in range {
        let id = environment.rowID(at: row)
        if let first = rows.updateValue(row, forKey: id) {
          throw .duplicateID(id, first: first, second: row)
        }
      }
    }
  }
}
