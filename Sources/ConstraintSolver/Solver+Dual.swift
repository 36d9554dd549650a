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
        tableau.suspectAll()
        return .stalled
      }

      let symbol = symbols.symbols + Int(tableau.basic[row])
      if droppedCount > 0 && !isRelaxed && symbol.pointee.slope == 0 {
        let column = droppedColumnToTake(row)
        if column >= 0 {
          exchange(row: row, column: column, side: 1)
          continue
        }
      }
      let need: Double = tableau.constants[row] < tableau.lower[row] ? 1 : -1
      let choice = cheapestColumn(row: row, need: need, isCareful: isCareful)
      if symbol.pointee.isSoft && !isRelaxed
        && crossing(symbol.pointee, need, isCheaperThan: choice.move)
      {
        cross(row, to: need > 0 ? -1 : 1)
        continue
      }
      guard let move = choice.move else {
        tableau.suspectAll()
        return choice.sawDropped ? .blockedByDropped : .stuck(row: row)
      }
      idleSteps = choice.isFree ? idleSteps + 1 : 0
      exchange(row: row, column: move.column, side: move.side > 0 ? 1 : -1)
    }
  }

  private mutating func leastViolatedSymbol() -> Int {
    var found = -1
    for row in 0..<tableau.rowCount where tableau.isViolated(row) {
      if found < 0 || tableau.basic[row] < tableau.basic[found] { found = row }
    }
    if found >= 0 { tableau.suspectAll() }
    return found
  }

  /// Moving a column's symbol away from 0, to move a row.
  private struct Move {
    var column: Int
    /// Side of 0 to which the symbol moves.
    var side: Double
    /// Of the row's cell in the column.
    var magnitude: Double
    /// The objective row in which the symbol's own cost counts, or -1, and that cost.
    var slot: Int32
    var weight: Double
  }

  private struct Choice {
    var move: Move?
    /// True where moving costs nothing at any priority.
    var isFree = true
    var sawDropped = false
  }

  /// The column that moves the row in the direction `need` at the least cost a unit, priorities
  /// compared in their order.
  private mutating func cheapestColumn(row: Int, need: Double, isCareful: Bool) -> Choice {
    var best = Move(column: -1, side: 0, magnitude: 0, slot: -1, weight: 0)
    var sawDropped = false
    let line = tableau.row(row)
    let nonbasic = tableau.nonbasic
    let symbols = symbols.symbols
    for column in tableau.movableColumns {
      let cell = line[column] * need
      let magnitude = abs(cell)
      if magnitude <= Solver.smallestPivot { continue }
      let symbol = symbols + Int(nonbasic[column])
      let kind = symbol.pointee.kind
      if kind == .inequality && cell < 0 { continue }
      if kind == .dropped && !isRelaxed {
        sawDropped = true
        continue
      }
      var move = Move(
        column: column, side: cell > 0 ? 1 : -1, magnitude: magnitude, slot: -1, weight: 0)
      if symbol.pointee.isSoft {
        move.slot = symbol.pointee.slot
        move.weight = cell > 0 ? symbol.pointee.upWeight : symbol.pointee.downWeight
      }
      if best.column >= 0 {
        let order = isRelaxed ? 0 : compareCosts(move, best)
        if order > 0 { continue }
        if order == 0 {
          let isPreferred =
            isCareful ? nonbasic[column] < nonbasic[best.column] : magnitude > best.magnitude
          if !isPreferred { continue }
        }
      }
      best = move
    }
    guard best.column >= 0 else { return Choice(sawDropped: sawDropped) }
    var isFree = true
    if !isRelaxed {
      for slot in priorityRows.order where cost(best, slot) > Solver.priceTolerance {
        isFree = false
        break
      }
    }
    return Choice(move: best, isFree: isFree, sawDropped: sawDropped)
  }

  /// What moving by one costs at the priority of `slot`.
  @inline(__always)
  private func cost(_ move: Move, _ slot: Int32) -> Double {
    var cost = tableau.objective[Int(slot) &* tableau.stride &+ move.column] * move.side
    if move.slot == slot { cost += move.weight }
    return abs(cost) < Solver.priceTolerance ? 0 : cost
  }

  /// -1 where the first move costs less than the second for the same change of the row, 1 where more.
  @inline(__always)
  private func compareCosts(_ first: Move, _ second: Move) -> Int {
    let tolerance = Solver.priceTolerance * max(first.magnitude, second.magnitude)
    for slot in priorityRows.order {
      let left = cost(first, slot) * second.magnitude
      let right = cost(second, slot) * first.magnitude
      if left < right - tolerance { return -1 }
      if left > right + tolerance { return 1 }
    }
    return 0
  }

  /// Whether letting an optional basic marker cross 0, against `need`, costs no more than holding it.
  private func crossing(_ symbol: Symbol, _ need: Double, isCheaperThan move: Move?) -> Bool {
    guard let move else { return true }
    let price = abs(slope(of: symbol.kind, side: need > 0 ? -1 : 1) - symbol.slope)
    for slot in priorityRows.order {
      let hold = cost(move, slot) / move.magnitude
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
