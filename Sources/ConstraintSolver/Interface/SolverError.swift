/// Errors of `Solver`. A call that throws leaves the solver as it was, except for `didNotConverge`.
public enum SolverError: Error, Hashable, Sendable {
  /// A constant that is not a number, infinite, or beyond ±1e9.
  case constantOutOfRange(Double)
  /// A coefficient that is not a number, infinite, or of a magnitude outside 1e-6…1e6. Zero is
  /// allowed and drops its term.
  case coefficientOutOfRange(Double)
  /// A priority outside 1…1000, or not a number.
  case priorityOutOfRange(Float)
  /// The constraint was removed or refused before, or belongs to another solver.
  case unknownConstraint(ConstraintHandle)
  /// The variable was removed before, or belongs to another solver.
  case unknownVariable(Variable)
  /// The variable cannot be removed while this many constraints mention it.
  case variableInUse(Variable, constraints: Int)
  /// The solver already holds the maximum number of variables, given here.
  case tooManyVariables(limit: Int)
  /// The solver already holds the maximum number of constraints, given here.
  case tooManyConstraints(limit: Int)
  /// Rounding kept the simplex from converging within this many steps; values are no optimum.
  case didNotConverge(steps: Int)
}

extension SolverError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constantOutOfRange(let value): "constant \(value) is not within ±1e9"
    case .coefficientOutOfRange(let value): "coefficient \(value) is not within 1e-6…1e6"
    case .priorityOutOfRange(let value): "priority \(value) is not within 1…1000"
    case .unknownConstraint: "the constraint is not in this solver"
    case .unknownVariable: "the variable is not in this solver"
    case .variableInUse(_, let count):
      "the variable stands in \(count == 1 ? "a constraint" : "\(count) constraints")"
    case .tooManyVariables(let limit): "more than \(limit) variables"
    case .tooManyConstraints(let limit): "more than \(limit) constraints"
    case .didNotConverge(let steps): "no optimum after \(steps) steps"
    }
  }
}
