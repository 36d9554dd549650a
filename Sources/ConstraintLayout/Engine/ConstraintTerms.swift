import ConstraintSolver

/// first − multiplier · second of a constraint in the form that its tree's solver takes: terms of
/// the boxes' unknowns, and a constant.
///
/// A constraint on leading or trailing in a right-to-left item is mirrored: horizontal positions
/// count from the root's right edge leftwards.
@MainActor struct ConstraintTerms {
  /// Three points of at most three terms each; those past `count` are unused.
  private(set) var terms: InlineArray<9, Term>
  private(set) var count = 0
  private(set) var constant: Double
  private let isMirrored: Bool
  private let rootWidth: Variable?

  /// The constraint's boxes must have unknowns.
  init(_ constraint: LayoutConstraint, root: LayoutBox, width: Variable) {
    terms = InlineArray(repeating: Term(width, 0))
    constant = -constraint.constant
    isMirrored = constraint.isMirrored
    rootWidth = root.unknowns.width
    append(constraint.first, 1)
    guard let second = constraint.second else { return }
    append(second, -constraint.multiplier)
    if constraint.multiplier != 1, let corner = constraint.cornerBox {
      let edge: LayoutAttribute = second.attribute.isVertical ? .top : .leading
      append(LayoutAnchorPoint(box: corner, attribute: edge), constraint.multiplier - 1)
    }
  }

  private mutating func append(_ variable: Variable?, _ coefficient: Double) {
    guard let variable else { return }
    terms[count] = Term(variable, coefficient)
    count += 1
  }

  private mutating func append(_ point: LayoutAnchorPoint, _ factor: Double) {
    let unknowns = point.box.unknowns
    switch point.attribute {
    case .left: appendAcross(unknowns, 0, factor)
    case .right: appendAcross(unknowns, 1, factor)
    case .leading: appendAcross(unknowns, isMirrored ? 1 : 0, factor)
    case .trailing: appendAcross(unknowns, isMirrored ? 0 : 1, factor)
    case .centerX: appendAcross(unknowns, 0.5, factor)
    case .width: append(unknowns.width, factor)
    case .height: append(unknowns.height, factor)
    case .top, .firstBaseline: append(unknowns.top, factor)
    case .bottom:
      append(unknowns.top, factor)
      append(unknowns.height, factor)
    case .centerY:
      append(unknowns.top, factor)
      append(unknowns.height, factor / 2)
    }
    if point.attribute.isBaseline { constant += factor * point.baselineOffset }
  }

  /// A horizontal position, `share` of the box's width from its left edge.
  private mutating func appendAcross(
    _ unknowns: LayoutBox.Unknowns, _ share: Double, _ factor: Double
  ) {
    var factor = factor
    if isMirrored {
      append(rootWidth, factor)
      factor = -factor
    }
    append(unknowns.left, factor)
    if share != 0 { append(unknowns.width, factor * share) }
  }
}

extension LayoutAnchorPoint {
  /// A baseline's distance from the top edge. From now on each pass asks for it again.
  fileprivate var baselineOffset: Double {
    box.hasBaselines = true
    return box.item?.firstBaselineOffset ?? 0
  }
}
