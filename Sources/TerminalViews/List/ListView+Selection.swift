import Geometry
import VirtualList

extension ListView {
  /// The selected row, which is marked and which keys act on: the last one selected or, while that
  /// is off the screen, the nearest visible one. `nil` without rows.
  ///
  /// - Complexity: O(visible rows)
  public var indexPathForSelectedRow: IndexPath? {
    // Until a reload is applied, the visible rows are those before it.
    let row = updater.needsReload ? nil : selection.frame?.row
    return (row ?? selection.lastRow).map { IndexPath(row: $0) }
  }

  /// The position for the terminal's cursor, in the superview's coordinates: the first visible line
  /// of the selected row. `nil` if no row is visible.
  public var cursorPosition: Point? {
    selection.frame.map { Point(x: frame.minX + rowMargin, y: frame.minY + max(0, $0.y)) }
  }

  /// The last selected row, whether or not it shows.
  package var lastSelectedRow: Int? { selection.lastRow }

  /// Whether the last selected row shows, so that keys act on it and not on another one.
  package var isSelectionVisible: Bool { lastSelectedRow == indexPathForSelectedRow?.row }

  /// The rows from the one at the top edge down to the last selected one; negative if that is above
  /// it, `nil` without rows.
  package var rowsToSelection: Int? {
    guard let selected = lastSelectedRow, let top = topPlace?.row else { return nil }
    return selected - top
  }

  /// Selects a row without scrolling and, as in UIKit, without notifying the delegate; reports a
  /// row that does not exist as an update error.
  public func selectRow(at indexPath: IndexPath) {
    guard synchronize() else { return }
    guard (0..<numberOfRows).contains(indexPath.row) else {
      onUpdateError?(.rowOutOfRange(row: indexPath.row, count: numberOfRows))
      return
    }
    selection.select(indexPath.row)
  }

  /// Selects the row at a point in the superview's coordinates, as a click does, and notifies the
  /// delegate.
  public func selectRow(under point: Point) {
    guard let path = indexPathForRow(at: point) else { return }
    selectRow(at: path)
    // A reload that was due may have removed it.
    guard indexPathForSelectedRow == path else { return }
    delegate?.listView(self, didSelectRowAt: path)
  }

  /// Moves the selection as that number of presses of j does.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectNext(_ presses: Int = 1) { select(.down, presses: presses) }

  /// Moves the selection as that number of presses of k does.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectPrevious(_ presses: Int = 1) { select(.up, presses: presses) }

  /// Moves the selection by a number of rows, up if negative, at most to the last row in that
  /// direction. Unlike presses of j and k, it passes tall rows without scrolling through them.
  /// Starts at the selected row, or at the nearest visible one if that is off the screen.
  ///
  /// - Parameter alignment: the position of the row afterwards. By default the list scrolls just
  ///   far enough to show the whole row; a row taller than the screen is shown from its first line.
  /// - Complexity: O(log n) in the rows, and the measurements around the destination.
  public func moveSelection(byRows rows: Int, at alignment: ScrollAlignment = .nearest) {
    step(rows < 0 ? .up : .down) { $0.pass(rows.magnitude, to: alignment) }
  }

  private func select(_ direction: SelectionStepper.Direction, presses: Int) {
    guard presses > 0 else { return }
    step(direction) { $0.take(presses) }
  }

  private func step(
    _ direction: SelectionStepper.Direction, _ body: (SelectionStepper) -> Void
  ) {
    guard synchronize() else { return }
    let before = indexPathForSelectedRow
    move { model, binder in
      body(SelectionStepper(list: self, model: model, binder: binder, direction: direction))
    }
    guard let path = indexPathForSelectedRow, path != before else { return }
    delegate?.listView(self, didSelectRowAt: path)
  }
}
