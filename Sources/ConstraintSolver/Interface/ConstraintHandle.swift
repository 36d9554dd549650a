/// A constraint of one `Solver`. The handle is invalid once the constraint is removed or refused,
/// and the solver recognises that: handles are never issued twice.
public struct ConstraintHandle: Hashable, Sendable {
  let symbol: Int32
  let generation: UInt32

  /// A small number, unique among the constraints and variables that are in the solver.
  public var index: Int { Int(symbol) }
}
