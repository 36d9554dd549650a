import ConstraintSolver
import TestSupport
import Testing

/// Random systems that are added to, removed from and edited, against the slow reference.
struct RandomSystemTests {
  struct Live {
    var handle: ConstraintHandle
    var constraint: VertexReference.Constraint
    /// Its constant before it was edited, until that is solved.
    var former: Double?
  }

  static let priorities: [Float] = [1, 50, 250, 250, 499, 500, 750, 750, 999, 1000, 1000, 1000]

  static let factors: [Double] = [1, 1, -1, -1, 0.5, -0.25, 2, 3]

  static func randomConstraint(
    _ variables: Int, using generator: inout SeededGenerator
  ) -> VertexReference.Constraint {
    var coefficients = [Double](repeating: 0, count: variables)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let value = Self.factors.randomElement(using: &generator) ?? 1
      coefficients[Int.random(in: 0..<variables, using: &generator)] = value
    }
    let relations: [Relation] = [.equal, .lessThanOrEqual, .greaterThanOrEqual]
    return VertexReference.Constraint(
      coefficients: coefficients, relation: relations.randomElement(using: &generator) ?? .equal,
      constant: Double(Int.random(in: -12...12, using: &generator)),
      priority: priorities.randomElement(using: &generator) ?? 1)
  }

  @Test(arguments: 0..<30)
  func agreesWithReference(round: Int) throws {
    let seed = 0x5EED_0000 + UInt64(round)
    var generator = SeededGenerator(seed: seed)
    let variableCount = 2 + round % 3
    var solver = Solver(expectedVariables: 1, expectedConstraints: 1)
    var variables: [Variable] = []
    for _ in 0..<variableCount { variables.append(try solver.addVariable()) }
    var live: [Live] = []
    func terms(_ constraint: VertexReference.Constraint) -> [Term] {
      zip(variables, constraint.coefficients).map { Term($0, $1) }
    }
    // A pin at the lowest priority each, so that the reference has points to try.
    for index in 0..<variableCount {
      var coefficients = [Double](repeating: 0, count: variableCount)
      coefficients[index] = 1
      let pin = VertexReference.Constraint(
        coefficients: coefficients, relation: .equal, constant: Double(index), priority: 1)
      let handle = try solver.add(
        terms(pin), pin.relation, constant: pin.constant, priority: pin.priority)
      live.append(Live(handle: handle, constraint: pin))
    }

    // The reference tries every choice of constraints, as many as variables.
    let most = variableCount == 4 ? 10 : 12
    for step in 0..<50 {
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let choice = Int.random(in: 0..<10, using: &generator)
        if choice < 5 && live.count < most || live.count <= variableCount {
          let constraint = Self.randomConstraint(variableCount, using: &generator)
          let handle = try solver.add(
            terms(constraint), constraint.relation, constant: constraint.constant,
            priority: constraint.priority)
          live.append(Live(handle: handle, constraint: constraint))
        } else if choice < 8 {
          let index = Int.random(in: 0..<live.count, using: &generator)
          live[index].former = live[index].former ?? live[index].constraint.constant
          live[index].constraint.constant = Double(Int.random(in: -12...12, using: &generator))
          try solver.setConstant(live[index].constraint.constant, of: live[index].handle)
          if live[index].former == live[index].constraint.constant { live[index].former = nil }
        } else {
          let index = Int.random(in: variableCount..<live.count, using: &generator)
          try solver.remove(live[index].handle)
          live.remove(at: index)
        }
        let fault = solver.brokenInvariant(afterSolving: false)
        #expect(fault == nil, "seed \(seed) step \(step)")
      }
      let conflicts = try solver.solve()
      for conflict in conflicts {
        checkMinimal(conflict, live, variableCount, "seed \(seed) step \(step)")
        // A refused edit leaves the constraint as it was.
        let index = live.firstIndex { $0.handle == conflict.broken }
        #expect(conflict.isEdit == (index.flatMap { live[$0].former } != nil), "seed \(seed)")
        if conflict.isEdit, let index, let former = live[index].former {
          live[index].constraint.constant = former
          live[index].former = nil
        } else {
          let contained = solver.contains(conflict.broken)
          #expect(!contained, "seed \(seed) step \(step)")
          live.removeAll { $0.handle == conflict.broken }
        }
      }
      for index in live.indices { live[index].former = nil }
      let fault = solver.brokenInvariant(afterSolving: true)
      #expect(fault == nil, "seed \(seed) step \(step)")

      let constraints = live.map(\.constraint)
      let point = variables.map { solver.value(of: $0) }
      let isAllowed = VertexReference.isAllowed(point, constraints)
      #expect(isAllowed, "seed \(seed) step \(step): \(point)")
      let found = VertexReference.costs(
        at: point, constraints, VertexReference.levels(constraints))
      guard let best = VertexReference.optimum(constraints, variables: variableCount) else {
        Issue.record("seed \(seed) step \(step): a clash was not reported")
        return
      }
      let isOptimal =
        !VertexReference.isLess(best, found) && !VertexReference.isLess(found, best)
      #expect(isOptimal, "seed \(seed) step \(step): \(found), best is \(best)")
      if !isOptimal { return }
    }
  }

  /// The reported constraints clash, and no longer do without any one of them.
  private func checkMinimal(
    _ conflict: SolverConflict, _ live: [Live], _ variables: Int, _ place: Comment
  ) {
    let clashing = conflict.clashing.compactMap { handle in
      live.first { $0.handle == handle }?.constraint
    }
    #expect(clashing.count == conflict.clashing.count, place)
    #expect(clashing.allSatisfy { $0.priority == Solver.required }, place)
    #expect(conflict.clashing.contains(conflict.broken), place)
    let pins = (0..<variables).map { index in
      var coefficients = [Double](repeating: 0, count: variables)
      coefficients[index] = 1
      return VertexReference.Constraint(
        coefficients: coefficients, relation: .equal, constant: 0, priority: 1)
    }
    #expect(VertexReference.optimum(clashing + pins, variables: variables) == nil, place)
    for index in clashing.indices {
      var rest = clashing
      rest.remove(at: index)
      #expect(VertexReference.optimum(rest + pins, variables: variables) != nil, place)
    }
  }

  /// Ten thousand edits, removals and additions on one solver: numbers do not drift.
  @Test func staysExactOverALongLife() throws {
    let seed: UInt64 = 77
    var generator = SeededGenerator(seed: seed)
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    let z = try solver.addVariable()
    try solver.add([Term(x), Term(y), Term(z, -1)], .equal)
    var share = try solver.add([Term(x), Term(y, -0.3)], .equal)
    let total = try solver.add([Term(z)], .equal, constant: -10)
    for step in 0..<10_000 {
      let ratio = Double(Int.random(in: 1...999, using: &generator)) / 1000
      let length = Double(Int.random(in: 1...100_000, using: &generator))
      try solver.remove(share)
      share = try solver.add([Term(x), Term(y, -ratio)], .equal)
      try solver.setConstant(-length, of: total)
      let conflicts = try solver.solve()
      #expect(conflicts.isEmpty)
      let error = abs(solver.value(of: y) - length / (1 + ratio))
      #expect(error < 1e-6, "seed \(seed) step \(step)")
    }
    let residual = solver.value(of: x) + solver.value(of: y) - solver.value(of: z)
    #expect(abs(residual) < 1e-9)
    let pivots = solver.pivotCount
    #expect(pivots > 4096, "the long life is to include recomputing")
  }
}
