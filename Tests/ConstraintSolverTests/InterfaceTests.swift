import ConstraintSolver
import Testing

struct InterfaceTests {
  @Test func constraintsByOperators() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    try solver.add(2 * x + y <= 10)
    try solver.add(x - 1 >= y / 2)
    try solver.add(-x + Term(y, 3) == 4 * (y - 2) + 5)
    try solver.add(x == 100, priority: 10)
    try solver.solve()
    // 2x + y = 10 and −x − y = −3.
    #expect(abs(solver.value(of: x) - 7) < 1e-9)
    #expect(abs(solver.value(of: y) + 4) < 1e-9)
  }

  @Test func variablesThatAreNotNegative() throws {
    var solver = Solver()
    let left = try solver.addVariable()
    let width = try solver.addVariable(isNonnegative: true)
    let right = try solver.add(left + width == 10)
    try solver.add(left == 40, priority: 750)
    try solver.solve()
    #expect(solver.value(of: width) == 0)
    #expect(solver.value(of: left) == 10)
    let far = try solver.add(left >= 12)
    let conflicts = try solver.solve()
    #expect(
      conflicts == [SolverConflict(broken: far, clashing: [right, far], nonnegative: [width])])
    let fault = solver.brokenInvariant(afterSolving: true)
    #expect(fault == nil)
    // Never negative by an edit either, which is refused and leaves all as it was.
    let length = try solver.add(width == 3)
    try solver.solve()
    try solver.setConstant(3, of: length)
    let refused = try solver.solve()
    #expect(
      refused == [
        SolverConflict(broken: length, clashing: [length], nonnegative: [width], isEdit: true)
      ])
    #expect(solver.value(of: width) == 3)
  }

  /// Of two edits that clash together with a third constraint the later one is refused.
  @Test func refusedEditsLeaveConstraintsAsTheyWere() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    try solver.add(x + y <= 10)
    let first = try solver.add(x == 4)
    let second = try solver.add(y == 6)
    try solver.solve()
    try solver.setConstant(-3, of: first)
    try solver.setConstant(-8, of: second)
    let conflicts = try solver.solve()
    #expect(conflicts.map(\.broken) == [second])
    #expect(solver.value(of: x) == 3)
    #expect(solver.value(of: y) == 6)
    try solver.setConstant(-7, of: second)
    let none = try solver.solve()
    #expect(none.isEmpty)
    #expect(solver.value(of: y) == 7)
  }
}
