/// Columns that a row's symbol may be exchanged with.
extension Basis {
  /// Whether a cell is large enough relative to its row to pivot on safely.
  @inline(__always) func isSound(_ row: Int, _ column: Int) -> Bool {
    abs(tableau.row(row)[column]) > Numbers.soundShare * tableau.magnitude(row)
  }

  /// Whether the column is a variable that may enter the basis at no cost.
  @inline(__always) func isFreeVariable(_ column: Int) -> Bool {
    switch symbols[tableau.nonbasic(column)].kind {
    case .variable: true
    // At 0 it is at its bound; entering is free only if all its prices are 0.
    case .nonnegative: priorityRows.order.allSatisfy { tableau.price(column, $0) == 0 }
    default: false
    }
  }

  /// The column with the largest cell in a row among those that `isWanted` accepts; -1 if none.
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
