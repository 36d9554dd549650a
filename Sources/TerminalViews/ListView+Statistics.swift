import VirtualList

extension ListView {
  /// What the list has done and holds, for the trace, the inspector and tests.
  public struct Statistics: Hashable, Sendable {
    public var visibleRows: Int
    /// Cells with a row.
    public var liveCells: Int
    /// Cells in the pool.
    public var idleCells: Int
    /// Cells made and taken from the pool so far.
    public var createdCells: Int
    public var reusedCells: Int
    /// Rows measured so far.
    public var measuredRows: Int
    /// Lines of all rows, guessed where not measured.
    public var totalHeight: Int
    /// Passes of the last `layoutList()`.
    public var layoutPasses: Int
    public var thumb: ScrollThumb
  }

  /// - Complexity: O(identifiers)
  public var statistics: Statistics {
    Statistics(
      visibleRows: model.visible.count, liveCells: live.count, idleCells: pool.idleCount,
      createdCells: pool.createdCount, reusedCells: pool.reusedCount,
      measuredRows: model.measurementCount, totalHeight: model.tree.totalHeight,
      layoutPasses: layoutPasses, thumb: scrollBar.thumb)
  }
}
