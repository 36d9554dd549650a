import ConstraintSolver
import TestSupport
import Testing

struct AmbiguityTests {
  @Test func anOpenRangeHasASecondSolution() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    try solver.add([Term(x)], .greaterThanOrEqual, constant: -3)
    try solver.add([Term(x)], .lessThanOrEqual, constant: -3.5)
    try solver.add([Term(y), Term(x, -1)], .greaterThanOrEqual)
    let pull = try solver.add([Term(y)], .equal, priority: 1)
    try solver.solve()
    let unique = try solver.ambiguity(of: [x, y])
    #expect(unique == nil)
    try solver.remove(pull)
    try solver.solve()
    let before = solver.dump()
    let found = try solver.ambiguity(of: [x, y])
    #expect(solver.dump() == before)
    #expect(found.map { Set($0.variables) } == [x, y])
    guard let values = found?.values else { return }
    #expect(values != [solver.value(of: x), solver.value(of: y)])
    #expect(values[0] >= 3 - 1e-9 && values[0] <= 3.5 + 1e-9 && values[1] >= values[0] - 1e-9)
  }

  /// Two wishes at one priority that cannot both come true: any point between them is as good.
  @Test func opposedWishes() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    try solver.add([Term(x)], .equal, constant: -2, priority: 500)
    try solver.add([Term(x)], .equal, constant: -8, priority: 500)
    try solver.solve()
    let found = try solver.ambiguity(of: [x])
    #expect(found?.variables == [x])
    try solver.add([Term(x)], .equal, constant: -4, priority: 1)
    try solver.solve()
    let none = try solver.ambiguity(of: [x])
    #expect(none == nil)
    #expect(abs(solver.value(of: x) - 4) < 1e-9)
  }

  /// Second solutions cost what the first cost, at every priority; what is called determined does
  /// not move however it is pulled.
  @Test(arguments: 0..<20)
  func agreesWithReference(round: Int) throws {
    let seed = 0xA3B1_0000 + UInt64(round)
    var generator = SeededGenerator(seed: seed)
    let count = 2 + round % 2
    for step in 0..<30 {
      var solver = Solver()
      var variables: [Variable] = []
      for _ in 0..<count { variables.append(try solver.addVariable()) }
      var constraints: [VertexReference.Constraint] = []
      var handles: [ConstraintHandle] = []
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        var constraint = RandomSystemTests.randomConstraint(count, using: &generator)
        constraint.priority = max(2, constraint.priority)
        constraints.append(constraint)
        handles.append(
          try solver.add(
            zip(variables, constraint.coefficients).map { Term($0, $1) }, constraint.relation,
            constant: constraint.constant, priority: constraint.priority))
      }
      try solver.solve()
      let held = zip(handles, constraints).compactMap { handle, constraint in
        solver.contains(handle) ? constraint : nil
      }
      let point = variables.map { solver.value(of: $0) }
      let levels = VertexReference.levels(held)
      let best = VertexReference.costs(at: point, held, levels)
      let found = try solver.ambiguity(of: variables)
      if let found {
        let isAllowed = VertexReference.isAllowed(found.values, held)
        #expect(isAllowed, "seed \(seed) step \(step)")
        let costs = VertexReference.costs(at: found.values, held, levels)
        let isEqual =
          !VertexReference.isLess(best, costs) && !VertexReference.isLess(costs, best)
        #expect(isEqual, "seed \(seed) step \(step): \(best) and \(costs)")
        let isDifferent = zip(found.values, point).contains { abs($0 - $1) > 1e-7 }
        #expect(isDifferent, "seed \(seed) step \(step)")
      }
      for (index, variable) in variables.enumerated() {
        var hasMoved = false
        for pull in [1.0, -1] {
          // Below all others, which are at 2 and more.
          let wish = try solver.add(
            [Term(variable)], .equal, constant: -(point[index] + pull), priority: 1)
          try solver.solve()
          if abs(solver.value(of: variable) - point[index]) > 1e-6 { hasMoved = true }
          try solver.remove(wish)
        }
        try solver.solve()
        let isOpen = found?.variables.contains(variable) ?? false
        #expect(isOpen == hasMoved, "seed \(seed) step \(step) variable \(index)")
      }
    }
  }
}
