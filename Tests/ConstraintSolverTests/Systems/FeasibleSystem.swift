import ConstraintSolver
import TestSupport

/// Random constraints of which a known point satisfies all that are required.
struct FeasibleSystem {
  struct Constraint {
    var terms: [(variable: Int, coefficient: Double)]
    var relation: Relation
    var constant: Double
    var priority: Float

    var isRequired: Bool { priority == Solver.required }

    /// The left side at a point.
    func value(at point: [Double]) -> Double {
      terms.reduce(constant) { $0 + $1.coefficient * point[$1.variable] }
    }

    /// How far a point is from satisfying it.
    func violation(at point: [Double]) -> Double {
      let value = value(at: point)
      return switch relation {
      case .equal: abs(value)
      case .lessThanOrEqual: max(0, value)
      case .greaterThanOrEqual: max(0, -value)
      }
    }

    /// The largest of the numbers in it and of the values it is about.
    func scale(at point: [Double]) -> Double {
      terms.reduce(abs(constant)) {
        let value = point[$1.variable]
        return max($0, abs($1.coefficient), abs(value), abs($1.coefficient * value))
      }
    }
  }

  static let factors: [Double] = [1, -1, 0.5, -0.5, 2, -2, 0.25, -3, 0.3073, 1.7777]
  /// Those that are exact in a few bits.
  static let shortFactors = Array(factors.prefix(8))
  static let priorities: [Float] = [1, 50, 250, 250.5, 499, 500, 750, 750, 999]

  let point: [Double]
  let factors: [Double]
  var constraints: [Constraint] = []

  init(
    variables: Int, constraints count: Int, factors: [Double] = factors,
    using generator: inout SeededGenerator
  ) {
    point = (0..<variables).map { _ in Double(Int.random(in: -50...50, using: &generator)) }
    self.factors = factors
    for _ in 0..<count { constraints.append(constraint(using: &generator)) }
  }

  func constraint(using generator: inout SeededGenerator) -> Constraint {
    var variables: [Int] = []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let variable = Int.random(in: point.indices, using: &generator)
      if !variables.contains(variable) { variables.append(variable) }
    }
    let terms = variables.map { ($0, factors.randomElement(using: &generator) ?? 1) }
    let isRequired = Int.random(in: 0..<5, using: &generator) < 3
    let relations: [Relation] = [.equal, .lessThanOrEqual, .greaterThanOrEqual]
    var made = Constraint(
      terms: terms, relation: relations.randomElement(using: &generator) ?? .equal, constant: 0,
      priority: isRequired
        ? Solver.required : Self.priorities.randomElement(using: &generator) ?? 1)
    made.constant = constant(of: made, using: &generator)
    return made
  }

  /// Any constant where the constraint is optional, else one that the point allows.
  func constant(of constraint: Constraint, using generator: inout SeededGenerator) -> Double {
    guard constraint.isRequired else {
      return Double(Int.random(in: -50...50, using: &generator))
    }
    var bare = constraint
    bare.constant = 0
    let room = Double(max(0, Int.random(in: -5...20, using: &generator)))
    return -bare.value(at: point) + Double(constraint.relation.rawValue) * room
  }

  /// Costs by priority, highest first.
  func costs(at point: [Double]) -> [Double] {
    let levels = Set(constraints.map(\.priority)).filter { $0 < Solver.required }.sorted(by: >)
    return levels.map { level in
      constraints.reduce(0) { $0 + ($1.priority == level ? $1.violation(at: point) : 0) }
    }
  }
}

/// A solver that was given such a system.
struct SolvedSystem: ~Copyable {
  var solver = Solver()
  var variables: [Variable] = []
  var handles: [ConstraintHandle] = []
  var system: FeasibleSystem

  init(_ system: FeasibleSystem) throws {
    self.system = system
    for _ in system.point { variables.append(try solver.addVariable()) }
    for constraint in system.constraints { handles.append(try add(constraint)) }
  }

  private mutating func add(_ constraint: FeasibleSystem.Constraint) throws -> ConstraintHandle {
    try solver.add(
      constraint.terms.map { Term(variables[$0.variable], $0.coefficient) }, constraint.relation,
      constant: constraint.constant, priority: constraint.priority)
  }

  /// Adds, removes or edits one constraint, so that the point still satisfies what is required.
  mutating func change(upTo most: Int, using generator: inout SeededGenerator) throws {
    let choice = Int.random(in: 0..<4, using: &generator)
    let index = Int.random(in: handles.indices, using: &generator)
    if choice == 0, handles.count < most {
      let constraint = system.constraint(using: &generator)
      handles.append(try add(constraint))
      system.constraints.append(constraint)
    } else if choice == 1, handles.count > 1 {
      try solver.remove(handles.remove(at: index))
      system.constraints.remove(at: index)
    } else {
      let constant = system.constant(of: system.constraints[index], using: &generator)
      system.constraints[index].constant = constant
      try solver.setConstant(constant, of: handles[index])
    }
  }

  var values: [Double] { variables.map { solver.value(of: $0) } }

  /// Solves; returns what is wrong with the values, if anything.
  mutating func faultAfterSolving() -> String? {
    do {
      let conflicts = try solver.solve()
      guard conflicts.isEmpty else { return "\(conflicts.count) conflicts" }
    } catch {
      return "\(error)"
    }
    let values = values
    for constraint in system.constraints where constraint.isRequired {
      let violation = constraint.violation(at: values)
      if !(violation <= 1e-6 * constraint.scale(at: values)) {
        return "a required constraint is violated by \(violation)"
      }
    }
    return nil
  }
}
