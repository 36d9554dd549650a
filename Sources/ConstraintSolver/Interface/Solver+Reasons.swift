/// Explains values by the constraints that determine them.
extension Solver {
  /// The constraints that determine a sum of variables.
  package struct Reasons {
    /// Constraints at their limits: without any one of them the sum could change.
    package fileprivate(set) var constraints: [ConstraintHandle] = []
    /// Variables that stay 0 because they cannot be negative.
    package fileprivate(set) var nonnegative: [Variable] = []
    /// Whether the sum also depends on a symbol that no constraint holds.
    package fileprivate(set) var isOpen = false
  }

  /// The constraints that determine the sum of `terms`, read from the tableau of the last `solve`.
  ///
  /// - Complexity: O(terms · variables).
  package borrowing func reasons(for terms: [Term]) -> Reasons {
    var row = [Double](repeating: 0, count: basis.tableau.columnCount)
    for term in terms where (try? basis.symbols.id(of: term.variable)) != nil {
      let position = Int(basis.symbols.position(of: term.variable.symbol))
      if position >= 0 {
        row[position] += term.coefficient
      } else {
        let line = basis.tableau.row(~position)
        for column in row.indices { row[column] += term.coefficient * line[column] }
      }
    }
    var reasons = Reasons()
    for (column, share) in row.enumerated() where abs(share) > 1e-9 {
      let id = basis.tableau.nonbasic(column)
      switch basis.symbols[id].kind {
      case .unused, .variable, .dropped: reasons.isOpen = true
      case .nonnegative: reasons.nonnegative.append(basis.symbols.variable(id))
      default: reasons.constraints.append(basis.symbols.handle(id))
      }
    }
    return reasons
  }
}
