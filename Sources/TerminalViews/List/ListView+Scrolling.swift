import Geometry
import VirtualList

extension ListView {
  // MARK: - What shows

  /// Rows as of the last frame; before a reload, those of the data source.
  public var numberOfRows: Int { needsReload ? sourceCount : model.count }

  /// Rows with lines on the screen; nil where there are none.
  public var visibleRows: Range<Int>? {
    guard let first = model.visible.first, let last = model.visible.last else { return nil }
    return first.row..<last.row + 1
  }

  /// Rows with lines on the screen, with where they are: what the last frame drew.
  public var visibleFrames: [ListModel.VisibleRow] { model.visible }

  /// The line at the top edge; nil where there are no rows.
  public var topPosition: (row: Int, line: Int)? {
    model.displayed.map { ($0.row, $0.line) }
  }

  /// The row at a point in the superview's cells; nil where there is none.
  public func indexPathForRow(at point: Point) -> IndexPath? {
    guard frame.contains(point) else { return nil }
    let y = point.y - frame.minY
    return model.visible.first { $0.y <= y && y < $0.maxY }.map { IndexPath(row: $0.row) }
  }

  /// True after `scrollToEnd()` until the user moves up: the last line stays at the bottom edge.
  public var isFollowing: Bool { model.isFollowing }
  /// Whether the first line shows.
  public var isAtTop: Bool { model.isAtTop }
  /// Whether the last line shows.
  public var isAtEnd: Bool { model.isAtEnd }
  /// Rows inserted at the beginning that the user has not come to yet.
  public var newRowsAbove: Int { model.newRowsAbove }
  /// Whether the pointer holds the scroll bar: updates would take it away.
  public var isDraggingScrollBar: Bool { model.isDragging }

  // MARK: - Moving

  /// Lines that a page keeps on the screen, so that the reader finds the place again.
  var pageOverlap: Int { frame.height > 8 ? 2 : frame.height > 1 ? 1 : 0 }

  /// Lines that `scroll(byPages:)` moves by for each page; at least 1.
  public var pageLines: Int { max(1, frame.height - pageOverlap) }
  /// Lines that `scroll(byHalfPages:)` moves by for each; at least 1.
  public var halfPageLines: Int { max(1, frame.height / 2) }

  /// Moves by lines, down if positive, without moving the selection.
  /// - Returns: the lines moved, fewer only at the ends.
  @discardableResult public func scroll(byLines lines: Int) -> Int {
    guard synchronize() else { return 0 }
    let moved = model.scroll(byLines: lines, in: environment)
    if moved != 0 {
      noteMove(up: moved < 0)
      changed()
    }
    return moved
  }

  /// Moves by half pages, down if positive.
  public func scroll(byHalfPages count: Int) {
    scroll(byLines: count * halfPageLines)
  }

  /// Moves by pages; two lines of the page before stay on the screen.
  public func scroll(byPages count: Int) {
    scroll(byLines: count * pageLines)
  }

  /// To the first line.
  public func scrollToTop() { move { model.scrollToTop(in: $0) } }

  /// To the rows that came at the beginning and that the user has not come to yet, if there are
  /// any (`newRowsAbove`).
  public func scrollToNewRows() { move { model.scrollToNewRows(in: $0) } }

  /// To the last line, which stays at the bottom edge until the user moves up.
  public func scrollToEnd(following: Bool = true) {
    move { model.scrollToEnd(following: following, in: $0) }
  }

  /// To the row at a share of the rows: 0 the first, 0.5 the middle one, 1 the end.
  public func scroll(toFraction fraction: Double) {
    move { model.scroll(toFraction: fraction, in: $0) }
  }

  /// Brings a row to where `alignment` says; a row that does not exist is reported.
  public func scrollToRow(at indexPath: IndexPath, at alignment: ScrollAlignment = .nearest) {
    guard synchronize() else { return }
    do {
      try model.scroll(toRow: indexPath.row, at: alignment, in: environment)
      changed()
    } catch { onUpdateError?(error) }
  }

  /// The pointer takes the scroll bar at row `y` of the list.
  public func beginDraggingScrollBar(at y: Int) {
    move { model.beginDrag(pointer: Self.eighths(y), track: frame.height, in: $0) }
  }

  /// The pointer is at row `y` of the list, or beyond it.
  public func dragScrollBar(to y: Int) { move { model.drag(to: Self.eighths(y), in: $0) } }

  /// The pointer lets go of the scroll bar.
  public func endDraggingScrollBar() { move { _ in model.endDrag() } }

  /// The middle of a row of cells, in eighths.
  private static func eighths(_ y: Int) -> Int {
    y * ScrollBarModel.unit + ScrollBarModel.unit / 2
  }

  private func move(_ body: (ListViewEnvironment) -> Void) {
    guard synchronize() else { return }
    body(environment)
    changed()
  }
}
