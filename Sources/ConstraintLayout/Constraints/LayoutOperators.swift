/// Constraints written as equations:
/// `icon.widthAnchor == 0.25 * cell.widthAnchor`,
/// `label.bottomAnchor <= cell.bottomAnchor - 1 ~ .defaultHigh`.
/// They are inactive; `LayoutConstraint.activate` notes the line it stands in as their source.

/// `multiplier` · anchor + `constant`: the right side of an equation.
@MainActor public struct LayoutExpression<Anchor: LayoutAnchor> {
  let anchor: Anchor
  var multiplier = 1.0
  var constant = 0.0
}

precedencegroup LayoutPriorityPrecedence {
  lowerThan: ComparisonPrecedence
  higherThan: LogicalConjunctionPrecedence
}

infix operator ~ : LayoutPriorityPrecedence

/// The constraint at another priority.
@MainActor public func ~ (
  constraint: LayoutConstraint, priority: LayoutPriority
) -> LayoutConstraint {
  constraint.withPriority(priority)
}

extension LayoutAnchor {
  /// A multiple of an anchor.
  public static func * (multiplier: Double, anchor: Self) -> LayoutExpression<Self> {
    LayoutExpression(anchor: anchor, multiplier: multiplier)
  }

  /// A multiple of an anchor.
  public static func * (anchor: Self, multiplier: Double) -> LayoutExpression<Self> {
    LayoutExpression(anchor: anchor, multiplier: multiplier)
  }

  /// A part of an anchor.
  public static func / (anchor: Self, divisor: Double) -> LayoutExpression<Self> {
    LayoutExpression(anchor: anchor, multiplier: 1 / divisor)
  }

  /// An anchor and a constant.
  public static func + (anchor: Self, constant: Double) -> LayoutExpression<Self> {
    LayoutExpression(anchor: anchor, constant: constant)
  }

  /// An anchor less a constant.
  public static func - (anchor: Self, constant: Double) -> LayoutExpression<Self> {
    LayoutExpression(anchor: anchor, constant: -constant)
  }

  /// An inactive constraint: both are equal.
  public static func == (first: Self, second: Self) -> LayoutConstraint {
    LayoutConstraint(first.point, .equal, second.point, 1, 0, nil)
  }

  /// An inactive constraint: the first is at most the second.
  public static func <= (first: Self, second: Self) -> LayoutConstraint {
    LayoutConstraint(first.point, .lessThanOrEqual, second.point, 1, 0, nil)
  }

  /// An inactive constraint: the first is at least the second.
  public static func >= (first: Self, second: Self) -> LayoutConstraint {
    LayoutConstraint(first.point, .greaterThanOrEqual, second.point, 1, 0, nil)
  }

  /// An inactive constraint: both are equal.
  public static func == (first: Self, second: LayoutExpression<Self>) -> LayoutConstraint {
    LayoutConstraint(
      first.point, .equal, second.anchor.point, second.multiplier, second.constant, nil)
  }

  /// An inactive constraint: the first is at most the second.
  public static func <= (first: Self, second: LayoutExpression<Self>) -> LayoutConstraint {
    LayoutConstraint(
      first.point, .lessThanOrEqual, second.anchor.point, second.multiplier, second.constant, nil)
  }

  /// An inactive constraint: the first is at least the second.
  public static func >= (first: Self, second: LayoutExpression<Self>) -> LayoutConstraint {
    LayoutConstraint(
      first.point, .greaterThanOrEqual, second.anchor.point, second.multiplier, second.constant,
      nil)
  }
}

extension LayoutDimension {
  /// An inactive constraint: so many columns or rows.
  public static func == (first: Self, constant: Double) -> LayoutConstraint {
    LayoutConstraint(first.point, .equal, nil, 1, constant, nil)
  }

  /// An inactive constraint: at most so many columns or rows.
  public static func <= (first: Self, constant: Double) -> LayoutConstraint {
    LayoutConstraint(first.point, .lessThanOrEqual, nil, 1, constant, nil)
  }

  /// An inactive constraint: at least so many columns or rows.
  public static func >= (first: Self, constant: Double) -> LayoutConstraint {
    LayoutConstraint(first.point, .greaterThanOrEqual, nil, 1, constant, nil)
  }
}

extension LayoutExpression {
  /// The expression and a further constant.
  public static func + (expression: Self, constant: Double) -> Self {
    var sum = expression
    sum.constant += constant
    return sum
  }

  /// The expression less a constant.
  public static func - (expression: Self, constant: Double) -> Self { expression + -constant }
}
