import ConstraintSolver
import TestSupport
import Testing

struct CellWorkloadTests {
  private func check(
    _ cell: borrowing CellWorkload, _ expected: [Double], _ place: Comment
  ) {
    let values = cell.values()
    for (value, wanted) in zip(values, expected) {
      #expect(abs(value - wanted) < 1e-9, place)
    }
    let fault = cell.solver.brokenInvariant(afterSolving: true)
    #expect(fault == nil, place)
  }

  @Test(arguments: [false, true])
  func followsTheClosedForm(usesInequalities: Bool) throws {
    let seed: UInt64 = usesInequalities ? 11 : 12
    var generator = SeededGenerator(seed: seed)
    var cell = try CellWorkload(
      nameHeight: 1, commentHeight: 3, aspect: 0.5, usesInequalities: usesInequalities)
    check(cell, CellWorkload.expected(name: 1, comment: 3, aspect: 0.5, toTime: true), "built")
    for step in 0..<300 {
      let name = Double(Int.random(in: 0...3, using: &generator))
      let comment = Double(Int.random(in: 0...40, using: &generator))
      let aspect = Double(Int.random(in: 0...8, using: &generator)) * 0.25
      let toTime = Bool.random(using: &generator)
      try cell.setHeights(name: name, comment: comment)
      try cell.setAspect(aspect)
      try cell.setBottom(toTime: toTime)
      let conflicts = try cell.solver.solve()
      #expect(conflicts.isEmpty)
      check(
        cell,
        CellWorkload.expected(name: name, comment: comment, aspect: aspect, toTime: toTime),
        "seed \(seed) step \(step)")
    }
  }

  /// An edit of a height moves values without a pivot while the same bottom holds, and a switch of
  /// the bottom takes one or two: reuse never rebuilds.
  @Test func editsAndSwitchesTakeFewPivots() throws {
    var cell = try CellWorkload(nameHeight: 1, commentHeight: 30, aspect: 0.5)
    var before = cell.solver.pivotCount
    try cell.setHeights(name: 1, comment: 35)
    try cell.solver.solve()
    #expect(cell.solver.pivotCount - before == 0)
    before = cell.solver.pivotCount
    try cell.setBottom(toTime: false)
    try cell.solver.solve()
    #expect(cell.solver.pivotCount - before <= 2)
    before = cell.solver.pivotCount
    try cell.setAspect(0.75)
    try cell.solver.solve()
    #expect(cell.solver.pivotCount - before <= 2)
  }

  @Test func aCopyLivesOnItsOwn() throws {
    var cell = try CellWorkload(nameHeight: 1, commentHeight: 3, aspect: 0.5)
    var copy = cell.solver.copy()
    try cell.setHeights(name: 2, comment: 20)
    try cell.solver.solve()
    for handle in cell.commentHeights { try copy.setConstant(-9, of: handle) }
    try copy.solve()
    let copied = cell.variables.map { copy.value(of: $0) }
    #expect(copied == CellWorkload.expected(name: 1, comment: 9, aspect: 0.5, toTime: true))
    check(cell, CellWorkload.expected(name: 2, comment: 20, aspect: 0.5, toTime: true), "original")
  }
}
