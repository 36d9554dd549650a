/// Whether what was solved is the only optimum.
extension Solver {
  /// Looks for another optimum among the values of `variables`; nil where the constraints leave
  /// only one. To be asked after `solve`, in which nothing changes.
  ///
  /// - Throws: `unknownVariable`, and what `solve` throws.
  /// - Complexity: O(variables · priorities) where no column moves for nothing; else two solutions
  ///   of a copy per variable that such a column reaches.
  public borrowing func ambiguity(
    of variables: [Variable]
  ) throws(SolverError) -> SolverAmbiguity? {
    for variable in variables { _ = try basis.symbols.id(of: variable) }
    let free = basis.freeColumns()
    if free.isEmpty { return nil }
    var probe = copy()
    try probe.solve()
    let before = variables.map { probe.value(of: $0) }
    var open: [Variable] = []
    var second: [Double]?
    for (index, variable) in variables.enumerated()
    where basis.reaches(free, variable.symbol) {
      for step in [1.0, -1] {
        // Below every priority there is: it moves only what nothing else holds.
        let term: InlineArray<1, Term> = [Term(variable)]
        let wish = try probe.enter(
          term.span, .equal, constant: -(before[index] + step), priority: 0, isProtected: false,
          age: nil)
        try probe.solve()
        let change = abs(probe.value(of: variable) - before[index])
        let hasMoved = change > 1e-6 * max(1, abs(before[index]))
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
}
