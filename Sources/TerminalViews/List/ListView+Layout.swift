import Geometry
import VirtualList

extension ListView {
  var environment: ListViewEnvironment { ListViewEnvironment(list: self) }

  /// Brings cells and model together for the next frame. Does nothing where nothing changed.
  /// - Parameter preparesSurroundings: false to leave rows that do not show, and what is to be learned from
  ///   those that do, to `prepareSurroundings(budget:)`, so that the frame waits for neither.
  /// - Complexity: O(visible and overscan rows), measuring those of them that need it
  public func layoutList(preparesSurroundings: Bool = true) {
    guard synchronize() else { return }
    layoutPasses = 0
    preparedSinceFrame.removeAll(keepingCapacity: true)
    refreshesSinceFrame = 0
    repeat {
      layoutPasses += 1
      bindCells(inSurroundings: preparesSurroundings)
    } while applyHeights(measureChangedCells()) && layoutPasses < 2
    // What the second pass changed may have brought other rows onto the screen.
    if layoutPasses == 2 { bindCells(inSurroundings: preparesSurroundings) }
    if !changedCells.isEmpty { onNeedsDisplay?() }
    updateDisplayed()
    if preparesSurroundings { model.commitEstimates() }
    scrollBar.thumb = model.thumb(track: frame.height)
  }

  /// Measures at most `budget` rows that do not show, for better estimates and readier pages: to be
  /// called while nothing else is to do. No line on the screen moves.
  ///
  /// A row is measured by a cell, which goes back to the pool at once, unless the delegate tells
  /// its height.
  /// - Returns: whether there is more to do.
  /// - Complexity: O(budget · log n) and the measurements
  @discardableResult public func measureIdleRows(budget: Int = 8) -> Bool {
    guard synchronize() else { return false }
    let before = model.measurementCount
    let hasMore = measuringAside { model.measureIdleRows(budget: budget, in: environment) }
    idleMeasurementCount += model.measurementCount - before
    commitEstimates()
    return hasMore
  }

  /// Shows what was learned of rows since the frame: nothing else would draw the bar anew.
  func commitEstimates() {
    model.commitEstimates()
    let thumb = model.thumb(track: frame.height)
    guard thumb != scrollBar.thumb else { return }
    scrollBar.thumb = thumb
    changed()
  }

  /// The model has the list's size and rows. False while the list has no size.
  @discardableResult
  func synchronize() -> Bool {
    let size = Size(width: max(1, frame.width - 1), height: frame.height)
    guard !frame.size.isEmpty else { return false }
    // As many cells as a screen and its surroundings can need at once are worth keeping.
    if pool.capacity != 2 * size.height { pool.capacity = 2 * size.height }
    // What waits may be cut to the old height.
    if model.viewportHeight != size.height || model.width != size.width { dropWaitingCells() }
    model.resize(width: size.width, viewportHeight: size.height, in: environment)
    if needsReload { reload() }
    if !estimatesHeights { measureAllRows() }
    return true
  }

  /// Gives every row that shows its cell. Where asked to, gives one to every row that nearly shows, too, and
  /// takes those of rows beyond; else these are taken when a row needs one, or after the frame.
  private func bindCells(inSurroundings preparesSurroundings: Bool) {
    hasCellsBeyond = true
    guard preparesSurroundings else {
      for row in visibleRows ?? 0..<0 { _ = cell(forRow: row) }
      return
    }
    let prepared = model.preparedRows(overscan: overscanLines, in: environment)
    releaseCellsBeyond()
    for row in prepared { _ = cell(forRow: row) }
    trimDeparted(toLines: 2 * model.viewportHeight)
  }

  @discardableResult
  func applyHeights(_ heights: [(row: Int, height: Int)]) -> Bool {
    guard !heights.isEmpty else { return false }
    let old = heights.map { model.tree.measuredHeight(ofRow: $0.row) ?? $0.height }
    model.setHeights(heights, in: environment)
    let top = model.top
    for (change, old) in zip(heights, old) {
      onResize?(
        RowResize(
          row: change.row, from: old, to: change.height, anchorRow: top.row, anchorLine: top.line))
    }
    return true
  }
}
