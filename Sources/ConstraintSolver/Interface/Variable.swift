/// An unknown of one `Solver`; it may be negative unless it was added as non-negative.
public struct Variable: Hashable, Sendable {
  @usableFromInline let symbol: Int32
  @usableFromInline let generation: UInt32
}

/// `coefficient` · `variable`, one summand of a constraint.
public struct Term: Hashable, Sendable {
  /// The unknown.
  public var variable: Variable
  /// The factor of the variable.
  public var coefficient: Double

  /// A term; its coefficient is 1 unless one is given.
  public init(_ variable: Variable, _ coefficient: Double = 1) {
    self.variable = variable
    self.coefficient = coefficient
  }
}
