/// One pass over everything added, removed and edited since the last one.
extension Solver {
  /// Brings all values to the optimum. Where required constraints clash one of them is refused, the
  /// rest is solved, and what clashed is returned; several conflicts where there are several.
  ///
  /// - Throws: `didNotConverge`, when rounding defeats the simplex even on freshly computed numbers.
  /// - Complexity: O(constraints) where nothing is out of place, else O(variables · constraints) a
  ///   pivot; an edit or a switch of a layout takes zero to three.
  @discardableResult
  public mutating func solve() throws(SolverError) -> [SolverConflict] {
    if pivotCount - pivotsAtRefactoring > Solver.pivotsBetweenRefactorings { try refactor() }
    if !settle() {
      // Numbers may have drifted; once more on fresh ones.
      try refactor()
      if !repair() { throw .didNotConverge(steps: stepLimit) }
    }
    if pendingConflicts.isEmpty { return [] }
    let found = pendingConflicts
    pendingConflicts = []
    return found
  }

  /// Rounding errors are cleared after so many pivots.
  static var pivotsBetweenRefactorings: Int { 4096 }

  var stepLimit: Int { 200 + 50 * (tableau.rowCount + tableau.columnCount) }

  /// False where a simplex did not end within its steps.
  private mutating func settle() -> Bool {
    guard isDualFeasible else {
      return hasViolatedRow() ? repair() : settlePrices()
    }
    while true {
      switch runDual() {
      case .solved: return takeOutDroppedColumns() ? true : settlePrices()
      case .stalled: return false
      case .blockedByDropped: return repair()
      case .stuck(let row):
        if !resolveConflict(at: row) { return repair() }
      }
    }
  }

  private mutating func hasViolatedRow() -> Bool {
    let isViolated = tableau.takeMostViolatedRow() >= 0
    if isViolated { tableau.suspectAll() }
    return isViolated
  }

  /// With all rows within their bounds: runs the primal simplex, then clears removed columns.
  private mutating func settlePrices() -> Bool {
    guard runPrimal() else { return false }
    isDualFeasible = true
    clearDroppedColumns()
    return true
  }

  /// From any state: prices forgotten, rows made right, prices made anew and right.
  mutating func repair() -> Bool {
    isRelaxed = true
    for slot in priorityRows.order {
      tableau.objectiveRow(Int(slot)).update(repeating: 0, count: tableau.stride)
    }
    for row in 0..<tableau.rowCount { setBounds(row) }
    var isFeasible = false
    while !isFeasible {
      switch runDual() {
      case .solved: isFeasible = true
      case .stalled, .blockedByDropped:
        isRelaxed = false
        priceAnew()
        isDualFeasible = false
        return false
      case .stuck(let row): _ = resolveConflict(at: row)
      }
    }
    isRelaxed = false
    priceAnew()
    return settlePrices()
  }

  /// Chooses each basic marker's side by its value, and computes bounds and objective rows from that.
  mutating func priceAnew() {
    for slot in priorityRows.order {
      tableau.objectiveRow(Int(slot)).update(repeating: 0, count: tableau.stride)
    }
    for row in 0..<tableau.rowCount {
      let symbol = symbols.symbols + Int(tableau.basic[row])
      if symbol.pointee.isSoft {
        let value = tableau.constants[row]
        symbol.pointee.side =
          value > feasibilityTolerance
          ? 1 : value < -feasibilityTolerance ? -1 : symbol.pointee.kind == .softEquality ? 0 : 1
        let slope = symbol.pointee.slope
        if slope != 0 {
          tableau.accumulate(
            tableau.objectiveRow(Int(symbol.pointee.slot)), slope, tableau.row(row))
        }
      }
      setBounds(row)
    }
  }

  /// The stuck row's required constraints clash: refuses one and notes the report. True where the
  /// row itself was the one, so that prices are as right as before.
  private mutating func resolveConflict(at row: Int) -> Bool {
    let line = tableau.row(row)
    var clashing = [tableau.basic[row]]
    for column in 0..<tableau.columnCount where abs(line[column]) > Solver.smallestPivot {
      clashing.append(tableau.nonbasic[column])
    }
    clashing.sort { symbols.symbols[Int($0)].stamp < symbols.symbols[Int($1)].stamp }
    var broken = clashing[clashing.count - 1]
    for id in clashing where !symbols.symbols[Int(id)].isProtected { broken = id }
    pendingConflicts.append(
      SolverConflict(broken: handle(broken), clashing: clashing.map { handle($0) }))
    let isRow = broken == tableau.basic[row]
    drop(Int(broken))
    return isRow
  }

  private func handle(_ id: Int32) -> ConstraintHandle {
    ConstraintHandle(symbol: id, generation: symbols.places[Int(id)].generation)
  }

  /// Computes the tableau from the constraints as given, with the same symbols basic as before, so
  /// that values stay what they were but for the rounding errors they had gathered.
  ///
  /// - Throws: `didNotConverge`, where the prices could not be made right.
  mutating func refactor() throws(SolverError) {
    pivotsAtRefactoring = pivotCount
    var variables: [Int32] = []
    var markers: [Int32] = []
    var wasBasic = [Bool](repeating: false, count: symbols.count)
    for row in 0..<tableau.rowCount { wasBasic[Int(tableau.basic[row])] = true }
    for id in 0..<Int32(symbols.count) {
      switch symbols.symbols[Int(id)].kind {
      case .unused: break
      case .variable: variables.append(id)
      default: markers.append(id)
      }
    }
    tableau.removeAll()
    freeVariableCount = variables.count
    for id in variables { symbols.places[Int(id)].position = Int32(tableau.appendColumn(id)) }
    for id in markers {
      let row = tableau.appendRow(id)
      symbols.places[Int(id)].position = ~Int32(row)
      let symbol = symbols.symbols[Int(id)]
      tableau.constants[row] = symbol.constant
      let line = tableau.row(row)
      let start = Int(symbol.termStart)
      for index in start..<(start + Int(symbol.termCount)) {
        line[Int(symbols.places[Int(symbols.termSymbols[index])].position)] +=
          symbols.termCoefficients[index]
      }
    }
    var isSameBasis = true
    for id in variables where wasBasic[Int(id)] {
      let column = Int(symbols.places[Int(id)].position)
      var best = -1
      var size = Solver.smallestPivot
      for row in 0..<tableau.rowCount {
        let basic = Int(tableau.basic[row])
        guard symbols.symbols[basic].kind != .variable, !wasBasic[basic] else { continue }
        let magnitude = abs(tableau.row(row)[column])
        if magnitude > size {
          best = row
          size = magnitude
        }
      }
      guard best >= 0 else {
        isSameBasis = false
        continue
      }
      let leaving = tableau.basic[best]
      tableau.pivot(row: best, column: column)
      tableau.basic[best] = id
      tableau.nonbasic[column] = leaving
      tableau.setMovable(column, symbols.symbols[Int(leaving)].kind != .equality)
      freeVariableCount -= 1
      symbols.places[Int(id)].position = ~Int32(best)
      symbols.places[Int(leaving)].position = Int32(column)
    }
    // Sides are kept: they are part of the state whose prices are right.
    for row in 0..<tableau.rowCount {
      let symbol = symbols.symbols[Int(tableau.basic[row])]
      let slope = symbol.slope
      if slope != 0 {
        tableau.accumulate(tableau.objectiveRow(Int(symbol.slot)), slope, tableau.row(row))
      }
      setBounds(row)
    }
    for row in (0..<tableau.rowCount).reversed()
    where symbols.symbols[Int(tableau.basic[row])].kind == .dropped {
      removeDroppedRow(row)
    }
    if !isSameBasis && !repair() { throw .didNotConverge(steps: stepLimit) }
  }
}
