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
    for column in 0..<tableau.columnCount {
      let symbol = symbols.symbols + Int(tableau.nonbasic[column])
      let kind = symbol.pointee.kind
      if kind == .equality { continue }
      for side: Int8 in kind == .inequality ? [1] : [1, -1] {
        var level = 0
        for slot in levels.order {
          var cost = tableau.objectiveRow(Int(slot))[column] * Double(side)
          if symbol.pointee.isSoft && symbol.pointee.slot == slot {
            cost += side > 0 ? symbol.pointee.upWeight : symbol.pointee.downWeight
          }
          if cost > Solver.priceTolerance { break }
          if cost < -Solver.priceTolerance {
            let isBetter =
              isCareful
              ? best < 0 || tableau.nonbasic[column] < tableau.nonbasic[best]
              : level < bestLevel || (level == bestLevel && cost < bestGain)
            if isBetter {
              best = column
              bestSide = side
              bestLevel = level
              bestGain = cost
            }
            break
          }
          level += 1
        }
      }
    }
    return best < 0 ? nil : (best, bestSide)
  }

  /// The row that reaches a bound first when the column's symbol moves to `side`, or -1.
  private mutating func limitingRow(
    column: Int, side: Int8, isCareful: Bool
  ) -> (row: Int, distance: Double) {
    var found = -1
    var distance = Double.infinity
    var size = 0.0
    for row in 0..<tableau.rowCount {
      let rate = tableau.row(row)[column] * Double(side)
      let magnitude = abs(rate)
      if magnitude <= Solver.smallestPivot { continue }
      let bound = rate < 0 ? tableau.lower[row] : tableau.upper[row]
      if bound.isInfinite { continue }
      let reach = max(0, (bound - tableau.constants[row]) / rate)
      if reach > distance + feasibilityTolerance { continue }
      if reach > distance - feasibilityTolerance {
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
