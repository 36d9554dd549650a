import VirtualList

/// What the model asks, answered by cells and the data source.
struct ListViewEnvironment: @MainActor ListEnvironment {
  let list: ListView
  /// Heights that the delegate tells are taken without a cell.
  var asksDelegate = false

  @MainActor func rowID(at row: Int) -> RowID {
    list.dataSource?.listView(list, rowIDForRowAt: IndexPath(row: row)) ?? RowID(UInt64(row))
  }

  @MainActor func kind(of row: Int) -> Int {
    let kind = list.dataSource?.listView(list, kindForRowAt: IndexPath(row: row)) ?? 0
    return (0..<HeightEstimates.kindCount).contains(kind) ? kind : 0
  }

  @MainActor func textLength(ofRows rows: Range<Int>) -> Int? {
    list.dataSource?.listView(list, textLengthOfRows: rows)
  }

  @MainActor func measure(row: Int) -> Int {
    if asksDelegate, let height = list.toldHeight(ofRow: row) { return height }
    return list.measure(row: row)
  }

  @MainActor func place(atLine line: Int, inRow row: Int) -> Place {
    list.cell(forRow: row)?.cell.place(atLine: line) ?? Place(part: 0, offset: 0)
  }

  @MainActor func line(of place: Place, inRow row: Int) -> Int {
    list.cell(forRow: row)?.cell.line(of: place) ?? 0
  }

  @MainActor func row(of id: RowID, near row: Int, count: Int) -> Int? {
    if let path = list.dataSource?.listView(list, indexPathFor: id) { return path.row }
    return search(for: id, near: row, count: count)
  }
}
