import Terminal
import TimelineStore

/// What is asked for before it is known where it is: the end of a pipe, a row not counted yet.
extension ListScreen {
  /// Any key ends the search for a row and does nothing else, but Ctrl-C leaves as ever.
  ///
  /// - Returns: whether `event` was such a key.
  func endsSeeking(_ event: InputEvent) -> Bool {
    guard content.isSeeking else { return false }
    content.cancelSeek()
    var keys = KeyMap()
    return keys.command(for: event) != .interrupt
  }

  /// Selects the last row, and follows the end from then on.
  func goToEnd() {
    select(row: rowCount - 1)
    listView.scrollToEnd()
  }

  /// What was looked for is there, or as near to it as there is.
  func go(to target: SeekTarget) {
    switch target {
    case .end: goToEnd()
    case .row(let row): goToRow(row + 1)
    }
    setNeedsFrame()
  }
}
