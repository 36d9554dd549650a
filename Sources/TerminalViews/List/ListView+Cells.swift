import VirtualList

extension ListView {
  /// A cell with its row.
  struct LiveCell {
    let cell: ListViewCell
    /// The height it is laid out with, at `width`.
    var height: Int
    var width: Int
    var isDisplayed = false
    /// When its row was last on the screen, counted in rows that left it; 0 for one that never was.
    var hiddenAt = 0
    /// The row had the cell, and went.
    var hasLeft = false
  }

  /// The cell of a row, bound and laid out for the present width.
  func cell(forRow row: Int) -> LiveCell? {
    if let entry = live[row] {
      return entry.width == model.width ? entry : layOut(entry.cell, row: row, old: entry)
    }
    guard let dataSource else { return nil }
    releaseCells(farFrom: row)
    let waiting = takeWaitingCell(row)
    if waiting == nil { releaseCellsBeyond() }
    let cell = waiting?.cell ?? dataSource.listView(self, cellForRowAt: IndexPath(row: row))
    precondition(rows[ObjectIdentifier(cell)] == nil, "a cell was given a second row")
    cell.isSelected = selection?.row == row
    rows[ObjectIdentifier(cell)] = row
    cell.owner = self
    let entry: LiveCell
    if let waiting, waiting.width == model.width, !cell.needsLayout {
      entry = LiveCell(
        cell: cell, height: waiting.height, width: waiting.width, hiddenAt: waiting.hiddenAt)
      live[row] = entry
    } else {
      entry = layOut(cell, row: row, old: nil)
    }
    if let known = model.tree.measuredHeight(ofRow: row), known != entry.height {
      // Its content is not what it was when it was measured; rule 3.
      changedCells[ObjectIdentifier(cell)] = cell
    }
    return entry
  }

  private func layOut(_ cell: ListViewCell, row: Int, old: LiveCell?) -> LiveCell {
    var entry = laidOut(cell, row: row)
    entry.isDisplayed = old?.isDisplayed ?? false
    entry.hiddenAt = old?.hiddenAt ?? 0
    live[row] = entry
    return entry
  }

  /// The cell at the present width, with the height it has for `row`.
  func laidOut(_ cell: ListViewCell, row: Int) -> LiveCell {
    let height =
      delegate?.listView(self, heightForRowAt: IndexPath(row: row))
      ?? cell.heightThatFits(width: model.width)
    // At once, since a cell that awaits layout does not say that it needs another one.
    cell.layout(width: model.width, height: max(0, height))
    return LiveCell(cell: cell, height: max(0, height), width: model.width)
  }

  /// Measures a row that is asked for by the model.
  func measure(row: Int) -> Int {
    if let waiting = waitingCells[row], waiting.width == model.width, !waiting.cell.needsLayout {
      return waiting.height
    }
    guard measuresAside, live[row] == nil else { return cell(forRow: row)?.height ?? 0 }
    let height = cell(forRow: row)?.height ?? 0
    if !pinned.contains(row) { releaseCell(ofRow: row) }
    return height
  }

  /// Does something during which rows are measured that need not show: their cells go back to the
  /// pool at once, and what shows keeps its own.
  func measuringAside<Result>(_ body: () -> Result) -> Result {
    let before = measuresAside
    measuresAside = true
    defer { measuresAside = before }
    return body()
  }

  /// Gives back cells of the rows farthest from `row`, before it takes one: however many rows are
  /// passed in one frame, they share the cells of a screen.
  ///
  /// The rows of a frame and its surroundings take no more lines than those, but for the first and the
  /// last one, which may reach beyond: so while rows between the first and the last have more, some
  /// are of another frame.
  /// - Complexity: O(cells) for each cell given back
  private func releaseCells(farFrom row: Int) {
    guard !measuresAside else { return }
    let room = model.viewportHeight + 2 * overscanLines
    while let (low, high, lines) = unpinned {
      var between = lines
      if low < row, let first = live[low] { between -= first.height }
      if high > row, let last = live[high] { between -= last.height }
      // Rows without height count, too.
      guard between >= room || live.count - pinned.count > room else { return }
      retireCell(ofRow: row - low > high - row ? low : high)
    }
  }

  /// The first and the last row with a cell that is not pinned, and the lines of all such rows.
  private var unpinned: (low: Int, high: Int, lines: Int)? {
    var (low, high, lines) = (Int.max, -1, 0)
    for (row, entry) in live where pinned.isEmpty || !pinned.contains(row) {
      low = min(low, row)
      high = max(high, row)
      lines += entry.height
    }
    return high < 0 ? nil : (low, high, lines)
  }

  /// Measures the cells that said their layout changed.
  func measureChangedCells() -> [(row: Int, height: Int)] {
    let cells = changedCells.values
    changedCells = [:]
    var heights: [(row: Int, height: Int)] = []
    for cell in cells {
      guard let row = rows[ObjectIdentifier(cell)] else { continue }
      let entry = layOut(cell, row: row, old: live[row])
      guard let known = model.tree.measuredHeight(ofRow: row), known != entry.height else {
        continue
      }
      heights.append((row, entry.height))
    }
    return heights.sorted { $0.row < $1.row }
  }

  /// Gives back the cells of rows that are neither pinned nor within `overscan` of showing, if the last
  /// frame left any.
  func releaseCellsBeyond() {
    guard hasCellsBeyond else { return }
    hasCellsBeyond = false
    let kept = model.surroundings(overscan: overscanLines).rows
    let free = live.keys.filter { !kept.contains($0) && !pinned.contains($0) }
    for row in free.sorted() { retireCell(ofRow: row) }
  }

  /// Takes a row's cell away and gives it back to the pool.
  func releaseCell(ofRow row: Int) {
    if let cell = unlinkCell(ofRow: row)?.cell { recycle(cell) }
  }

  /// The cell of a row, which it no longer has.
  func unlinkCell(ofRow row: Int) -> LiveCell? {
    guard let entry = live.removeValue(forKey: row) else { return nil }
    let cell = entry.cell
    rows[ObjectIdentifier(cell)] = nil
    changedCells[ObjectIdentifier(cell)] = nil
    if entry.isDisplayed {
      delegate?.listView(self, didEndDisplaying: cell, forRowAt: IndexPath(row: row))
    }
    cell.isSelected = false
    return entry
  }

  func recycle(_ cell: ListViewCell) {
    cell.owner = nil
    cell.prepareForReuse()
    pool.put(cell, cell.reuseIdentifier)
  }

  /// Tells the delegate which cells came onto the screen and which left it.
  func updateDisplayed() {
    let shown = visibleRows ?? 0..<0
    for row in live.keys.sorted() {
      guard var entry = live[row], entry.isDisplayed != shown.contains(row) else { continue }
      if entry.isDisplayed {
        noteHidden(&entry)
        live[row] = entry
        delegate?.listView(self, didEndDisplaying: entry.cell, forRowAt: IndexPath(row: row))
      } else {
        live[row]?.isDisplayed = true
        delegate?.listView(self, willDisplay: entry.cell, forRowAt: IndexPath(row: row))
      }
    }
  }

  /// Lines beyond either edge for which cells are ready.
  var overscanLines: Int {
    let half = model.viewportHeight / 2
    return min(half, max(0, overscan ?? half))
  }
}

/// What cells tell the list they are in.
extension ListView {
  /// The cell's content changed so that its height may have.
  func cellNeedsLayout(_ cell: ListViewCell) {
    guard rows[ObjectIdentifier(cell)] != nil else {
      onNeedsPreparation?()
      return
    }
    changedCells[ObjectIdentifier(cell)] = cell
    changed()
  }

  /// The cell must be drawn again.
  func cellNeedsDisplay(_ cell: ListViewCell) {
    if let row = rows[ObjectIdentifier(cell)], visibleRows?.contains(row) == true {
      changed()
    } else {
      onNeedsPreparation?()
    }
  }

  /// A cell's height may have changed though nothing in it said so.
  public func noteHeightChanged(of cell: ListViewCell) { cellNeedsLayout(cell) }
}

/// What the model asks, answered by cells and the data source.
struct ListViewEnvironment: @MainActor ListEnvironment {
  let list: ListView

  @MainActor func rowID(at row: Int) -> RowID {
    list.dataSource?.listView(list, rowIDForRowAt: IndexPath(row: row)) ?? RowID(UInt64(row))
  }

  @MainActor func kind(of row: Int) -> Int {
    let kind = list.dataSource?.listView(list, kindForRowAt: IndexPath(row: row)) ?? 0
    return (0..<HeightEstimates.kindCount).contains(kind) ? kind : 0
  }

  @MainActor func textLength(ofRows rows: Range<Int>) -> Int? {
    list.dataSource?.listView(list, textLengthOfRows: rows)
  }

  @MainActor func measure(row: Int) -> Int { list.measure(row: row) }

  @MainActor func place(atLine line: Int, inRow row: Int) -> Place {
    list.cell(forRow: row)?.cell.place(atLine: line) ?? Place(part: 0, offset: 0)
  }

  @MainActor func line(of place: Place, inRow row: Int) -> Int {
    list.cell(forRow: row)?.cell.line(of: place) ?? 0
  }

  @MainActor func row(of id: RowID, near row: Int, count: Int) -> Int? {
    if let found = list.dataSource?.listView(list, rowFor: id) { return found }
    return search(for: id, near: row, count: count)
  }
}
