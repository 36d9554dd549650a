import VirtualList

extension ListView {
  /// A row that changed its height on or near the screen, and the top edge after that.
  public struct RowResize: Hashable, Sendable {
    /// Its number.
    public var row: Int
    /// Lines before and after.
    public var from: Int
    /// Lines after.
    public var to: Int
    /// The line at the top edge after that.
    public var anchorRow: Int
    /// The line of that row.
    public var anchorLine: Int
  }

  /// What the list has done and holds, for the trace, the inspector and tests.
  public struct Statistics: Hashable, Sendable {
    /// Rows with lines on the screen.
    public var visibleRows: Int
    /// Cells with a row.
    public var liveCells: Int
    /// Cells in the pool.
    public var idleCells: Int
    /// Cells made and taken from the pool so far.
    public var createdCells: Int
    /// Cells taken from the pool so far.
    public var reusedCells: Int
    /// Rows measured so far, and how many of them while nothing else was to do.
    public var measuredRows: Int
    /// Rows measured while nothing else was to do.
    public var idleMeasuredRows: Int
    /// Lines of all rows, guessed where not measured.
    public var totalHeight: Int
    /// Passes of the last `layoutList()`.
    public var layoutPasses: Int
    /// Where the scroll bar's thumb stands.
    public var thumb: ScrollThumb
  }
}
