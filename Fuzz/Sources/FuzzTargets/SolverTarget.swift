@testable import ConstraintSolver

extension FuzzTarget {
  /// Constraints added, edited and removed, each byte a decision; the result is held against a slow
  /// reference that tries every choice.
  static let solver = FuzzTarget(
    "solver", modules: ["ConstraintSolver"], longestInput: 160, briefRuns: 6000, seeds: solverSeeds
  ) { bytes in
    var system = SolverSystem(InputBytes(bytes))
    try system.run()
  }

  private static let solverSeeds: [[UInt8]] = (0..<8).map { start in
    (0..<90).map { UInt8(truncatingIfNeeded: ($0 * 37 + start * 101) ^ ($0 >> 2)) }
  }
}

/// A solver and what it was told.
private struct SolverSystem: ~Copyable {
  private struct Live {
    var handle: ConstraintHandle
    var constraint: VertexReference.Constraint
    /// Its constant before it was edited, until that is solved.
    var former: Double?
  }

  private static let priorities: [Float] = [1, 250, 500, 750, 999, 1000, 1000]
  private static let factors: [Double] = [1, 1, -1, -1, 0.5, -0.25, 2, 3, 0]
  /// As far apart as they may be: what they come to is not exact, and only has to come to an end.
  private static let extremes: [Double] = [1, -1, 1e-6, -1e-6, 1e6, -1e6, 1e3, 0.3]
  private static let mostConstraints = 9

  private var input: InputBytes
  private var solver = Solver(expectedVariables: 1, expectedConstraints: 1)
  private var variables: [Variable] = []
  private var live: [Live] = []
  private let isExtreme: Bool

  init(_ input: InputBytes) {
    self.input = input
    isExtreme = self.input.number(below: 8) == 7
  }

  mutating func run() throws {
    let count = 2 + input.number(below: 2)
    for index in 0..<count {
      variables.append(try solver.addVariable())
      // One of its own at the lowest priority, so that the reference has points to try.
      var coefficients = [Double](repeating: 0, count: count)
      coefficients[index] = 1
      try add(
        VertexReference.Constraint(
          coefficients: coefficients, relation: .equal, constant: Double(index), priority: 1))
    }
    while !input.isAtEnd {
      for _ in 0...input.number(below: 3) { try change() }
      try solve()
    }
  }

  private mutating func add(_ constraint: VertexReference.Constraint) throws {
    let padded = constraint.coefficients + [0, 0, 0]
    let terms = variables.indices.map { Term(variables[$0], padded[$0]) }
    let handle = try solver.add(
      terms, constraint.relation, constant: constraint.constant, priority: constraint.priority)
    live.append(Live(handle: handle, constraint: constraint))
  }

  private mutating func change() throws {
    let choice = input.number(below: 12)
    let isFull = live.count >= Self.mostConstraints
    switch choice {
    case 0...5 where !isFull: try add(constraint())
    case 0...8:
      let index = input.number(below: live.count)
      live[index].former = live[index].former ?? live[index].constraint.constant
      live[index].constraint.constant = constant()
      try solver.setConstant(live[index].constraint.constant, of: live[index].handle)
      if live[index].former == live[index].constraint.constant { live[index].former = nil }
    case 9:
      refuse(.nan)
    default:
      guard live.count > variables.count else { return }
      let index = variables.count + input.number(below: live.count - variables.count)
      try solver.remove(live[index].handle)
      let gone = live.remove(at: index)
      try require(!solver.contains(gone.handle), "a removed constraint is still there")
    }
    try checkInvariants(afterSolving: false)
  }

  /// What is refused changes nothing.
  private mutating func refuse(_ value: Double) {
    let other = Term(variables[0], value)
    _ = try? solver.add([other], .equal, constant: 0, priority: 1)
    _ = try? solver.add([Term(variables[0], 1)], .equal, constant: .infinity, priority: 1)
    _ = try? solver.add([Term(variables[0], 1)], .equal, constant: 0, priority: 1001)
  }

  private mutating func constraint() -> VertexReference.Constraint {
    var coefficients = [Double](repeating: 0, count: variables.count)
    for _ in 0...input.number(below: 3) {
      coefficients[input.number(below: variables.count)] = input.element(
        of: isExtreme ? Self.extremes : Self.factors)
    }
    return VertexReference.Constraint(
      coefficients: coefficients,
      relation: input.element(of: [.equal, .lessThanOrEqual, .greaterThanOrEqual]),
      constant: constant(), priority: input.element(of: Self.priorities))
  }

  private mutating func constant() -> Double {
    let value = Double(Int(input.byte()) - 128) / 8
    return isExtreme ? value * 6e7 : value
  }

  private mutating func solve() throws {
    let conflicts: [SolverConflict]
    do throws(SolverError) {
      conflicts = try solver.solve()
    } catch {
      guard isExtreme, case .didNotConverge = error else { throw error }
      // What it gave up before it ended is not told.
      input = InputBytes([])
      return
    }
    for conflict in conflicts {
      let clashing = conflict.clashing.compactMap { handle in
        live.first { $0.handle == handle }?.constraint
      }
      try require(clashing.count == conflict.clashing.count, "a conflict of unknown constraints")
      try require(
        clashing.allSatisfy { $0.priority == Solver.required }, "a conflict of optional ones")
      let index = live.firstIndex { $0.handle == conflict.broken }
      let former = index.flatMap { live[$0].former }
      try require(conflict.isEdit == (former != nil), "an edit and no edit")
      if let index, let former {
        live[index].constraint.constant = former
        live[index].former = nil
      } else {
        try require(!solver.contains(conflict.broken), "a broken constraint is still there")
        live.removeAll { $0.handle == conflict.broken }
      }
    }
    for index in live.indices { live[index].former = nil }
    try checkInvariants(afterSolving: true)
    let constraints = live.map(\.constraint)
    let point = variables.map { solver.value(of: $0) }
    try require(point.allSatisfy(\.isFinite), "values of \(point)")
    guard !isExtreme else { return }
    try require(
      VertexReference.isAllowed(point, constraints), "\(point) breaks a required constraint")
    guard let best = VertexReference.optimum(constraints, variables: variables.count) else {
      throw Finding(description: "a clash was not reported")
    }
    let found = VertexReference.costs(
      at: point, constraints, VertexReference.levels(constraints))
    try require(
      !VertexReference.isLess(best, found) && !VertexReference.isLess(found, best),
      "costs of \(found), best are \(best)")
  }

  private func checkInvariants(afterSolving: Bool) throws(Finding) {
    guard !isExtreme else { return }
    #if DEBUG
      if let fault = solver.brokenInvariant(afterSolving: afterSolving) {
        throw Finding(description: fault)
      }
    #endif
  }
}
