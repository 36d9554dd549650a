import ConstraintSolver
import Testing

struct ConflictTests {
  @Test func theLastAddedIsRefused() throws {
    var solver = Solver()
    let left = try solver.addVariable()
    let width = try solver.addVariable()
    let a = try solver.add([Term(left)], .equal)
    let b = try solver.add([Term(left), Term(width)], .lessThanOrEqual, constant: -10)
    let unrelated = try solver.add([Term(width)], .greaterThanOrEqual)
    let c = try solver.add([Term(width)], .greaterThanOrEqual, constant: -20)
    let conflicts = try solver.solve()
    #expect(conflicts == [SolverConflict(broken: c, clashing: [a, b, c])])
    let contained = [a, b, unrelated, c].map { solver.contains($0) }
    #expect(contained == [true, true, true, false])
    let fault = solver.brokenInvariant(afterSolving: true)
    #expect(fault == nil)
    let again = try solver.solve()
    #expect(again.isEmpty)
    #expect(solver.value(of: width) <= 10)
  }

  @Test func theLastEditedIsRefusedUnlessProtected() throws {
    for isProtected in [false, true] {
      var solver = Solver()
      let height = try solver.addVariable()
      let imposed = try solver.add(
        [Term(height)], .equal, constant: -5, isProtected: isProtected)
      let content = try solver.add([Term(height)], .greaterThanOrEqual, constant: -4)
      try solver.solve()
      try solver.setConstant(-3, of: imposed)
      let conflicts = try solver.solve()
      let broken = isProtected ? content : imposed
      let clash = SolverConflict(
        broken: broken, clashing: [content, imposed], isEdit: !isProtected)
      #expect(conflicts == [clash])
      // The content's, which was not edited, is gone; an edit is refused alone.
      #expect(solver.value(of: height) == (isProtected ? 3 : 5))
    }
  }

  /// A constant that is as before is no edit, even if it was another one meanwhile.
  @Test(arguments: [[-5.0], [-6, -5]])
  func anUnchangedConstantIsNoEdit(constants: [Double]) throws {
    for isProtected in [false, true] {
      var solver = Solver()
      let x = try solver.addVariable()
      let fixed = try solver.add([Term(x)], .equal, constant: -5)
      try solver.solve()
      let other = try solver.add([Term(x)], .equal, constant: -7, isProtected: isProtected)
      for constant in constants { try solver.setConstant(constant, of: fixed) }
      let conflicts = try solver.solve()
      let broken = isProtected ? fixed : other
      #expect(conflicts == [SolverConflict(broken: broken, clashing: [fixed, other])])
      #expect(solver.value(of: x) == (isProtected ? 7 : 5))
      let fault = solver.brokenInvariant(afterSolving: true)
      #expect(fault == nil)
    }
  }

  /// A refused constraint leaves nothing: the other constraints go on as if it had never been.
  @Test func nothingStaysOfTheRefused() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    let sum = try solver.add([Term(x), Term(y)], .equal, constant: -10)
    let fixed = try solver.add([Term(x)], .equal, constant: -4)
    try solver.solve()
    try solver.add([Term(y)], .equal, constant: -7)
    let conflicts = try solver.solve()
    #expect(conflicts.count == 1)
    try solver.setConstant(-8, of: fixed)
    let later = try solver.solve()
    #expect(later.isEmpty)
    #expect(solver.value(of: y) == 2)
    try solver.remove(sum)
    try solver.add([Term(y)], .equal, constant: -7)
    let last = try solver.solve()
    #expect(last.isEmpty)
    #expect(solver.value(of: y) == 7)
  }

  /// Equations that say the same twice are no conflict until one is edited.
  @Test func redundantEquationsHoldTogether() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    try solver.add([Term(x), Term(y)], .equal, constant: -10)
    try solver.add([Term(x)], .equal, constant: -4)
    let redundant = try solver.add([Term(y)], .equal, constant: -6)
    let none = try solver.solve()
    #expect(none.isEmpty)
    try solver.setConstant(-5, of: redundant)
    let conflicts = try solver.solve()
    #expect(conflicts.map(\.broken) == [redundant])
    #expect(conflicts.first?.clashing.count == 3)
    // The edit was refused, not the constraint.
    #expect(conflicts.first?.isEdit == true)
    #expect(solver.value(of: y) == 6)
    let held = solver.contains(redundant)
    #expect(held)
  }

  @Test func aConstraintWithoutVariables() throws {
    var solver = Solver()
    try solver.add([Term](), .equal)
    let none = try solver.solve()
    #expect(none.isEmpty)
    let impossible = try solver.add([Term](), .equal, constant: 1)
    let conflicts = try solver.solve()
    #expect(conflicts == [SolverConflict(broken: impossible, clashing: [impossible])])
  }
}
