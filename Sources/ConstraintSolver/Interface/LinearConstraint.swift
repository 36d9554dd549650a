/// Constraints written as equations and inequalities: `solver.add(2 * x + y <= 10)`.

/// What sums are made of: a variable, a term or a sum.
public protocol LinearOperand {
  /// As a sum.
  var sum: LinearSum { get }
}

/// Σ coefficient·variable + constant.
public struct LinearSum: LinearOperand, Sendable {
  /// The summands.
  public var terms: [Term]
  /// What is added to them.
  public var constant: Double

  /// A sum of these.
  public init(_ terms: [Term] = [], constant: Double = 0) {
    self.terms = terms
    self.constant = constant
  }

  /// Itself.
  public var sum: LinearSum { self }
}

/// A sum that is to stand to zero in some way.
public struct LinearConstraint: Sendable {
  /// The left side.
  public var sum: LinearSum
  /// How it stands to zero.
  public var relation: Relation
}

extension Variable: LinearOperand {
  /// Once itself.
  public var sum: LinearSum { LinearSum([Term(self)]) }
}

extension Term: LinearOperand {
  /// Itself alone.
  public var sum: LinearSum { LinearSum([self]) }
}

extension LinearOperand {
  /// All summands multiplied.
  public static func * (factor: Double, operand: Self) -> LinearSum {
    let sum = operand.sum
    return LinearSum(
      sum.terms.map { Term($0.variable, factor * $0.coefficient) }, constant: factor * sum.constant)
  }

  /// All summands multiplied.
  public static func * (operand: Self, factor: Double) -> LinearSum { factor * operand }

  /// All summands divided.
  public static func / (operand: Self, divisor: Double) -> LinearSum { (1 / divisor) * operand }

  /// All summands with the other sign.
  public static prefix func - (operand: Self) -> LinearSum { -1 * operand }

  /// The summands of both.
  public static func + (left: Self, right: some LinearOperand) -> LinearSum {
    LinearSum(
      left.sum.terms + right.sum.terms, constant: left.sum.constant + right.sum.constant)
  }

  /// The sum and a constant.
  public static func + (left: Self, constant: Double) -> LinearSum {
    LinearSum(left.sum.terms, constant: left.sum.constant + constant)
  }

  /// The summands of both, those on the right with the other sign.
  public static func - (left: Self, right: some LinearOperand) -> LinearSum { left + -right }

  /// The sum less a constant.
  public static func - (left: Self, constant: Double) -> LinearSum { left + -constant }

  /// Both sides are equal.
  public static func == (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .equal)
  }

  /// The sum is the constant.
  public static func == (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .equal)
  }

  /// The left side is at most the right one.
  public static func <= (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .lessThanOrEqual)
  }

  /// The sum is at most the constant.
  public static func <= (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .lessThanOrEqual)
  }

  /// The left side is at least the right one.
  public static func >= (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .greaterThanOrEqual)
  }

  /// The sum is at least the constant.
  public static func >= (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .greaterThanOrEqual)
  }
}
