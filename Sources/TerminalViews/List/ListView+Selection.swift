import Geometry
import VirtualList

extension ListView {
  /// The selected row; nil where there is none.
  public var indexPathForSelectedRow: IndexPath? { selection.map { IndexPath(row: $0.row) } }

  /// Where the terminal's cursor belongs, in the superview's cells: the selected row's first line
  /// that shows. Nil while none does.
  public var cursorPosition: Point? {
    selectedFrame.map { Point(x: frame.minX + rowMargin, y: frame.minY + max(0, $0.y)) }
  }

  /// Where the selected row stands, if it shows.
  var selectedFrame: ListModel.VisibleRow? {
    selection.flatMap { selection in visibleFrames.first { $0.row == selection.row } }
  }

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
    let before = selection?.row
    move { model, binder in
      SelectionStepper(
        list: self, model: model, binder: binder, direction: rows < 0 ? .up : .down
      ).pass(rows.magnitude, to: alignment)
    }
    guard let path = indexPathForSelectedRow, path.row != before else { return }
    delegate?.listView(self, didSelectRowAt: path)
  }

  private func select(_ direction: SelectionStepper.Direction, presses: Int) {
    guard presses > 0 else { return }
    let before = selection?.row
    move { model, binder in
      SelectionStepper(list: self, model: model, binder: binder, direction: direction).take(presses)
    }
    guard let path = indexPathForSelectedRow, path.row != before else { return }
    delegate?.listView(self, didSelectRowAt: path)
  }
}
