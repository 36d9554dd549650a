import VirtualList

/// Cells made ready before they are needed, while nobody waits. Their rules:
///
/// 1. First rows within `overscan` of showing get theirs: those are the rows' cells, as after a frame that
///    prepares its surroundings itself.
/// 2. Then come the rows beyond those in the direction of the last move, as far as a page reaches.
///    Their cells are bound, laid out and drawn, but wait (`ListView+WaitingCells`): they have no index
///    path and the delegate does not hear of them. Those of rows that are reloaded, deleted or no longer
///    on the reader's way go back to the pool.
/// 3. A row that is asked for its cell gets the one that waits for it, laid out anew where its content or
///    the width have changed meanwhile.
/// 4. What has arrived meanwhile for a cell that does not show is laid out and drawn here, too;
///    `onNeedsPreparation` says that there is such a cell.
/// 5. Where a row turns out to have another height than was known, the next frame comes first; no row is
///    made ready twice between two frames, and no more than `refreshLimit` times is one brought up to
///    date: so there is an end, whatever cells say.
extension ListView {
  private static let refreshLimit = 100

  /// Gives rows around the screen their cells, and draws them, so that they are ready when they come onto
  /// the screen: to be called after a frame that `layoutList` was told to leave them out of. No line on
  /// the screen moves.
  ///
  /// - Parameter budget: rows at most.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(rows · log n), and binding and drawing `budget` of them
  @discardableResult public func prepareSurroundings(budget: Int = 1) -> Bool {
    guard synchronize() else { return false }
    releaseCellsBeyond()
    defer { trimDeparted(toLines: 2 * model.viewportHeight) }
    guard !isDraggingScrollBar else { return false }
    for _ in 0..<budget {
      if settlesOutOfSight() { continue }
      guard changedCells.isEmpty else { break }
      let around = model.surroundings(overscan: overscanLines)
      if let row = unpreparedRow(in: around) {
        preparedSinceFrame.insert(row)
        guard let entry = cell(forRow: row) else { return false }
        model.measuredHeight(ofRow: row, in: environment)
        entry.cell.renderBackingIfNeeded(width: entry.width, height: entry.height)
      } else if let row = outdatedRow {
        refresh(row)
      } else if let row = unfetchedRow(beyond: around.rows) {
        guard prefetch(row) else { return false }
      } else {
        break
      }
    }
    model.updateEnds()
    guard changedCells.isEmpty else {
      onNeedsDisplay?()
      return false
    }
    let around = model.surroundings(overscan: overscanLines)
    let hasMore =
      unpreparedRow(in: around) != nil || outdatedRow != nil
      || unfetchedRow(beyond: around.rows) != nil
    // Not in a frame: now and then it takes as long as a screen of rows.
    if !hasMore { commitEstimates() }
    return hasMore
  }

  /// The nearest row below the screen that has no cell, or else the nearest one above it.
  private func unpreparedRow(in around: ListModel.Surroundings) -> Int? {
    guard let visible = visibleRows else { return nil }
    func isUnprepared(_ row: Int) -> Bool {
      live[row] == nil && !preparedSinceFrame.contains(row)
    }
    return (visible.upperBound..<around.rows.upperBound).first(where: isUnprepared)
      ?? around.unmeasuredBelow
      ?? (around.rows.lowerBound..<visible.lowerBound).last(where: isUnprepared)
      ?? around.unmeasuredAbove
  }

  /// A row out of sight whose cell no longer shows what it would.
  private var outdatedRow: Int? {
    guard refreshesSinceFrame < Self.refreshLimit else { return nil }
    let visible = visibleRows ?? 0..<0
    return live.first { !visible.contains($0.key) && $0.value.cell.isOutdated }?.key
      ?? waitingCells.first { $0.value.cell.isOutdated }?.key
  }

  /// Lays out and measures the cells that asked for it, where none of them shows.
  ///
  /// - Returns: whether there were any.
  private func settlesOutOfSight() -> Bool {
    let visible = visibleRows ?? 0..<0
    guard !changedCells.isEmpty, refreshesSinceFrame < Self.refreshLimit,
      changedCells.keys.allSatisfy({ rows[$0].map { !visible.contains($0) } ?? true })
    else { return false }
    refreshesSinceFrame += 1
    applyOutOfSight(measureChangedCells())
    return true
  }

  /// Other heights move nothing that shows, but where the list's end does.
  private func applyOutOfSight(_ heights: [(row: Int, height: Int)]) {
    let before = model.visible
    applyHeights(heights)
    if model.visible != before { changed() }
  }

  private func refresh(_ row: Int) {
    refreshesSinceFrame += 1
    if let entry = live[row] {
      entry.cell.renderBackingIfNeeded(width: entry.width, height: entry.height)
    } else if let old = waitingCells[row] {
      var entry = laidOut(old.cell, row: row)
      (entry.hiddenAt, entry.hasLeft) = (old.hiddenAt, old.hasLeft)
      waitingCells[row] = entry
      entry.cell.renderBackingIfNeeded(width: entry.width, height: entry.height)
      if let known = model.tree.measuredHeight(ofRow: row), known != entry.height {
        applyOutOfSight([(row, entry.height)])
      }
    }
  }

  /// The first row of the next page that no cell waits for; gives back cells that wait for others.
  private func unfetchedRow(beyond rows: Range<Int>) -> Int? {
    guard !rows.isEmpty else { return nil }
    let step = movesUp ? -1 : 1
    var row = movesUp ? rows.lowerBound - 1 : rows.upperBound
    let start = row
    var room = model.viewportHeight - overscanLines
    var missing: Int?
    while room > 0, row >= 0, row < model.count, abs(row - start) < model.viewportHeight {
      // What is live in spite of being far away is pinned.
      if waitingCells[row] == nil, live[row] == nil, !preparedSinceFrame.contains(row) {
        missing = row
        break
      }
      room -= model.tree.measuredHeight(ofRow: row) ?? 1
      row += step
    }
    let wanted = movesUp ? row..<start + 1 : start..<max(start, row + 1)
    for (row, entry) in waitingCells where !entry.hasLeft && !wanted.contains(row) {
      dropWaitingCell(row)
    }
    return missing
  }

  private func prefetch(_ row: Int) -> Bool {
    guard let dataSource else { return false }
    preparedSinceFrame.insert(row)
    let cell = dataSource.listView(self, cellForRowAt: IndexPath(row: row))
    let entry = laidOut(cell, row: row)
    waitingCells[row] = entry
    cell.owner = self
    let before = model.measurementCount
    model.measuredHeight(ofRow: row, in: environment)
    idleMeasurementCount += model.measurementCount - before
    entry.cell.renderBackingIfNeeded(width: entry.width, height: entry.height)
    return true
  }
}
