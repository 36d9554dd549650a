/// What a list model asks of its data source: identities, heights, and what a row's lines show.
public protocol ListEnvironment {
  /// The identity of a row.
  func rowID(at row: Int) -> RowID
  /// The estimate class of a row, `0..<16`; `nil`, the default, for each row if there is only one
  /// class.
  func kind(of row: Int) -> Int?
  /// The height of a row at the model's width in lines, at least 0. Called once per row, width and
  /// content.
  func measure(row: Int) -> Int
  /// The cells of the text of some rows together, or a number in proportion to it, such as their
  /// bytes; `nil`, the default, if that is unknown without reading them. The list learns from
  /// measured rows how such numbers relate to heights.
  ///
  /// Called for few ranges, some of millions of rows: its cost should not grow with their length.
  func textLength(ofRows rows: Range<Int>) -> Int?
  /// The content at a line of a row. `line(of:inRow:)` of it returns that line again.
  func place(atLine line: Int, inRow row: Int) -> Place
  /// The line of a row that shows `place` at the model's width.
  func line(of place: Place, inRow row: Int) -> Int
  /// The present index of the row with an identity, probably near `row`; `nil` if there is none.
  func row(of id: RowID, near row: Int, count: Int) -> Int?
}

extension ListEnvironment {
  public func kind(of row: Int) -> Int? { nil }
  public func textLength(ofRows rows: Range<Int>) -> Int? { nil }

  /// Searches near `row`.
  public func row(of id: RowID, near row: Int, count: Int) -> Int? {
    search(for: id, near: row, count: count)
  }

  /// Searches outward from `row`, at most 10,000 rows on either side.
  public func search(for id: RowID, near row: Int, count: Int) -> Int? {
    let start = min(max(0, row), count)
    for distance in 0...10_000 {
      let (below, above) = (start + distance, start - distance - 1)
      if below < count, rowID(at: below) == id { return below }
      if above >= 0, rowID(at: above) == id { return above }
      if below >= count && above < 0 { return nil }
    }
    return nil
  }

  /// Runs of equal kinds. More than `ListModel.checkedRows` rows are one run of kind 0, whatever
  /// their kinds. - Complexity: O(rows); O(1) for more and if there is only one kind
  package func kindRuns(of rows: Range<Int>) -> [(kind: Int, count: Int)] {
    guard rows.count <= ListModel.checkedRows, let first = rows.first, kind(of: first) != nil
    else { return [(0, rows.count)] }
    var runs: [(kind: Int, count: Int)] = []
    for row in rows {
      let kind = kind(of: row) ?? 0
      if let last = runs.last, last.kind == kind {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((kind, 1))
      }
    }
    return runs
  }

  /// Checks that no two new rows have the same identity, if there are at most
  /// `ListModel.checkedRows`.
  /// - Throws: `ListUpdateError.duplicateID`.
  /// - Complexity: O(rows)
  package func checkIdentities(of ranges: [Range<Int>]) throws(ListUpdateError) {
    guard ranges.reduce(0, { $0 + $1.count }) <= ListModel.checkedRows else { return }
    var rows: [RowID: Int] = [:]
    for row in ranges.joined() {
      let id = rowID(at: row)
      if let first = rows.updateValue(row, forKey: id) {
        throw .duplicateID(id, first: first, second: row)
      }
    }
  }
}
