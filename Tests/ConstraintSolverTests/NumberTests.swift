import ConstraintSolver
import TestSupport
import Testing

/// A tolerance belongs to a constraint and its numbers, not to what else there is or was.
struct NumberTests {
  /// An "unlimited" width loosens nothing that has nothing to do with it, neither while it is there
  /// nor afterwards.
  @Test func largeConstantsLoosenNothing() throws {
    for isRemoved in [false, true] {
      var solver = Solver()
      let unlimited = try solver.addVariable()
      let width = try solver.addVariable()
      let half = try solver.addVariable()
      let limit = try solver.add(unlimited <= 1e9)
      try solver.add(unlimited == 1e9, priority: 1)
      try solver.solve()
      if isRemoved {
        try solver.remove(limit)
        try solver.solve()
      }
      try solver.add(width == 0.5)
      try solver.add(half == 0.5 * width)
      try solver.add(half >= 0.25)
      let none = try solver.solve()
      #expect(none.isEmpty)
      #expect(abs(solver.value(of: half) - 0.25) < 1e-12)
      // By half a column too much, which a tolerance of 1 would take.
      let more = try solver.add(half >= 0.75)
      let conflicts = try solver.solve()
      #expect(conflicts.map(\.broken) == [more])
    }
  }

  /// Edited from a thousand million back to ten: nothing stays of the large number.
  @Test func largeEditsLeaveNothing() throws {
    var solver = Solver()
    let a = try solver.addVariable()
    let b = try solver.addVariable()
    let c = try solver.addVariable()
    let length = try solver.add(a == 10)
    try solver.add(b == 0.3073 * a)
    try solver.add(c == b - 1.7777 * a)
    for _ in 0..<10 {
      try solver.setConstant(-1e9 / 3, of: length)
      try solver.solve()
      try solver.setConstant(-10, of: length)
      try solver.solve()
      #expect(abs(solver.value(of: b) - 3.073) < 1e-7)
      #expect(abs(solver.value(of: c) - (3.073 - 17.777)) < 1e-7)
    }
  }

  /// Constraints in thousandths are held as exactly as those in thousands.
  @Test(arguments: [1e-3, 1, 1e3])
  func precisionFollowsCoefficients(factor: Double) throws {
    var solver = Solver()
    let x = try solver.addVariable()
    let y = try solver.addVariable()
    try solver.add(factor * x + factor * y == factor * 0.001)
    try solver.add(factor * x >= factor * 0.0007)
    try solver.add(y == 1, priority: 500)
    let none = try solver.solve()
    #expect(none.isEmpty)
    #expect(abs(solver.value(of: x) - 0.0007) < 1e-9)
    #expect(abs(solver.value(of: y) - 0.0003) < 1e-9)
  }

  /// Coefficients from a thousandth to a thousand in one system.
  @Test(arguments: 0..<10)
  func coefficientsFarApart(part: Int) throws {
    let factors: [Double] = [1, -1, 1e-3, -1e-3, 0.02, -0.3, 7, -30, 400, 1e3, -1e3]
    for round in 0..<(SystemTests.count / 20) {
      let seed = 0x5D_0000_0000 + UInt64(part) << 24 + UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let variables = Int.random(in: 5...60, using: &generator)
      var solved = try SolvedSystem(
        FeasibleSystem(
          variables: variables, constraints: variables * 5 / 4, factors: factors,
          using: &generator))
      let fault = solved.faultAfterSolving()
      #expect(fault == nil, "seed \(seed)")
    }
  }

  /// A row as long as the limit of variables allows, each part a share of the whole.
  @Test func aSystemAtTheLimit() throws {
    var solver = Solver()
    var parts: [Variable] = []
    let whole = try solver.addVariable()
    let total = try solver.add(whole == 1000)
    for index in 1..<Solver.variableLimit {
      let part = try solver.addVariable(isNonnegative: true)
      if let last = parts.last {
        try solver.add(part == last + 0.3073 * whole)
      } else {
        try solver.add(part == 1.7777 * whole)
      }
      if index % 3 == 0 { try solver.add(part == 5, priority: 250) }
      parts.append(part)
    }
    for length in [1000.0, 1, 0.25, 1e6] {
      try solver.setConstant(-length, of: total)
      let none = try solver.solve()
      #expect(none.isEmpty)
      for (index, part) in parts.enumerated() {
        let expected = (1.7777 + 0.3073 * Double(index)) * length
        #expect(abs(solver.value(of: part) - expected) <= 1e-9 * expected)
      }
    }
  }
}
