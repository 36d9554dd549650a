/// Which columns a row may take.
extension Basis {
  /// Whether a cell is not small beside its row.
  @inline(__always) func isSound(_ row: Int, _ column: Int) -> Bool {
    abs(tableau.row(row)[column]) > Numbers.soundShare * tableau.magnitude(row)
  }

  /// Whether the column is a variable's that may move to either side at no cost.
  @inline(__always) func isFreeVariable(_ column: Int) -> Bool {
    switch symbols[tableau.nonbasic(column)].kind {
    case .variable: true
    // At 0 it is at its bound, and may be held there.
    case .nonnegative: priorityRows.order.allSatisfy { tableau.price(column, $0) == 0 }
    default: false
    }
  }

  /// Of the columns that `isWanted` the one with the largest cell in a row; -1 where there is none.
  @inline(__always) func largestColumn(_ row: Int, _ isWanted: (Int) -> Bool) -> Int {
    let line = tableau.row(row)
    var best = -1
    var size = 1e-12
    for column in tableau.movable {
      let magnitude = abs(line[column])
      if magnitude > size, isWanted(column) {
        best = column
        size = magnitude
      }
    }
    return best
  }
}
