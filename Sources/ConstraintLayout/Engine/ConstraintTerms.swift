import ConstraintSolver

/// A constraint as its tree's solver takes it: terms of the boxes' unknowns and a constant.
@MainActor struct ConstraintTerms {
  private let root: LayoutBox
  /// Of the constraint that was read last.
  private(set) var terms: [Term] = []

  init(root: LayoutBox) { self.root = root }

  /// The constant that goes with a constraint's terms.
  mutating func constant(of constraint: LayoutConstraint) -> Double {
    constraint.hasBaseline ? read(constraint) : -constraint.constant
  }

  /// Fills `terms` with first − multiplier · second and returns the constant to go with it.
  ///
  /// A constraint on leading or trailing in a right-to-left item is written as seen in a mirror:
  /// positions across count from the root's right edge leftwards.
  mutating func read(_ constraint: LayoutConstraint) -> Double {
    terms.removeAll(keepingCapacity: true)
    let isMirrored = constraint.isMirrored
    var constant = -constraint.constant
    constant += append(constraint.first, 1, isMirrored)
    if let second = constraint.second {
      constant += append(second, -constraint.multiplier, isMirrored)
      if let corner = constraint.cornerBox {
        let edge: LayoutAttribute = second.attribute.isVertical ? .top : .leading
        constant += append(
          LayoutAnchorPoint(box: corner, attribute: edge), constraint.multiplier - 1, isMirrored)
      }
    }
    return constant
  }

  private mutating func append(_ point: LayoutAnchorPoint, _ factor: Double, _ isMirrored: Bool)
    -> Double
  {
    let unknowns = point.box.unknowns
    var constant = 0.0
    func add(_ variable: Variable?, _ share: Double) {
      if let variable { terms.append(Term(variable, factor * share)) }
    }
    /// A position across, `share` of the box's width from its left edge.
    func across(_ share: Double) {
      let sign: Double = isMirrored ? -1 : 1
      if isMirrored { add(root.unknowns.width, 1) }
      add(unknowns.left, sign)
      if share != 0 { add(unknowns.width, sign * share) }
    }
    switch point.attribute {
    case .left: across(0)
    case .right: across(1)
    case .leading: across(isMirrored ? 1 : 0)
    case .trailing: across(isMirrored ? 0 : 1)
    case .centerX: across(0.5)
    case .width: add(unknowns.width, 1)
    case .height: add(unknowns.height, 1)
    case .top: add(unknowns.top, 1)
    case .bottom:
      add(unknowns.top, 1)
      add(unknowns.height, 1)
    case .centerY:
      add(unknowns.top, 1)
      add(unknowns.height, 0.5)
    case .firstBaseline:
      add(unknowns.top, 1)
      constant = factor * (point.box.item?.firstBaselineOffset ?? 0)
    case .lastBaseline:
      add(unknowns.top, 1)
      add(unknowns.height, 1)
      constant = -factor * (point.box.item?.lastBaselineOffset ?? 0)
    }
    if point.attribute.isBaseline { point.box.hasBaselines = true }
    return constant
  }
}
