extension ListModel {
  /// Finds what shows, from the anchor or, while following, from the end.
  /// - Complexity: O(visible rows · log n) and their measurements
  public func layout(in environment: some ListEnvironment) {
    guard count > 0 else {
      (anchor, displayed) = (nil, nil)
      (visible, isFollowing, isAtTop, isAtEnd, newRowsAbove) = ([], false, true, true, 0)
      return
    }
    var start: ScrollPosition
    if isFollowing {
      start = position(
        linesAbove: ScrollPosition(row: count, line: 0), viewportHeight, in: environment)
    } else {
      start = anchorPosition(in: environment)
    }
    let bottom = fill(from: start, in: environment)
    if start > ScrollPosition.top, bottom < viewportHeight {
      start = position(linesAbove: start, viewportHeight - bottom, in: environment)
      _ = fill(from: start, in: environment)
    }
    finish(start, in: environment)
  }

  /// The anchor's row and line, with the line inside the row.
  private func anchorPosition(in environment: some ListEnvironment) -> ScrollPosition {
    var anchor = anchor ?? start(ofRow: 0, in: environment)
    let height = measuredHeight(ofRow: anchor.row, in: environment)
    if anchorNeedsLine {
      anchor.line = environment.line(of: anchor.place, inRow: anchor.row)
      anchorNeedsLine = false
    }
    anchor.line = min(max(0, anchor.line), max(0, height - 1))
    self.anchor = anchor
    return ScrollPosition(row: anchor.row, line: anchor.line)
  }

  /// An anchor at a row's first line.
  func start(ofRow row: Int, in environment: some ListEnvironment) -> ScrollAnchor {
    measuredHeight(ofRow: row, in: environment)
    return ScrollAnchor(
      rowID: environment.rowID(at: row), row: row,
      place: environment.place(atLine: 0, inRow: row), line: 0)
  }

  /// Lists the rows from `start` down to the bottom edge; the line after the last one of them.
  private func fill(from start: ScrollPosition, in environment: some ListEnvironment) -> Int {
    visible.removeAll(keepingCapacity: true)
    var y = -start.line
    var row = start.row
    while row < count, y < viewportHeight {
      let height = measuredHeight(ofRow: row, in: environment)
      if height > 0, y + height > 0 {
        visible.append(VisibleRow(row: row, y: y, height: height))
      }
      y += height
      row += 1
    }
    return y
  }

  /// The position so many lines above another one, or the first.
  func position(
    linesAbove start: ScrollPosition, _ lines: Int, in environment: some ListEnvironment
  ) -> ScrollPosition {
    var (row, line) = (start.row, start.line - lines)
    while line < 0, row > 0 {
      row -= 1
      line += measuredHeight(ofRow: row, in: environment)
    }
    return ScrollPosition(row: row, line: max(0, line))
  }

  private func finish(
    _ start: ScrollPosition, in environment: some ListEnvironment
  ) {
    // Rows without height never stand at the top edge, unless there is nothing else.
    let first = visible.first.map { ScrollPosition(row: $0.row, line: -$0.y) } ?? start
    if let anchor, anchor.row == first.row, anchor.line == first.line {
      displayed = anchor
    } else {
      displayed = ScrollAnchor(
        rowID: environment.rowID(at: first.row), row: first.row,
        place: environment.place(atLine: first.line, inRow: first.row), line: first.line)
    }
    updateEnds()
    newRowsAbove = min(newRowsAbove, first.row)
  }

  /// Looks anew whether the ends show: rows beside the screen may have turned out to be empty.
  public func updateEnds() {
    isAtEnd = showsLastLine()
    isAtTop = showsFirstLine(top)
  }

  private func showsLastLine() -> Bool {
    guard let last = visible.last else { return true }
    guard last.maxY <= viewportHeight else { return false }
    return followedByNothing(last.row + 1)
  }

  /// True where every row from `row` on is known to have no height.
  private func followedByNothing(_ row: Int) -> Bool {
    (row..<count).allSatisfy { tree.measuredHeight(ofRow: $0) == 0 }
  }

  private func showsFirstLine(_ first: ScrollPosition) -> Bool {
    guard first.line == 0 else { return false }
    guard first.row > 0 else { return true }
    // Rows above that are known to be empty are no content; unknown ones are taken for some.
    return (0..<first.row).reversed().allSatisfy { tree.measuredHeight(ofRow: $0) == 0 }
  }

  /// What is displayed is what the user wants from now on.
  func settle() {
    if let displayed { anchor = displayed }
    anchorNeedsLine = false
  }
}
