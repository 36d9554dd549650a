extension ListModel {
  /// A row on the screen.
  public struct VisibleRow: Hashable, Sendable {
    /// Its index.
    public var row: Int
    /// Lines from the top edge to its first one, negative above it.
    public var y: Int
    /// Its lines, shown or not.
    public var height: Int

    /// The line after its last one, from the top edge.
    public var maxY: Int { y + height }
  }

  /// What lies around the screen, as far as heights are known.
  public struct Surroundings: Hashable, Sendable {
    /// The visible rows and those within reach of either edge that are measured.
    public var rows: Range<Int>
    /// The first row within reach that is not; nil where there is none.
    public var unmeasuredBelow: Int?
    /// The same above.
    public var unmeasuredAbove: Int?
  }
}

/// The rows with lines on the screen. Its rules:
///
/// 1. They stand one below another, without a gap; none of them is without lines. The first one may
///    begin above the top edge, and the last one end below the bottom edge.
/// 2. They are filled in from a position downward, or from above it where they end before the
///    bottom edge; what is met is measured, nothing else.
/// 3. Rows beside the screen that are known to be empty are no content; unknown ones are taken for
///    some.
///
/// A class, since the environment may look at the rows while it is asked.
final class VisibleRows {
  /// From the top.
  private(set) var rows: [ListModel.VisibleRow] = []
  /// Whether the first line shows, and the last.
  private(set) var isAtTop = true
  private(set) var isAtEnd = true
  /// Lines of the viewport, at least 0.
  private(set) var viewportHeight: Int
  private let heights: RowHeights

  init(heights: RowHeights, viewportHeight: Int) {
    self.heights = heights
    self.viewportHeight = max(0, viewportHeight)
  }

  /// The rows stay what they are until they are filled in again.
  func resize(_ viewportHeight: Int) { self.viewportHeight = viewportHeight }

  /// There are other rows: none of them shows yet.
  func clear() { rows = [] }

  /// The line at the top edge, if any row shows. Rows without height never stand there.
  var top: ScrollPosition? { rows.first.map { ScrollPosition(row: $0.row, line: -$0.y) } }

  /// Lists the rows from `start` down to the bottom edge, or from so far above it that they reach
  /// that.
  /// - Returns: where they begin.
  func fill(from start: ScrollPosition, in environment: some ListEnvironment) -> ScrollPosition {
    let bottom = fillDown(from: start, in: environment)
    guard start > ScrollPosition.top, bottom < viewportHeight else { return start }
    let above = heights.position(viewportHeight - bottom, linesAbove: start, in: environment)
    _ = fillDown(from: above, in: environment)
    return above
  }

  /// - Returns: the line after the last one.
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

  /// Looks again whether the ends show, with `top` at the top edge.
  func updateEnds(top: ScrollPosition) {
    isAtTop = top.line == 0 && heights.areEmpty((0..<top.row).reversed())
    guard let last = rows.last else {
      isAtEnd = true
      return
    }
    isAtEnd = last.maxY <= viewportHeight && heights.areEmpty(last.row + 1..<heights.count)
  }

  /// Rows within `lines` beyond either edge, up to the first that is not measured.
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

  /// The rows of `surroundings`, all measured.
  /// - Complexity: O(rows · log n) and measurements
  func prepared(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int> {
    var result = surroundings(overscan: lines)
    while let row = result.unmeasuredBelow ?? result.unmeasuredAbove {
      _ = heights.measured(row, in: environment)
      result = surroundings(overscan: lines)
    }
    return result.rows
  }

  /// What must hold after a layout, in words; empty where it does. - Complexity: O(rows · log n)
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
