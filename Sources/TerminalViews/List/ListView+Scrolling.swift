import Geometry
import VirtualList

extension ListView {
  /// The row at a point in the superview's cells; nil where there is none.
  public func indexPathForRow(at point: Point) -> IndexPath? {
    guard frame.contains(point) else { return nil }
    let y = point.y - frame.minY
    return visibleFrames.first { $0.y <= y && y < $0.maxY }.map { IndexPath(row: $0.row) }
  }

  /// Lines that a page keeps on the screen, so that the reader finds the place again.
  var pageOverlap: Int { frame.height > 8 ? 2 : frame.height > 1 ? 1 : 0 }

  /// Lines that `scroll(byPages:)` moves by for each page; at least 1.
  public var pageLines: Int { max(1, frame.height - pageOverlap) }
  /// Lines that `scroll(byHalfPages:)` moves by for each; at least 1.
  public var halfPageLines: Int { max(1, frame.height / 2) }

  /// Moves by half pages, down if positive.
  public func scroll(byHalfPages count: Int) {
    scroll(byLines: count * halfPageLines)
  }

  /// Moves by pages; two lines of the page before stay on the screen.
  public func scroll(byPages count: Int) {
    scroll(byLines: count * pageLines)
  }

  /// To the first line.
  public func scrollToTop() { move { $0.scrollToTop(in: $1) } }

  /// To the rows that came at the beginning and that the user has not come to yet, if there are
  /// any (`newRowsAbove`).
  public func scrollToNewRows() {
    move { model, binder in if model.newRowsAbove > 0 { model.scrollToTop(in: binder) } }
  }

  /// To the last line, which stays at the bottom edge until the user moves up.
  public func scrollToEnd(following: Bool = true) {
    move { $0.scrollToEnd(following: following, in: $1) }
  }

  /// To the row at a share of the rows: 0 the first, 0.5 the middle one, 1 the end.
  public func scroll(toFraction fraction: Double) {
    move { $0.scroll(toFraction: fraction, in: $1) }
  }

  /// Brings a row to where `alignment` says; a row that does not exist is reported.
  public func scrollToRow(at indexPath: IndexPath, at alignment: ScrollAlignment = .nearest) {
    move { model, binder in
      updater.reporting { () throws(ListUpdateError) in
        try model.scroll(toRow: indexPath.row, at: alignment, in: binder)
      }
    }
  }

  /// What stands at the top edge, for another run to restore: a row and a place in it. Nil where
  /// there are no rows.
  public var topPlace: (row: Int, place: Place)? {
    displayedAnchor.map { ($0.row, $0.place) }
  }

  /// The text that stands at the top edge, by which the place is found again in a text that has
  /// changed; empty where it is no text's.
  ///
  /// - Complexity: O(n) in the bytes of the paragraph.
  public var topWords: String {
    guard let anchor = displayedAnchor else { return "" }
    return cellForRow(at: IndexPath(row: anchor.row))?.words(at: anchor.place) ?? ""
  }

  /// Brings what stood at the top edge in another run there again; a row that does not exist is
  /// reported.
  ///
  /// - Parameters:
  ///   - words: the text that stood there: where the row's text is another now, it is looked for.
  ///   - newRows: rows at the beginning that the user has not come to yet.
  public func restore(_ place: Place, words: String, ofRow row: Int, newRows: Int = 0) {
    // Rows at the top would be read and laid out for nobody.
    move(laysOut: false) { model, binder in
      updater.reporting { () throws(ListUpdateError) in
        try model.restore(
          binder.place(place, saying: words, inRow: row), ofRow: row, newRows: newRows, in: binder)
      }
      if !(0..<model.count).contains(row) { model.layout(in: binder) }
    }
  }

  /// The pointer takes the scroll bar at row `y` of the list.
  public func beginDraggingScrollBar(at y: Int) {
    move { $0.beginDrag(pointer: Self.eighths(y), track: frame.height, in: $1) }
  }

  /// The pointer is at row `y` of the list, or beyond it.
  public func dragScrollBar(to y: Int) { move { $0.drag(to: Self.eighths(y), in: $1) } }

  /// The pointer lets go of the scroll bar.
  public func endDraggingScrollBar() { move { model, _ in model.endDrag() } }

  /// The middle of a row of cells, in eighths.
  private static func eighths(_ y: Int) -> Int {
    y * ScrollBarModel.unit + ScrollBarModel.unit / 2
  }
}
