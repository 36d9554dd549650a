import Terminal
import TerminalApp
import TerminalViews

/// How a list changes from now on: the drift of the reader's place, and the layout of its rows.
///
/// Until `end()` it takes the place of the listeners for moves and resized rows; the latter is
/// called as before.
@MainActor final class ListObservation {
  private(set) var drift = DriftMeter()
  private(set) var changes = ChangeLog()
  private let pane: ListPane
  private let resizeListener: ((ListView.RowResize) -> Void)?
  /// The list alone as drawn, for the drift meter.
  private var drawn = Canvas(size: .zero)

  init(of pane: ListPane) {
    self.pane = pane
    resizeListener = pane.listView.onResize
    pane.onMove = { [weak self] in
      self?.drift.noteMove()
      self?.changes.noteMove()
    }
    pane.listView.onResize = { [weak self] resize in
      self?.resizeListener?(resize)
      self?.changes.note(resize)
    }
  }

  func end() {
    pane.onMove = nil
    pane.listView.onResize = resizeListener
  }

  /// Call it in each frame, after the list's layout.
  func measureDrift() {
    let list = pane.listView
    drawn.reset(size: list.frame.size)
    list.render(into: &drawn, origin: .zero)
    drift.observe(list, on: drawn)
  }

  /// Call it in each frame, after the list's layout.
  func noteChanges(inspected row: Int?) { changes.observe(pane.listView, inspected: row) }
}
