import ConstraintSolver
import Testing

struct PriorityTests {
  /// A thousand weak wishes do not outweigh one that is a single step stronger.
  @Test func comparedLexicographically() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    try solver.add([Term(x)], .equal, constant: -1, priority: 501)
    for _ in 0..<1000 { try solver.add([Term(x)], .equal, constant: -9, priority: 500) }
    try solver.solve()
    #expect(solver.value(of: x) == 1)
  }

  /// Within one priority the sum of violations is least, and the earlier one holds in a tie.
  @Test func summedWithinOnePriority() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    try solver.add([Term(x)], .equal, constant: -1, priority: 500)
    try solver.add([Term(x)], .equal, constant: -9, priority: 500)
    try solver.solve()
    #expect(solver.value(of: x) == 1)
    let third = try solver.add([Term(x)], .equal, constant: -8, priority: 500)
    try solver.solve()
    #expect(solver.value(of: x) == 8)
    try solver.remove(third)
    try solver.solve()
    #expect((1...9).contains(solver.value(of: x)))
  }

  @Test func everyPriorityCounts() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    var handles: [ConstraintHandle] = []
    for priority in 1..<1000 {
      handles.append(
        try solver.add([Term(x)], .equal, constant: -Double(priority), priority: Float(priority)))
    }
    for priority in stride(from: 999, to: 0, by: -111) {
      try solver.solve()
      #expect(solver.value(of: x) == Double(priority))
      for index in 0..<111 { try solver.remove(handles[priority - 1 - index]) }
    }
  }

  @Test func hugsAndResists() throws {
    var solver = Solver()
    let width = try solver.addVariable()
    let outer = try solver.add([Term(width)], .lessThanOrEqual, constant: -50)
    try solver.add([Term(width)], .greaterThanOrEqual, constant: -20, priority: 750)
    try solver.add([Term(width)], .lessThanOrEqual, constant: -20, priority: 250)
    try solver.solve()
    #expect(solver.value(of: width) == 20)
    try solver.setConstant(-8, of: outer)
    try solver.solve()
    #expect(solver.value(of: width) == 8)
    let pull = try solver.add([Term(width)], .equal, constant: -40, priority: 500)
    try solver.setConstant(-50, of: outer)
    try solver.solve()
    #expect(solver.value(of: width) == 40)
    try solver.remove(pull)
    try solver.solve()
    #expect(solver.value(of: width) == 20)
  }

  @Test func dumpNamesWhatIsThere() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    try solver.add([Term(x)], .greaterThanOrEqual, constant: -3, priority: 250)
    try solver.solve()
    let dump = solver.dump()
    #expect(dump.contains("1 variables, 1 constraints, 0 removed, prices right"))
    #expect(dump.contains("v0 = 3 within -inf…inf + ^1"))
    #expect(dump.contains("cost at 250:"))
  }
}
