import VirtualList

/// Updates by ranges, for lists of which millions of rows come and go at once.
extension ListView {
  /// Inserts rows; they have these numbers afterwards. - Complexity: O(log n)
  public func insertRows(_ rows: Range<Int>) { update { $0.insert(rows) } }

  /// Deletes rows, by their numbers before. - Complexity: O(log n + rows that were measured)
  public func deleteRows(_ rows: Range<Int>) { update { $0.delete(rows) } }

  /// Rows with cells that show their content: those on the screen, near it or pinned, and those whose cells
  /// wait for them. - Complexity: O(k log k)
  public var preparedRows: [Int] { (Array(live.keys) + waitingCells.keys).sorted() }

  /// Whether the pointer holds the scroll bar: updates would take it away.
  public var isDraggingScrollBar: Bool { model.isDragging }
}
