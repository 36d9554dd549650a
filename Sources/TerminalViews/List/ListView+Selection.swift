import Geometry
import VirtualList

extension ListView {
  /// The selected row, whose cell bears the mark and which keys act on: the one that was selected
  /// last or, while that is off the screen, the nearest that shows. Nil where there are no rows.
  ///
  /// - Complexity: O(visible rows)
  public var indexPathForSelectedRow: IndexPath? {
    // Until a reload is taken in, what shows is rows of before.
    let row = needsReload ? nil : selectedFrame?.row
    return (row ?? selection?.row).map { IndexPath(row: $0) }
  }

  /// Where the terminal's cursor belongs, in the superview's cells: the selected row's first line
  /// that shows. Nil while no row shows.
  public var cursorPosition: Point? {
    selectedFrame.map { Point(x: frame.minX + rowMargin, y: frame.minY + max(0, $0.y)) }
  }

  /// Where the selected row stands; nil while no row shows.
  ///
  /// - Complexity: O(visible rows)
  var selectedFrame: ListModel.VisibleRow? {
    let row = selection?.row ?? 0
    func isNearer(_ a: ListModel.VisibleRow, _ b: ListModel.VisibleRow) -> Bool {
      (a.row - row).magnitude < (b.row - row).magnitude
    }
    // Of a row that ends at the top edge in nothing but its spacing there is nothing to mark.
    return visibleFrames.lazy.filter { $0.y + max(1, $0.height - self.rowSpacing) > 0 }
      .min(by: isNearer) ?? visibleFrames.min(by: isNearer)
  }

  /// The row that was selected last, whether it shows or not.
  package var lastSelectedRow: Int? { selection?.row }

  /// Selects a row, without scrolling and, as in UIKit, without telling the delegate; one that does
  /// not exist is reported.
  public func selectRow(at indexPath: IndexPath) {
    guard synchronize() else { return }
    guard (0..<numberOfRows).contains(indexPath.row) else {
      onUpdateError?(.rowOutOfRange(row: indexPath.row, count: numberOfRows))
      return
    }
    setSelection(indexPath.row)
  }

  /// Selects the row at a point in the superview's cells, as the user's click does, and tells the
  /// delegate.
  public func selectRow(under point: Point) {
    guard let path = indexPathForRow(at: point) else { return }
    selectRow(at: path)
    delegate?.listView(self, didSelectRowAt: path)
  }

  /// So many presses of j.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectNext(_ presses: Int = 1) { select(.down, presses: presses) }

  /// So many presses of k.
  /// - Complexity: O(presses) and the measurements of rows not known to fit
  public func selectPrevious(_ presses: Int = 1) { select(.up, presses: presses) }

  /// Selects the row that is so many further, up if negative, however much of those between is to
  /// be seen, or the last there is; from the selected row, or the nearest to it where that one is
  /// out of sight.
  ///
  /// - Parameter alignment: where the row comes to stand; by default it is scrolled to just so far
  ///   that it shows whole, one taller than the screen from its first line.
  /// - Complexity: O(log n) in the rows, and their measurements around the one it leads to.
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
