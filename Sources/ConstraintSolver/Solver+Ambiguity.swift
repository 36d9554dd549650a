/// Tells whether the solution is the only optimum.
extension Solver {
  /// Looks for another optimum with other values of `variables`; `nil` if there is none. To be
  /// called after `solve`; it changes nothing.
  ///
  /// - Throws: `unknownVariable`; `constantOutOfRange` if a value is at the limit of constants,
  ///   `tooManyConstraints` if there is no room for one more; and the errors of `solve`.
  /// - Complexity: O(variables · priorities) if no column moves at no cost; else two solves of a
  ///   copy for each variable that such a column moves.
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
        // Below every allowed priority, so it moves only what nothing else holds.
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
