/// What a list model asks the outside: identities, heights, and what stands at a line of a row.
public protocol ListEnvironment {
  /// The identity of a row.
  func rowID(at row: Int) -> RowID
  /// The estimate class of a row, `0..<16`.
  func kind(of row: Int) -> Int
  /// The height of a row at the model's width in lines, at least 0. Asked once per row, width and
  /// content.
  func measure(row: Int) -> Int
  /// Cells that the text of rows takes together, or a number in proportion to it, as the bytes they
  /// are in; nil where that is not known without reading them, as by default. A row's share of such
  /// a number, and how it goes with its height, is worked out from what is measured.
  ///
  /// Asked for few ranges, some of them of millions of rows: it should take no longer for those.
  func textLength(ofRows rows: Range<Int>) -> Int?
  /// What stands at a line of a row. `line(of:inRow:)` of it is that line again.
  func place(atLine line: Int, inRow row: Int) -> Place
  /// The line at which something stands at the model's width.
  func line(of place: Place, inRow row: Int) -> Int
  /// The row with an identity, wherever it is now; near `row` most likely. Nil where there is none.
  func row(of id: RowID, near row: Int, count: Int) -> Int?
}

extension ListEnvironment {
  public func kind(of row: Int) -> Int { 0 }
  public func textLength(ofRows rows: Range<Int>) -> Int? { nil }

  /// Searches near `row`.
  public func row(of id: RowID, near row: Int, count: Int) -> Int? {
    search(for: id, near: row, count: count)
  }

  /// Looks outward from `row`, through at most 10,000 rows on either side.
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

  /// Runs of equal kinds; more than `ListModel.checkedRows` are one run, whose kinds are learned
  /// when they show. - Complexity: O(rows), O(1) for more
  package func kindRuns(of rows: Range<Int>) -> [(kind: Int, count: Int)] {
    guard rows.count <= ListModel.checkedRows else { return [(0, rows.count)] }
    var runs: [(kind: Int, count: Int)] = []
    for row in rows {
      let kind = kind(of: row)
      if let last = runs.last, last.kind == kind {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((kind, 1))
      }
    }
    return runs
  }

  /// Looks for two rows of one identity among new rows, where they are at most
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
