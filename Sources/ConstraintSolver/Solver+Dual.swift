/// The dual simplex: prices right, rows made right. It also lets an optional constraint's marker
/// cross 0 without a pivot, where that costs less than any move which would hold it there.
extension Solver {
  enum DualOutcome {
    case solved
    /// No column may move this row into its bounds: its required constraints clash.
    case stuck(row: Int)
    /// As `stuck`, but columns of removed constraints could move it.
    case blockedByDropped
    /// Out of steps.
    case stalled
  }

  /// - Complexity: O(variables · constraints) a step.
  mutating func runDual() -> DualOutcome {
    var steps = 0
    var idleSteps = 0
    while true {
      // Steps that gain nothing could repeat for ever; Bland's rule of least indices cannot.
      let isCareful = idleSteps > 20 + tableau.rowCount
      let row = isCareful ? leastViolatedSymbol() : tableau.takeMostViolatedRow()
      if row < 0 { return .solved }
      steps += 1
      if steps > stepLimit {
        tableau.mayBeViolated = true
        return .stalled
      }

      let need: Double = tableau.constants[row] < tableau.lower[row] ? 1 : -1
      let choice = cheapestColumn(row: row, need: need, isCareful: isCareful)
      let symbol = symbols.symbols[Int(tableau.basic[row])]
      if symbol.isSoft && !isRelaxed && crossing(symbol, need, isCheaperThan: choice) {
        cross(row, to: need > 0 ? -1 : 1)
        continue
      }
      guard choice.column >= 0 else {
        tableau.mayBeViolated = true
        return choice.sawDropped ? .blockedByDropped : .stuck(row: row)
      }
      idleSteps = choice.isFree ? idleSteps + 1 : 0
      exchange(row: row, column: choice.column, side: choice.side)
    }
  }

  private mutating func leastViolatedSymbol() -> Int {
    var found = -1
    for row in 0..<tableau.rowCount where tableau.isViolated(row) {
      if found < 0 || tableau.basic[row] < tableau.basic[found] { found = row }
    }
    tableau.mayBeViolated = found >= 0
    return found
  }

  private struct Choice {
    var column = -1
    /// Side of 0 to which the column's symbol moves.
    var side: Int8 = 0
    var magnitude = 0.0
    /// True where moving costs nothing at any priority.
    var isFree = true
    var sawDropped = false
  }

  /// The column that moves the row in the direction `need` at the least cost a unit, priorities
  /// compared in their order.
  private mutating func cheapestColumn(row: Int, need: Double, isCareful: Bool) -> Choice {
    var choice = Choice()
    let line = tableau.row(row)
    let nonbasic = tableau.nonbasic
    let symbols = symbols.symbols
    for column in 0..<tableau.columnCount {
      if line[column] == 0 { continue }
      let kind = symbols[Int(nonbasic[column])].kind
      if kind == .equality { continue }
      let cell = line[column] * need
      let magnitude = abs(cell)
      if magnitude <= Solver.smallestPivot || (kind == .inequality && cell < 0) { continue }
      if kind == .dropped && !isRelaxed {
        choice.sawDropped = true
        continue
      }
      let side: Int8 = cell > 0 ? 1 : -1
      if choice.column >= 0 {
        let order = isRelaxed ? 0 : compareCosts(column, side, magnitude, choice)
        if order > 0 { continue }
        if order == 0 {
          let isPreferred =
            isCareful ? nonbasic[column] < nonbasic[choice.column] : magnitude > choice.magnitude
          if !isPreferred { continue }
        }
      }
      choice.column = column
      choice.side = side
      choice.magnitude = magnitude
    }
    if choice.column >= 0 && !isRelaxed {
      for slot in levels.order
      where cost(choice.column, choice.side, slot) > Solver.priceTolerance {
        choice.isFree = false
        break
      }
    }
    return choice
  }

  /// What moving a column's symbol by one to `side` of 0 costs at the priority of `slot`.
  @inline(__always)
  private func cost(_ column: Int, _ side: Int8, _ slot: Int32) -> Double {
    let symbol = symbols.symbols + Int(tableau.nonbasic[column])
    var cost = tableau.objectiveRow(Int(slot))[column] * Double(side)
    if symbol.pointee.isSoft && symbol.pointee.slot == slot {
      cost += side > 0 ? symbol.pointee.upWeight : symbol.pointee.downWeight
    }
    return abs(cost) < Solver.priceTolerance ? 0 : cost
  }

  /// -1 where moving the row by `column` costs less a unit than by the choice so far, 1 where more.
  private mutating func compareCosts(
    _ column: Int, _ side: Int8, _ magnitude: Double, _ choice: Choice
  ) -> Int {
    for slot in levels.order {
      let left = cost(column, side, slot) * choice.magnitude
      let right = cost(choice.column, choice.side, slot) * magnitude
      let tolerance = Solver.priceTolerance * max(magnitude, choice.magnitude)
      if left < right - tolerance { return -1 }
      if left > right + tolerance { return 1 }
    }
    return 0
  }

  /// Whether letting an optional basic marker cross 0, against `need`, costs no more than holding it.
  private mutating func crossing(_ symbol: Symbol, _ need: Double, isCheaperThan choice: Choice)
    -> Bool
  {
    guard choice.column >= 0 else { return true }
    let price = abs(slope(of: symbol.kind, side: need > 0 ? -1 : 1) - symbol.slope)
    for slot in levels.order {
      let hold = cost(choice.column, choice.side, slot) / choice.magnitude
      let cross = slot == symbol.slot ? price : 0
      if cross < hold - Solver.priceTolerance { return true }
      if cross > hold + Solver.priceTolerance { return false }
    }
    return true
  }

  private func slope(of kind: Symbol.Kind, side: Int8) -> Double {
    kind == .softEquality ? Double(side) : side < 0 ? -1 : 0
  }

  private mutating func cross(_ row: Int, to side: Int8) {
    let symbol = symbols.symbols + Int(tableau.basic[row])
    let change = slope(of: symbol.pointee.kind, side: side) - symbol.pointee.slope
    symbol.pointee.side = side
    tableau.accumulate(
      tableau.objectiveRow(Int(symbol.pointee.slot)), change, tableau.row(row))
    setBounds(row)
  }
}
