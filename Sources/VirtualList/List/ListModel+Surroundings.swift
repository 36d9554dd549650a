/// The rows around the screen, for which cells are kept ready.
extension ListModel {
  /// What lies around the screen, as far as heights are known.
  public struct Surroundings: Hashable, Sendable {
    /// The visible rows and those within reach of either edge that are measured.
    public var rows: Range<Int>
    /// The first row within reach that is not; nil where there is none.
    public var unmeasuredBelow: Int?
    public var unmeasuredAbove: Int?
  }

  /// Rows within `lines` beyond either edge, up to the first that is not measured.
  /// - Complexity: O(rows · log n)
  public func surroundings(overscan lines: Int) -> Surroundings {
    guard let first = visible.first, let last = visible.last else {
      return Surroundings(rows: 0..<0)
    }
    var (low, high) = (first.row, last.row + 1)
    var result = Surroundings(rows: low..<high)
    var room = lines - (last.maxY - viewportHeight)
    while room > 0, high < count, high - last.row <= lines {
      guard let height = tree.measuredHeight(ofRow: high) else {
        result.unmeasuredBelow = high
        break
      }
      room -= height
      high += 1
    }
    room = lines + first.y
    while room > 0, low > 0, first.row - low < lines {
      guard let height = tree.measuredHeight(ofRow: low - 1) else {
        result.unmeasuredAbove = low - 1
        break
      }
      low -= 1
      room -= height
    }
    result.rows = low..<high
    return result
  }

  /// Rows to have cells for: the visible ones and those within `lines` beyond either edge,
  /// measured.
  /// - Complexity: O(rows · log n) and measurements
  public func preparedRows(overscan lines: Int, in environment: some ListEnvironment) -> Range<Int>
  {
    var result = surroundings(overscan: lines)
    while let row = result.unmeasuredBelow ?? result.unmeasuredAbove {
      measuredHeight(ofRow: row, in: environment)
      result = surroundings(overscan: lines)
    }
    updateEnds()
    return result.rows
  }
}
