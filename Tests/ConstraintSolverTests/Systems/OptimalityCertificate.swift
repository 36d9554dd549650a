@testable import ConstraintSolver

extension SolvedSystem {
  /// Proves the values to be an optimum, by priorities, out of the constraints as they were given
  /// and the solver's prices; returns what the proof fails on, if anything.
  ///
  /// A constraint's multiplier at a priority is what its cost rises by there, or minus its column's
  /// price. Multiplied and added up, all constraints cancel; where then no marker at 0 may move
  /// without cost at the first priority that it changes, nothing is better.
  func optimalityFault() -> String? {
    let values = values
    for slot in solver.basis.priorityRows.order {
      var sums = [Double](repeating: 0, count: values.count)
      var sizes = sums
      for (handle, constraint) in zip(handles, system.constraints) {
        let multiplier = multiplier(of: handle, slot)
        if multiplier == 0 { continue }
        for (variable, coefficient) in constraint.terms {
          sums[variable] += multiplier * coefficient
          sizes[variable] += abs(multiplier * coefficient)
        }
      }
      for variable in values.indices where !(abs(sums[variable]) <= 1e-7 * max(1, sizes[variable]))
      {
        return "multipliers leave \(sums[variable]) of variable \(variable)"
      }
    }
    for (handle, constraint) in zip(handles, system.constraints) {
      let symbol = solver.basis.symbols[handle.symbol]
      let position = solver.basis.symbols.position(of: handle.symbol)
      if position >= 0 {
        if symbol.kind == .equality { continue }
        for side: Int8 in symbol.kind == .inequality ? [1] : [1, -1] {
          let cost = solver.basis.firstCost(
            of: symbol, column: Int(position), side: side, tolerance: 1e-7
          ).cost
          if cost < 0 { return "moving \(constraint) to \(side) pays \(-cost)" }
        }
      } else if symbol.isSoft {
        let value = constraint.value(at: values) * symbol.orientation
        let isAtZero = abs(value) <= 1e-6 * constraint.scale(at: values)
        if !isAtZero && symbol.slope != symbol.slope(on: value > 0 ? 1 : -1) {
          return "the cost of \(constraint) is taken on the wrong side"
        }
      }
    }
    return nil
  }

  private func multiplier(of handle: ConstraintHandle, _ slot: Int32) -> Double {
    let symbol = solver.basis.symbols[handle.symbol]
    let position = solver.basis.symbols.position(of: handle.symbol)
    if position >= 0 {
      return -solver.basis.tableau.price(Int(position), slot) * symbol.orientation
    }
    return symbol.isSoft && symbol.slot == slot ? symbol.slope * symbol.orientation : 0
  }
}
