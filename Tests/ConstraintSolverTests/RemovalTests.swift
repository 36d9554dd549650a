import ConstraintSolver
import TestSupport
import Testing

/// What was removed leaves no trace.
struct RemovalTests {
  /// Whatever is added to a cell, conflicts included, and removed again: values are what they were,
  /// and edits afterwards do what they do in a cell that never saw any of it.
  @Test(arguments: 0..<8)
  func removedConstraintsLeaveNoTrace(round: Int) throws {
    let seed = 0x7E40 + UInt64(round)
    var generator = SeededGenerator(seed: seed)
    var cell = try CellWorkload(nameHeight: 1, commentHeight: 3, aspect: 0.5)
    let rows = cell.solver.dump().split(separator: "\n").count
    for step in 0..<40 {
      var guests: [ConstraintHandle] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let guest = RandomSystemTests.randomConstraint(24, using: &generator)
        guests.append(
          try cell.solver.add(
            zip(cell.variables, guest.coefficients).map { Term($0, $1) }, guest.relation,
            constant: guest.constant, priority: guest.priority))
        if Bool.random(using: &generator) {
          let conflicts = try cell.solver.solve()
          // Those of the cell itself are to stay: guests are younger, so guests are refused.
          #expect(conflicts.allSatisfy { guests.contains($0.broken) }, "seed \(seed) \(step)")
        }
      }
      let conflicts = try cell.solver.solve()
      #expect(conflicts.allSatisfy { guests.contains($0.broken) }, "seed \(seed) \(step)")
      for guest in guests.shuffled(using: &generator) where cell.solver.contains(guest) {
        try cell.solver.remove(guest)
      }
      let name = Double(Int.random(in: 0...3, using: &generator))
      let comment = Double(Int.random(in: 0...40, using: &generator))
      let isSwitched = Bool.random(using: &generator)
      try cell.setHeights(name: name, comment: comment)
      try cell.setBottom(toTime: isSwitched)
      try cell.solver.solve()
      let expected = CellWorkload.expected(
        name: name, comment: comment, aspect: 0.5, toTime: isSwitched)
      for (value, wanted) in zip(cell.values(), expected) {
        #expect(abs(value - wanted) < 1e-8, "seed \(seed) step \(step)")
      }
      let fault = cell.solver.brokenInvariant(afterSolving: true)
      #expect(fault == nil, "seed \(seed) step \(step)")
      #expect(cell.solver.constraintCount == 30)
      #expect(cell.solver.variableCount == 24)
      let levels = cell.solver.dump().split(separator: "\n").count { $0.hasPrefix("cost at") }
      #expect(cell.solver.dump().split(separator: "\n").count - levels <= rows)
    }
  }

  /// A cell that is used again and again allocates nothing: no buffer of the solver grows.
  @Test func reuseAllocatesNothing() throws {
    var cell = try CellWorkload(nameHeight: 1, commentHeight: 3, aspect: 0.5)
    // A first round of each operation: after it the solver has all the room that reuse takes.
    func reuse(_ step: Int) throws {
      try cell.setHeights(name: Double(step % 3), comment: Double(step * 7 % 41))
      try cell.setAspect(0.25 + Double(step % 5) * 0.25)
      try cell.setBottom(toTime: step % 2 == 0)
      try cell.solver.solve()
    }
    for step in 0..<2 { try reuse(step) }
    let grown = cell.solver.growthCount
    for step in 0..<20_000 { try reuse(step) }
    #expect(cell.solver.growthCount == grown)
    #expect(cell.solver.pivotCount > Int(4096))
  }
}
