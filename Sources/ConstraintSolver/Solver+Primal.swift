/// The primal simplex: rows right, prices made right. Runs after removals, which leave columns whose
/// move pays, and in `repair`.
extension Solver {
  /// False where it did not end within its steps. `isDualFeasible` is the caller's to set.
  ///
  /// - Complexity: O(variables · constraints) a step.
  mutating func runPrimal() -> Bool {
    var steps = 0
    var idleSteps = 0
    while true {
      let isCareful = idleSteps > 20 + tableau.rowCount
      guard let (column, side) = payingColumn(isCareful: isCareful) else { return true }
      steps += 1
      if steps > stepLimit { return false }
      let limit = limitingRow(column: column, side: side, isCareful: isCareful)
      // Costs are bounded below, so a paying move without a limit is rounding.
      guard limit.row >= 0 else { return false }
      idleSteps = limit.distance > feasibilityTolerance ? 0 : idleSteps + 1
      exchange(row: limit.row, column: column, side: side)
    }
  }

  /// A column whose move from 0 pays, at the highest priority at which any does.
  private mutating func payingColumn(isCareful: Bool) -> (column: Int, side: Int8)? {
    var best = -1
    var bestSide: Int8 = 0
    var bestLevel = Int.max
    var bestGain = 0.0
    let nonbasic = tableau.nonbasic
    for column in tableau.movableColumns {
      let symbol = symbols.symbols + Int(nonbasic[column])
      var side: Int8 = 1
      while true {
        let (level, cost) = firstCost(of: symbol, column: column, side: side)
        if cost < 0 {
          let isBetter =
            isCareful
            ? best < 0 || nonbasic[column] < nonbasic[best]
            : level < bestLevel || (level == bestLevel && cost < bestGain)
          if isBetter {
            best = column
            bestSide = side
            bestLevel = level
            bestGain = cost
          }
        }
        if side < 0 || symbol.pointee.kind == .inequality { break }
        side = -1
      }
    }
    return best < 0 ? nil : (best, bestSide)
  }

  /// What moving a column's symbol to `side` costs at the highest priority at which it costs or pays;
  /// 0 where it does neither.
  @inline(__always)
  private func firstCost(
    of symbol: UnsafePointer<Symbol>, column: Int, side: Int8
  ) -> (level: Int, cost: Double) {
    var level = 0
    for slot in priorityRows.order {
      var cost = tableau.objectiveRow(Int(slot))[column] * Double(side)
      if symbol.pointee.isSoft && symbol.pointee.slot == slot {
        cost += side > 0 ? symbol.pointee.upWeight : symbol.pointee.downWeight
      }
      if abs(cost) > Solver.priceTolerance { return (level, cost) }
      level += 1
    }
    return (level, 0)
  }

  /// The row that reaches a bound first when the column's symbol moves to `side`, or -1.
  private mutating func limitingRow(
    column: Int, side: Int8, isCareful: Bool
  ) -> (row: Int, distance: Double) {
    var found = -1
    var distance = Double.infinity
    var size = 0.0
    let tolerance = feasibilityTolerance
    let sign = Double(side)
    let step = tableau.stride
    let (values, lowest, highest) = (tableau.constants, tableau.lower, tableau.upper)
    var cell = tableau.cells + column
    for row in 0..<tableau.rowCount {
      defer { cell += step }
      if !Tableau.isNotZero(cell) { continue }
      let rate = cell.pointee * sign
      let magnitude = abs(rate)
      if magnitude <= Solver.smallestPivot { continue }
      let bound = rate < 0 ? lowest[row] : highest[row]
      if bound.isInfinite { continue }
      let reach = max(0, (bound - values[row]) / rate)
      if reach > distance + tolerance { continue }
      if reach > distance - tolerance {
        let isPreferred =
          isCareful ? tableau.basic[row] < tableau.basic[found] : magnitude > size
        if !isPreferred { continue }
      }
      found = row
      distance = min(distance, reach)
      size = magnitude
    }
    return (found, distance)
  }

  /// Clears the columns of removed constraints by moves that leave all prices right, with all rows
  /// within their bounds; false where there is no such move for one of them.
  mutating func takeOutDroppedColumns() -> Bool {
    while droppedCount > 0 {
      let column = firstDroppedColumn()
      if column < 0 { return false }
      let symbol = symbols.symbols + Int(tableau.nonbasic[column])
      let price = firstCost(of: symbol, column: column, side: 1).cost
      let limit = limitingRow(column: column, side: price > 0 ? -1 : 1, isCareful: false)
      guard limit.row >= 0,
        symbols.symbols[Int(tableau.basic[limit.row])].slope == 0,
        mayPrice(row: limit.row, takingPriceOf: column)
      else { return false }
      exchange(row: limit.row, column: column, side: 1)
    }
    return true
  }

  private func firstDroppedColumn() -> Int {
    for column in tableau.movableColumns
    where symbols.symbols[Int(tableau.nonbasic[column])].kind == .dropped { return column }
    return -1
  }

  /// Clears the columns of removed constraints, whose moves neither pay nor cost any more.
  mutating func clearDroppedColumns() {
    var column = 0
    while droppedCount > 0, column < tableau.columnCount {
      if symbols.symbols[Int(tableau.nonbasic[column])].kind == .dropped {
        clear(column)
      }
      column += 1
    }
  }

  private mutating func clear(_ column: Int) {
    for side: Int8 in [1, -1] {
      let limit = limitingRow(column: column, side: side, isCareful: false)
      if limit.row >= 0 { return exchange(row: limit.row, column: column, side: side) }
    }
    // Only variables follow it: any of them may stand still instead.
    var best = -1
    var size = 0.0
    for row in 0..<tableau.rowCount where abs(tableau.row(row)[column]) > size {
      best = row
      size = abs(tableau.row(row)[column])
    }
    if best >= 0 { exchange(row: best, column: column, side: 1) }
  }
}
