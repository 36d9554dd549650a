/// Why a value is what it is.
extension Solver {
  /// What fixes a sum of variables.
  package struct Reasons {
    /// Constraints at their limits: without any one of them the sum could change.
    package fileprivate(set) var constraints: [ConstraintHandle] = []
    /// Sizes that stay 0 since they cannot be less.
    package fileprivate(set) var nonnegative: [Variable] = []
    /// Whether something that no constraint holds moves the sum, too.
    package fileprivate(set) var isOpen = false
  }

  /// What fixes the sum of `terms`, as of the last `solve`: a row of the tableau, read.
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
