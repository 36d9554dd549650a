import Geometry
import VirtualList

extension ListView {
  /// The row at a point in the superview's coordinates; `nil` if there is none.
  public func indexPathForRow(at point: Point) -> IndexPath? {
    guard frame.contains(point) else { return nil }
    let y = point.y - frame.minY
    return visibleFrames.first { $0.y <= y && y < $0.maxY }.map { IndexPath(row: $0.row) }
  }

  /// The lines of a page that stay on the screen, so that the reader finds the place again.
  var pageOverlap: Int { frame.height > 8 ? 2 : frame.height > 1 ? 1 : 0 }

  /// The lines that `scroll(byPages:)` moves by for each page; at least 1.
  public var pageLines: Int { max(1, frame.height - pageOverlap) }
  /// The lines that `scroll(byHalfPages:)` moves by for each; at least 1.
  public var halfPageLines: Int { max(1, frame.height / 2) }

  /// Scrolls by half pages, down if positive.
  public func scroll(byHalfPages count: Int) {
    scroll(byLines: Self.lines(count, of: halfPageLines))
  }

  /// Scrolls by pages, down if positive; up to two lines of the previous page stay on the screen.
  public func scroll(byPages count: Int) {
    scroll(byLines: Self.lines(count, of: pageLines))
  }

  private static func lines(_ count: Int, of height: Int) -> Int {
    let (lines, overflow) = count.multipliedReportingOverflow(by: height)
    return overflow ? (count < 0 ? .min : .max) : lines
  }

  /// Scrolls to the first line.
  public func scrollToTop() { move { $0.scrollToTop(in: $1) } }

  /// Scrolls to the first line if rows were inserted at the beginning that the user has not reached
  /// yet (`newRowsAbove`).
  public func scrollToNewRows() {
    move { model, binder in if model.newRowsAbove > 0 { model.scrollToTop(in: binder) } }
  }

  /// Scrolls to the last line. If `following`, it stays at the bottom edge until the user moves up.
  public func scrollToEnd(following: Bool = true) {
    move { $0.scrollToEnd(following: following, in: $1) }
  }

  /// Scrolls to a fraction of the rows: 0 is the first row, 0.5 the middle one, 1 the end.
  public func scroll(toFraction fraction: Double) {
    move { $0.scroll(toFraction: fraction, in: $1) }
  }

  /// Scrolls a row to the position given by `alignment`; reports a row that does not exist as an
  /// update error.
  public func scrollToRow(at indexPath: IndexPath, at alignment: ScrollAlignment = .nearest) {
    move { model, binder in
      updater.reporting { () throws(ListUpdateError) in
        try model.scroll(toRow: indexPath.row, at: alignment, in: binder)
      }
    }
  }

  /// The place at the top edge, as a row and a place in it, for a later run to restore; `nil`
  /// without rows.
  public var topPlace: (row: Int, place: Place)? {
    displayedAnchor.map { ($0.row, $0.place) }
  }

  /// The text at the top edge, by which the place is found in a text that has changed; empty if
  /// there is no text.
  ///
  /// - Complexity: O(n) in the bytes of the paragraph.
  public var topWords: String {
    guard let anchor = displayedAnchor else { return "" }
    return cellForRow(at: IndexPath(row: anchor.row))?.words(at: anchor.place) ?? ""
  }

  /// Scrolls to the place that was at the top edge in an earlier run; reports a row that does not
  /// exist as an update error.
  ///
  /// - Parameters:
  ///   - words: the text at that place. If the row's text has changed, it is searched for these
  ///     words.
  ///   - newRows: rows at the beginning that the user has not reached yet.
  public func restore(_ place: Place, words: String, ofRow row: Int, newRows: Int = 0) {
    // Laying out the rows at the present position would be wasted: they are not shown.
    move(laysOut: false) { model, binder in
      updater.reporting { () throws(ListUpdateError) in
        try model.restore(
          binder.place(place, saying: words, inRow: row), ofRow: row, newRows: newRows, in: binder)
      }
      if !(0..<model.count).contains(row) { model.layout(in: binder) }
    }
  }

  /// Starts dragging the scroll bar: the pointer is at row `y` of the list.
  public func beginDraggingScrollBar(at y: Int) {
    move { $0.beginDrag(pointer: Self.eighths(y), track: frame.height, in: $1) }
  }

  /// Drags the scroll bar: the pointer is at row `y` of the list, or beyond it.
  public func dragScrollBar(to y: Int) { move { $0.drag(to: Self.eighths(y), in: $1) } }

  /// Stops dragging the scroll bar.
  public func endDraggingScrollBar() { move { model, _ in model.endDrag() } }

  /// The middle of row `y` of the list, in eighths of a cell.
  private static func eighths(_ y: Int) -> Int {
    y * ScrollBarModel.unit + ScrollBarModel.unit / 2
  }
}
