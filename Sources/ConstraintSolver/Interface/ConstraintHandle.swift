/// A constraint that stands in one `Solver`. It is spent once the constraint is removed or refused,
/// and is recognised as such: handles are never given out twice.
public struct ConstraintHandle: Hashable, Sendable {
  let symbol: Int32
  let generation: UInt32

  /// A small number that no other constraint or variable of the solver has while this one is in it.
  public var index: Int { Int(symbol) }
}
