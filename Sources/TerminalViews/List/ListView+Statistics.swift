import VirtualList

extension ListView {
  /// A change of height of a row on or near the screen, and the top edge after it.
  public struct RowResize: Hashable, Sendable {
    /// The index of the row.
    public var row: Int
    /// Its height before, in lines.
    public var from: Int
    /// Its height after, in lines.
    public var to: Int
    /// The row at the top edge afterwards.
    public var anchorRow: Int
    /// The line of that row at the top edge.
    public var anchorLine: Int
  }

  /// A cell and the purpose that it is kept for, for a monitor of the list.
  package struct CellStatus: Sendable {
    package enum Purpose: Hashable, Sendable {
      /// Its row is on the screen.
      case visible
      /// Its row is near the screen, or has just left it.
      case ready
      /// It is in the pool, without a row.
      case idle
    }

    package let cell: ListViewCell
    package let purpose: Purpose
  }

  /// The list's work so far and its present contents, for the trace, the inspector and tests.
  public struct Statistics: Hashable, Sendable {
    /// Rows with lines on the screen.
    public var visibleRows: Int
    /// Cells bound to rows that are visible, near the screen or pinned.
    public var liveCells: Int
    /// Cells in the pool.
    public var idleCells: Int
    /// Cells created so far.
    public var createdCells: Int
    /// Cells taken from the pool so far.
    public var reusedCells: Int
    /// Rows measured so far.
    public var measuredRows: Int
    /// Rows measured in idle time.
    public var idleMeasuredRows: Int
    /// The height of all rows in lines, with estimates for those that are not measured.
    public var totalHeight: Int
    /// Passes of the last `layoutList()`.
    public var layoutPasses: Int
    /// The position of the scroll bar's thumb.
    public var thumb: ScrollThumb
  }
}
