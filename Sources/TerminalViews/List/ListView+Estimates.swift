import VirtualList

/// Estimates turned off, by an `estimatedRowHeight` of 0: all rows are measured before a frame that
/// follows a reload, an update or a change of width, and the scroll bar is exact. A row is measured
/// by the delegate where it tells heights, with one cell of its own for all rows if it likes; else
/// by the row's cell. It is for lists of few rows.
extension ListView {
  /// The columns that rows have: all but the scroll bar's.
  public var rowWidth: Int { max(1, frame.width - 1) }

  /// Measures the rows whose height at the present width is not known.
  /// - Complexity: O(1) where all are known, else O(rows · log n) and their measurements
  func measureAllRows() {
    guard model.tree.measuredCount < model.count else { return }
    let environment = DelegateHeights(cells: environment)
    measuringAside {
      for row in 0..<model.count { model.measuredHeight(ofRow: row, in: environment) }
    }
  }
}

/// The list's environment, but heights that the delegate tells are taken without a cell.
private struct DelegateHeights: @MainActor ListEnvironment {
  let cells: ListViewEnvironment

  @MainActor func rowID(at row: Int) -> RowID { cells.rowID(at: row) }
  @MainActor func kind(of row: Int) -> Int { cells.kind(of: row) }

  @MainActor func textLength(ofRows rows: Range<Int>) -> Int? { cells.textLength(ofRows: rows) }

  @MainActor func measure(row: Int) -> Int {
    let list = cells.list
    return list.delegate?.listView(list, heightForRowAt: IndexPath(row: row))
      ?? cells.measure(row: row)
  }

  @MainActor func place(atLine line: Int, inRow row: Int) -> Place {
    cells.place(atLine: line, inRow: row)
  }

  @MainActor func line(of place: Place, inRow row: Int) -> Int {
    cells.line(of: place, inRow: row)
  }

  @MainActor func row(of id: RowID, near row: Int, count: Int) -> Int? {
    cells.row(of: id, near: row, count: count)
  }
}
