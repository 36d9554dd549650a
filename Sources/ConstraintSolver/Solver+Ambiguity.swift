/// A second optimum, as good at every priority as the one that `solve` chose.
public struct SolverAmbiguity: Sendable {
  /// Every variable whose value the constraints leave open, in the order asked about.
  public let variables: [Variable]
  /// Values of a second optimum, in the order asked about. At least one differs.
  public let values: [Double]
}

/// Whether the constraints determine the values at all.
extension Solver {
  /// Looks for another optimum among the values of `variables`; nil where the constraints leave only
  /// one. To be asked after `solve`, in which nothing changes.
  ///
  /// - Throws: `unknownVariable`, and what `solve` throws.
  /// - Complexity: O(variables · priorities) where no column moves for nothing; else two solutions of
  ///   a copy per variable that such a column reaches.
  public borrowing func ambiguity(
    of variables: [Variable]
  ) throws(SolverError) -> SolverAmbiguity? {
    for variable in variables { _ = try checked(variable) }
    let free = freeColumns()
    if free.isEmpty { return nil }
    var probe = copy()
    try probe.solve()
    let before = variables.map { probe.value(of: $0) }
    var open: [Variable] = []
    var second: [Double]?
    for (index, variable) in variables.enumerated() where reaches(free, variable) {
      for step in [1.0, -1] {
        // Below every priority there is: it moves only what nothing else holds.
        let wish = try probe.addWish(variable, before[index] + step)
        try probe.solve()
        let hasMoved = abs(probe.value(of: variable) - before[index]) > 1e-6 * scale
        if hasMoved && second == nil { second = variables.map { probe.value(of: $0) } }
        try probe.remove(wish)
        if hasMoved {
          open.append(variable)
          break
        }
      }
      try probe.solve()
    }
    guard let second else { return nil }
    return SolverAmbiguity(variables: open, values: second)
  }

  /// Columns whose move from 0, to one side or both, costs nothing at any priority.
  private borrowing func freeColumns() -> [Int] {
    var columns: [Int] = []
    for column in 0..<tableau.columnCount {
      let symbol = symbols.symbols[Int(tableau.nonbasic[column])]
      if symbol.kind == .equality { continue }
      for side: Double in symbol.kind == .inequality ? [1] : [1, -1] {
        var isFree = true
        for slot in priorityRows.order {
          var cost = tableau.objectiveRow(Int(slot))[column] * side
          if symbol.isSoft && symbol.slot == slot {
            cost += side > 0 ? symbol.upWeight : symbol.downWeight
          }
          if abs(cost) > Solver.priceTolerance { isFree = false }
        }
        if isFree {
          columns.append(column)
          break
        }
      }
    }
    return columns
  }

  /// Whether moving one of the columns moves the variable.
  private borrowing func reaches(_ columns: [Int], _ variable: Variable) -> Bool {
    let position = symbols.places[Int(variable.symbol)].position
    if position >= 0 { return columns.contains(Int(position)) }
    let line = tableau.row(Int(~position))
    return columns.contains { abs(line[$0]) > Solver.smallestPivot }
  }

  /// variable == value, at a priority below all others.
  private mutating func addWish(
    _ variable: Variable, _ value: Double
  ) throws(SolverError) -> ConstraintHandle {
    let terms: InlineArray<1, Term> = [Term(variable)]
    return try enter(
      terms.span, .equal, constant: -value, priority: 0, isProtected: false, age: nil)
  }
}
