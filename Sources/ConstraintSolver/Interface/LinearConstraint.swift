/// Constraints written as equations and inequalities: `solver.add(2 * x + y <= 10)`.

/// An operand of a sum: a variable, a term or a sum.
public protocol LinearOperand {
  /// The operand as a sum.
  var sum: LinearSum { get }
}

/// Σ coefficient·variable + constant.
public struct LinearSum: LinearOperand, Sendable {
  /// The summands.
  public var terms: [Term]
  /// The constant added to the summands.
  public var constant: Double

  /// The sum of `terms` and a constant.
  public init(_ terms: [Term] = [], constant: Double = 0) {
    self.terms = terms
    self.constant = constant
  }

  /// The sum itself.
  public var sum: LinearSum { self }
}

/// A relation between a sum and zero.
public struct LinearConstraint: Sendable {
  /// The left side.
  public var sum: LinearSum
  /// How the sum relates to zero.
  public var relation: Relation
}

extension Variable: LinearOperand {
  /// The variable with the coefficient 1.
  public var sum: LinearSum { LinearSum([Term(self)]) }
}

extension Term: LinearOperand {
  /// The term alone.
  public var sum: LinearSum { LinearSum([self]) }
}

extension LinearOperand {
  /// Multiplies all summands.
  public static func * (factor: Double, operand: Self) -> LinearSum {
    let sum = operand.sum
    return LinearSum(
      sum.terms.map { Term($0.variable, factor * $0.coefficient) }, constant: factor * sum.constant)
  }

  /// Multiplies all summands.
  public static func * (operand: Self, factor: Double) -> LinearSum { factor * operand }

  /// Divides all summands.
  public static func / (operand: Self, divisor: Double) -> LinearSum { (1 / divisor) * operand }

  /// Negates all summands.
  public static prefix func - (operand: Self) -> LinearSum { -1 * operand }

  /// The sum of both operands.
  public static func + (left: Self, right: some LinearOperand) -> LinearSum {
    LinearSum(
      left.sum.terms + right.sum.terms, constant: left.sum.constant + right.sum.constant)
  }

  /// The operand plus a constant.
  public static func + (left: Self, constant: Double) -> LinearSum {
    LinearSum(left.sum.terms, constant: left.sum.constant + constant)
  }

  /// The left operand minus the right one.
  public static func - (left: Self, right: some LinearOperand) -> LinearSum { left + -right }

  /// The operand minus a constant.
  public static func - (left: Self, constant: Double) -> LinearSum { left + -constant }

  /// The operands are equal.
  public static func == (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .equal)
  }

  /// The operand equals the constant.
  public static func == (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .equal)
  }

  /// The left operand is at most the right one.
  public static func <= (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .lessThanOrEqual)
  }

  /// The operand is at most the constant.
  public static func <= (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .lessThanOrEqual)
  }

  /// The left operand is at least the right one.
  public static func >= (left: Self, right: some LinearOperand) -> LinearConstraint {
    LinearConstraint(sum: left - right, relation: .greaterThanOrEqual)
  }

  /// The operand is at least the constant.
  public static func >= (left: Self, constant: Double) -> LinearConstraint {
    LinearConstraint(sum: left - constant, relation: .greaterThanOrEqual)
  }
}
