import VirtualList

/// Rows of one to five lines whose place is their line.
struct Rows: ListEnvironment {
  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func measure(row: Int) -> Int { 1 + row % 5 }
  func place(atLine line: Int, inRow row: Int) -> Place { Place(part: 0, offset: Int32(line)) }
  func line(of place: Place, inRow row: Int) -> Int { Int(place.offset) }
}

let rows = Rows()
let list = ListModel(width: 80, viewportHeight: 24)
list.reload(runs: [(kind: 0, count: 1_000_000)], in: rows)

try list.scroll(toRow: 500_000, in: rows)
_ = list.scroll(byLines: 2, in: rows)
print("line \(list.top.line) of row \(list.top.row), \(list.visible.count) rows on the screen")
print("fewer than 100 measured: \(list.measurementCount < 100)")
