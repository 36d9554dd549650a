import ConstraintSolver

/// So many cells below each other in one solver: what a table-wide engine would cost.
struct Stack: ~Copyable {
  var solver = Solver()
  var variables: [Variable] = []

  init(cells: Int) throws {
    solver = Solver(expectedVariables: 24 * cells, expectedConstraints: 30 * cells)
    for _ in 0..<(24 * cells) { variables.append(try solver.addVariable()) }
    for cell in 0..<cells {
      let first = cell * 24
      for (index, row) in Cell.fixed.enumerated() {
        // The top of all but the first is the bottom of the one before.
        if index == 1 && cell > 0 {
          try add([(1, 1), (1 - 24, -1), (3 - 24, -1)], .equal, 0, 1000, first)
        } else {
          try add(row.terms, row.relation, row.constant, row.priority, first)
        }
      }
      try add([(Cell.name + 3, 1)], .equal, -Double(1 + cell % 3), 750, first)
      try add([(Cell.comment + 3, 1)], .equal, -Double(2 + cell % 5), 750, first)
      try add([(Cell.picture + 3, 1), (Cell.picture + 2, -0.5)], .equal, 0, 1000, first)
      try add(
        [(1, 1), (3, 1), (Cell.time + 1, -1), (Cell.time + 3, -1)], .greaterThanOrEqual, -1, 1000,
        first)
    }
    try solver.solve()
  }

  private mutating func add(
    _ row: [(variable: Int, coefficient: Double)], _ relation: Relation, _ constant: Double,
    _ priority: Float, _ first: Int
  ) throws {
    var terms = InlineArray<4, Term>(repeating: Term(variables[0], 0))
    for (index, term) in row.enumerated() {
      terms[index] = Term(variables[first + term.variable], term.coefficient)
    }
    try solver.add(
      terms.span.extracting(first: row.count), relation, constant: constant, priority: priority)
  }

  /// Top and height of the last cell added up.
  var bottom: Double {
    solver.value(of: variables[variables.count - 23])
      + solver.value(of: variables[variables.count - 21])
  }
}
