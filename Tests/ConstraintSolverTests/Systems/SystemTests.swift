import ConstraintSolver
import FoundationEssentials
import TestSupport
import Testing

/// Systems at random that a known point satisfies: no conflict may be reported, no required
/// constraint violated, and nothing be better than what is found.
///
/// `Scripts/systems` checks ten thousand of them.
struct SystemTests {
  /// As many in all.
  static let count =
    ProcessInfo.processInfo.environment["TIDELINE_SYSTEMS"].flatMap { Int($0) } ?? 80
  /// Tests of so many parts, to be run side by side.
  static let parts = 10

  /// Against exact numbers.
  @Test(arguments: 0..<parts)
  func smallOnesAgreeWithExactNumbers(part: Int) throws {
    var discarded = 0
    let rounds = Self.count / 2 / Self.parts
    for round in 0..<rounds {
      let seed = 0x5A_0000_0000 + UInt64(part) << 24 + UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let variables = Int.random(in: 2...30, using: &generator)
      let system = FeasibleSystem(
        variables: variables,
        constraints: Int.random(in: 1...(variables * 3 / 2), using: &generator),
        factors: FeasibleSystem.shortFactors, using: &generator)
      var solved = try SolvedSystem(system)
      let fault = solved.faultAfterSolving()
      #expect(fault == nil, "seed \(seed)")
      let costs = system.costs(at: solved.values)
      do {
        let exact = try ExactReference.costs(of: system)
        for (cost, least) in zip(costs, exact) where abs(cost - least) > 1e-6 * max(1, least) {
          Issue.record("seed \(seed): costs \(costs), exactly \(exact)")
          break
        }
      } catch is Fraction.Overflow {
        discarded += 1
      }
    }
    #expect(discarded <= rounds / 2)
  }

  /// By residuals and by the proof of each priority.
  @Test(arguments: 0..<parts)
  func largerOnesHoldAndAreOptimal(part: Int) throws {
    for round in 0..<(Self.count / 8 / Self.parts) {
      let seed = 0x5B_0000_0000 + UInt64(part) << 24 + UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let variables = Int.random(in: 30...300, using: &generator)
      var solved = try SolvedSystem(
        FeasibleSystem(
          variables: variables,
          constraints: Int.random(in: variables...(variables * 3 / 2), using: &generator),
          using: &generator))
      let fault = solved.faultAfterSolving() ?? solved.optimalityFault()
      #expect(fault == nil, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<parts)
  func editedOnesHoldAndAreOptimal(part: Int) throws {
    for round in 0..<(Self.count / 4 / Self.parts) {
      let seed = 0x5C_0000_0000 + UInt64(part) << 24 + UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let variables = Int.random(in: 10...100, using: &generator)
      var solved = try SolvedSystem(
        FeasibleSystem(variables: variables, constraints: variables, using: &generator))
      for step in 0..<200 {
        try solved.change(upTo: variables * 3 / 2, using: &generator)
        var fault = solved.faultAfterSolving()
        if fault == nil && step % 20 == 19 { fault = solved.optimalityFault() }
        #expect(fault == nil, "seed \(seed) step \(step)")
        if fault != nil { return }
      }
    }
  }
}
