/// Cells of rows that have left the screen and its surroundings. They keep what they show for a while, since
/// readers go back: `g` after `G`, a page up after a page down, the end of a jump. Their rules:
///
/// 1. They wait (`ListView+WaitingCells`): they have no index path, and the delegate has been told that
///    they no longer show.
/// 2. Only a cell that says so (`ListViewCell.canWait`) and is laid out for the present width is kept. Others
///    go back to the pool at once, where they cancel what they had asked for.
/// 3. Two screens of lines are kept after a frame, and twice that within one, or as many rows. Those that
///    were on the screen longest ago go first.
extension ListView {
  /// Takes a row's cell away. It waits for the row to come back, where it can.
  func retireCell(ofRow row: Int) {
    guard var entry = unlinkCell(ofRow: row) else { return }
    guard entry.cell.canWait, !entry.cell.needsLayout, entry.width == model.width else {
      return recycle(entry.cell)
    }
    if entry.isDisplayed { noteHidden(&entry) }
    entry.hasLeft = true
    waitingCells[row] = entry
    trimDeparted(toLines: 4 * model.viewportHeight)
  }

  /// The row no longer shows.
  func noteHidden(_ entry: inout LiveCell) {
    hiddenCount += 1
    entry.hiddenAt = hiddenCount
    entry.isDisplayed = false
  }

  /// Gives back cells of rows that left, so that those of `lines` lines or as many rows are left.
  /// - Complexity: O(n) in the cells that wait, O(n log n) where some are given back
  func trimDeparted(toLines lines: Int) {
    var (rows, total) = (0, 0)
    for entry in waitingCells.values where entry.hasLeft {
      rows += 1
      total += entry.height
    }
    guard rows > lines || total > lines else { return }
    let departed = waitingCells.filter(\.value.hasLeft)
    for (row, entry) in departed.sorted(by: { $0.value.hiddenAt < $1.value.hiddenAt }) {
      guard rows > lines || total > lines else { return }
      dropWaitingCell(row)
      rows -= 1
      total -= entry.height
    }
  }
}
