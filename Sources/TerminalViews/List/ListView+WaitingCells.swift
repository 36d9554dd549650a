import VirtualList

/// Cells that wait for their rows: for the first time (`ListView+Prefetching`) or to come back
/// (`ListView+Departures`). They are nobody's meanwhile, and go where their rows go.
extension ListView {
  /// The cell that waits for a row, no longer waiting.
  func takeWaitingCell(_ row: Int) -> LiveCell? { waitingCells.removeValue(forKey: row) }

  /// Gives back all cells that wait.
  func dropWaitingCells() {
    for row in waitingCells.keys.sorted() { dropWaitingCell(row) }
  }

  /// Cells that wait go where their rows went.
  func moveWaitingCells(by mapping: RowMapping) {
    for row in waitingCells.keys.sorted() where mapping.newRow(forOld: row) == nil {
      dropWaitingCell(row)
    }
    let old = waitingCells
    waitingCells = [:]
    for (row, entry) in old {
      guard let new = mapping.newRow(forOld: row) else { continue }
      waitingCells[new] = entry
    }
  }

  /// Gives back the cell that waits for a row, if one does.
  func dropWaitingCell(_ row: Int) {
    if let cell = waitingCells.removeValue(forKey: row)?.cell { recycle(cell) }
  }
}
