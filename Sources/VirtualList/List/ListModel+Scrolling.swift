/// Where a row is brought to on the screen.
public enum ScrollAlignment: Hashable, Sendable {
  /// Its first line at the top edge.
  case top
  /// Its middle in the middle; a row taller than the screen comes to the top.
  case middle
  /// Its last line at the bottom edge.
  case bottom
  /// Only as far as it takes to show it; a row taller than the screen shows its nearer end.
  case nearest
}

extension ListModel {
  /// Moves by lines, down if positive, and says by how many it was: fewer only at the ends.
  /// - Complexity: O(rows passed · log n) and their measurements
  @discardableResult
  public func scroll(byLines lines: Int, in environment: some ListEnvironment) -> Int {
    guard count > 0, lines != 0, viewportHeight > 0 else { return 0 }
    endDrag()
    if lines > 0, isAtEnd { return 0 }
    let before = top
    let wasFollowing = isFollowing
    var target = ScrollPosition(row: before.row, line: before.line + lines)
    if lines < 0 {
      target = position(linesAbove: before, -lines, in: environment)
      // Past rows without height it is no movement.
      if distance(from: target, to: before, in: environment) > 0 { isFollowing = false }
    } else {
      while target.row < count - 1 {
        let height = measuredHeight(ofRow: target.row, in: environment)
        guard target.line >= height else { break }
        target.line -= height
        target.row += 1
      }
    }
    isFollowing = isFollowing && wasFollowing
    move(to: target, in: environment)
    return distance(from: before, to: top, in: environment)
  }

  /// Brings a line to the top edge, or as near to it as the list's end allows; a line past its row
  /// counts as the row's last.
  /// - Precondition: there are rows.
  func move(to target: ScrollPosition, in environment: some ListEnvironment) {
    let height = measuredHeight(ofRow: target.row, in: environment)
    let line = min(target.line, max(0, height - 1))
    anchorNeedsLine = false
    anchor = ScrollAnchor(
      rowID: environment.rowID(at: target.row), row: target.row,
      place: environment.place(atLine: line, inRow: target.row), line: line)
    layout(in: environment)
    settle()
  }

  /// Lines from one position to another, negative upward. - Complexity: O(rows between · log n)
  func distance(
    from start: ScrollPosition, to end: ScrollPosition, in environment: some ListEnvironment
  ) -> Int {
    guard end >= start else { return -distance(from: end, to: start, in: environment) }
    var lines = end.line - start.line
    for row in start.row..<end.row { lines += measuredHeight(ofRow: row, in: environment) }
    return lines
  }

  /// Brings a row to where `alignment` says.
  /// - Throws: `ListUpdateError.rowOutOfRange`.
  /// - Complexity: O(visible rows · log n) and their measurements, however far it goes
  public func scroll(
    toRow row: Int, at alignment: ScrollAlignment = .top, in environment: some ListEnvironment
  ) throws(ListUpdateError) {
    guard row >= 0, row < count else { throw .rowOutOfRange(row: row, count: count) }
    let height = measuredHeight(ofRow: row, in: environment)
    var above = 0
    switch alignment {
    case .top: break
    case .middle: above = max(0, (viewportHeight - height) / 2)
    case .bottom: above = viewportHeight - height
    case .nearest:
      if let first = visible.first, let last = visible.last {
        guard row < first.row || row > last.row else {
          // Of a row without height there is nothing to show.
          if let shown = visible.first(where: { $0.row == row }) {
            scrollToShow(shown, in: environment)
          }
          return
        }
        let room = viewportHeight - height
        above = row > last.row ? max(0, room) : min(0, room)
      }
    }
    endDrag()
    isFollowing = false
    let start = ScrollPosition(row: row, line: 0)
    let target =
      above >= 0
      ? position(linesAbove: start, above, in: environment)
      : ScrollPosition(row: row, line: -above)
    move(to: target, in: environment)
  }

  /// The least move that shows the whole of a row that shows in part.
  private func scrollToShow(_ shown: VisibleRow, in environment: some ListEnvironment) {
    guard shown.height <= viewportHeight else { return }
    if shown.y < 0 {
      scroll(byLines: shown.y, in: environment)
    } else if shown.maxY > viewportHeight {
      scroll(byLines: shown.maxY - viewportHeight, in: environment)
    }
  }

  /// To the first line. - Complexity: O(visible rows · log n) and their measurements
  public func scrollToTop(in environment: some ListEnvironment) {
    guard count > 0 else { return }
    endDrag()
    isFollowing = false
    move(to: .top, in: environment)
  }

  /// To the rows that came at the beginning since the user was there, which is to the first line.
  /// - Returns: whether there were any.
  /// - Complexity: O(visible rows · log n) and their measurements
  @discardableResult
  public func scrollToNewRows(in environment: some ListEnvironment) -> Bool {
    guard newRowsAbove > 0 else { return false }
    scrollToTop(in: environment)
    return true
  }

  /// To the last line; `following` keeps it at the bottom edge from then on.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scrollToEnd(following: Bool, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    endDrag()
    goToEnd(in: environment)
    isFollowing = following
  }

  /// Brings the last line to the bottom edge.
  func goToEnd(in environment: some ListEnvironment) {
    isFollowing = true
    layout(in: environment)
    settle()
    isFollowing = false
  }

  /// To the row at a share of the rows: 0 the first, 0.5 the middle one, 1 the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func scroll(toFraction fraction: Double, in environment: some ListEnvironment) {
    guard count > 0 else { return }
    guard fraction < 1 else { return scrollToEnd(following: false, in: environment) }
    endDrag()
    isFollowing = false
    let row = fraction > 0 ? Int(Double(count) * fraction) : 0
    move(to: ScrollPosition(row: min(row, count - 1), line: 0), in: environment)
  }

  /// The viewport has another size. A change of width makes every height an estimate and keeps what
  /// stands at the top edge.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func resize(width: Int, viewportHeight: Int, in environment: some ListEnvironment) {
    let height = max(0, viewportHeight)
    guard width != tree.width || height != self.viewportHeight else { return }
    endDrag()
    if width != tree.width {
      tree.setWidth(width)
      anchorNeedsLine = true
      scrollBar.forget()
    }
    self.viewportHeight = height
    layout(in: environment)
  }
}
