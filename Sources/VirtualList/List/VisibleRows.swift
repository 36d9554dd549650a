extension ListModel {
  /// A row on the screen.
  public struct VisibleRow: Hashable, Sendable {
    /// The row's index.
    public var row: Int
    /// Lines from the top edge to the row's first line; negative if that is above the edge.
    public var y: Int
    /// The row's lines, visible or not.
    public var height: Int

    /// The line after the row's last one, from the top edge.
    public var maxY: Int { y + height }
  }

  /// The rows around the screen, as far as they are measured.
  public struct Surroundings: Hashable, Sendable {
    /// The visible rows and the measured ones within reach of either edge.
    public var rows: Range<Int>
    /// The first unmeasured row within reach below, or `nil`.
    public var unmeasuredBelow: Int?
    /// The first unmeasured row within reach above, or `nil`.
    public var unmeasuredAbove: Int?
  }
}

/// The rows with lines on the screen. Its rules:
///
/// 1. They follow one another without a gap, and each has lines. The first may begin above the top
///    edge, the last may end below the bottom edge.
/// 2. They are filled in downward from a position, or from above it if they would end before the
///    bottom edge; only rows met on the way are measured.
/// 3. Rows beyond the screen that are known to be empty are not content; unmeasured rows count as
///    content.
///
/// A class, since the environment may read the rows while it is called.
final class VisibleRows {
  /// The visible rows from the top.
  private(set) var rows: [ListModel.VisibleRow] = []
  /// Whether the first line is visible, and the last.
  private(set) var isAtTop = true
  private(set) var isAtEnd = true
  /// Lines of the viewport, at least 0.
  private(set) var viewportHeight: Int
  private let heights: RowHeights

  init(heights: RowHeights, viewportHeight: Int) {
    self.heights = heights
    self.viewportHeight = max(0, viewportHeight)
  }

  /// Sets the height; the rows stay the same until the next `fill`.
  func resize(_ viewportHeight: Int) { self.viewportHeight = viewportHeight }

  /// Removes all rows, after the list's rows have changed.
  func clear() { rows = [] }

  /// The line at the top edge, if any row is visible. Rows without height are never there.
  var top: ScrollPosition? { rows.first.map { ScrollPosition(row: $0.row, line: -$0.y) } }

  /// Fills in the rows from `start` down to the bottom edge, or from as far above it as needed to
  /// reach the bottom edge.
  /// - Returns: the position of the first line.
  func fill(from start: ScrollPosition, in environment: some ListEnvironment) -> ScrollPosition {
    let bottom = fillDown(from: start, in: environment)
    guard start > ScrollPosition.top, bottom < viewportHeight else { return start }
    let above = heights.position(viewportHeight - bottom, linesAbove: start, in: environment)
    _ = fillDown(from: above, in: environment)
    return above
  }

  /// - Returns: the line after the last row.
  private func fillDown(from start: ScrollPosition, in environment: some ListEnvironment) -> Int {
    rows.removeAll(keepingCapacity: true)
    var y = -start.line
    var row = start.row
    while row < heights.count, y < viewportHeight {
      let height = heights.measured(row, in: environment)
      if height > 0, y + height > 0 {
        rows.append(ListModel.VisibleRow(row: row, y: y, height: height))
      }
      y += height
      row += 1
    }
    return y
  }

  /// Updates `isAtTop` and `isAtEnd` with `top` at the top edge.
  func updateEnds(top: ScrollPosition) {
    isAtTop = top.line == 0 && heights.areEmpty((0..<top.row).reversed())
    guard let last = rows.last else {
      isAtEnd = true
      return
    }
    isAtEnd = last.maxY <= viewportHeight && heights.areEmpty(last.row + 1..<heights.count)
  }

  /// The visible rows and those within `lines` beyond either edge, up to the first that is not
  /// measured, at most `lines` rows at each.
  /// - Complexity: O(rows · log n)
  func surroundings(overscan lines: Int) -> ListModel.Surroundings {
    guard let first = rows.first, let last = rows.last else {
      return ListModel.Surroundings(rows: 0..<0)
    }
    var (low, high) = (first.row, last.row + 1)
    var result = ListModel.Surroundings(rows: low..<high)
    var room = lines - (last.maxY - viewportHeight)
    while room > 0, high < heights.count, high - last.row <= lines {
      guard let height = heights.known(high) else {
        result.unmeasuredBelow = high
        break
      }
      room -= height
      high += 1
    }
    room = lines + first.y
    while room > 0, low > 0, first.row - low < lines {
      guard let height = heights.known(low - 1) else {
        result.unmeasuredAbove = low - 1
        break
      }
      low -= 1
      room -= height
    }
    result.rows = low..<high
    return result
  }

  /// Measures and returns the rows of `surroundings`.
  /// - Complexity: O(rows · log n) for each row to measure, and the measurements
  func prepared(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int> {
    var result = surroundings(overscan: lines)
    while let row = result.unmeasuredBelow ?? result.unmeasuredAbove {
      _ = heights.measured(row, in: environment)
      result = surroundings(overscan: lines)
    }
    return result.rows
  }

  /// Invariants violated after a layout, in words; empty if none. - Complexity: O(rows · log n)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    for (shown, next) in zip(rows, rows.dropFirst())
    where next.y != shown.maxY || !heights.areEmpty(shown.row + 1..<next.row) {
      broken.append("row \(next.row) does not follow row \(shown.row)")
    }
    for shown in rows where shown.height <= 0 || shown.maxY <= 0 || shown.y >= viewportHeight {
      broken.append("row \(shown.row) does not show")
    }
    return broken
  }
}
