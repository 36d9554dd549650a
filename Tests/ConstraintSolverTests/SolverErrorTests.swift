import ConstraintSolver
import Testing

/// What is refused, and that nothing is left of it.
struct SolverErrorTests {
  private func thrown(_ body: () throws -> Void) -> SolverError? {
    do {
      try body()
      return nil
    } catch {
      return error as? SolverError
    }
  }

  @Test func numbersOutOfRange() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let handle = try solver.add([Term(x)], .equal, constant: -4)
    for value in [Double.infinity, -.infinity, 2e9] {
      let added = thrown { try solver.add([Term(x)], .equal, constant: value, priority: 1) }
      #expect(added == .constantOutOfRange(value))
      let edited = thrown { try solver.setConstant(value, of: handle) }
      #expect(edited == .constantOutOfRange(value))
      let scaled = thrown { try solver.add([Term(x, value)], .equal, priority: 1) }
      #expect(scaled == .coefficientOutOfRange(value))
    }
    let notANumber = thrown { try solver.add([Term(x)], .equal, constant: .nan) }
    guard case .constantOutOfRange(let value) = notANumber else {
      Issue.record("NaN was taken: \(String(describing: notANumber))")
      return
    }
    #expect(value.isNaN)
    let tiny = thrown { try solver.add([Term(x, 1e-9)], .equal) }
    #expect(tiny == .coefficientOutOfRange(1e-9))
    for priority: Float in [0, -1, 1001] {
      let refused = thrown { try solver.add([Term(x)], .equal, priority: priority) }
      #expect(refused == .priorityOutOfRange(priority))
    }
    try solver.solve()
    #expect(solver.value(of: x) == 4)
    #expect(solver.constraintCount == 1)
  }

  @Test func handlesThatAreSpent() throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let first = try solver.add([Term(x)], .equal, constant: -4)
    try solver.remove(first)
    let again = thrown { try solver.remove(first) }
    #expect(again == .unknownConstraint(first))
    // The next one takes its place, but not its handle.
    let second = try solver.add([Term(x)], .equal, constant: -5)
    #expect(second != first)
    let edited = thrown { try solver.setConstant(1, of: first) }
    #expect(edited == .unknownConstraint(first))
    let busy = thrown { try solver.remove(x) }
    #expect(busy == .variableInUse(x, constraints: 1))
    try solver.remove(second)
    try solver.remove(x)
    let gone = thrown { try solver.add([Term(x)], .equal) }
    #expect(gone == .unknownVariable(x))
    let twice = thrown { try solver.remove(x) }
    #expect(twice == .unknownVariable(x))
    let fault = solver.brokenInvariant(afterSolving: true)
    #expect(fault == nil)
  }

  @Test func limits() throws {
    var solver = Solver()
    var variables: [Variable] = []
    for _ in 0..<Solver.variableLimit { variables.append(try solver.addVariable()) }
    let tooMany = thrown { _ = try solver.addVariable() }
    #expect(tooMany == .tooManyVariables(limit: Solver.variableLimit))
    for index in 0..<Solver.constraintLimit {
      try solver.add([Term(variables[index % 4])], .greaterThanOrEqual, priority: 10)
    }
    let tooMuch = thrown { try solver.add([Term(variables[0])], .equal) }
    #expect(tooMuch == .tooManyConstraints(limit: Solver.constraintLimit))
    try solver.solve()
    #expect(solver.value(of: variables[0]) == 0)
  }
}
