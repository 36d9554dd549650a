/// An unknown of one `Solver`; free to take any value, negative ones too.
public struct Variable: Hashable, Sendable {
  @usableFromInline let symbol: Int32
  @usableFromInline let generation: UInt32
}

/// `coefficient` · `variable`, one summand of a constraint.
public struct Term: Hashable, Sendable {
  /// The unknown.
  public var variable: Variable
  /// How often it counts.
  public var coefficient: Double

  /// A summand; the variable itself unless a coefficient is given.
  public init(_ variable: Variable, _ coefficient: Double = 1) {
    self.variable = variable
    self.coefficient = coefficient
  }
}
