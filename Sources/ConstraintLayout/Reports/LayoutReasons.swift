import ConstraintSolver

/// The reasons for the position of an item's edge, or for its size.
@MainActor package struct LayoutReasons {
  /// The constraints that determine the edge, each after those that it builds upon: from the
  /// constants to the edge.
  package let chain: [LayoutConstraint]
  /// Whether the constraints leave the edge open.
  package let isOpen: Bool
  /// The height imposed on the root, such as one rounded to whole rows; `nil` if the solver has
  /// none, or if a constraint is broken. The chain is computed without it.
  package let imposed: LayoutConstraint?

  init(_ point: LayoutAnchorPoint, in system: LayoutSystem) {
    let constraints = system.everyConstraint
    // In a conflict the others gave way to the imposed height, so it is a reason itself.
    imposed = constraints.first {
      $0.origin == .imposed && $0.first.attribute == .height && $0.priority == .required
        && !constraints.contains(where: \.isBroken)
    }
    let found = system.reasons(for: Self.terms(of: point), without: imposed)
    isOpen = found.isOpen
    var rest = found.constraints.sorted { Self.order($0) < Self.order($1) }
    var chain: [LayoutConstraint] = []
    var known: Set<Variable> = []
    func missing(_ constraint: LayoutConstraint) -> Int {
      Self.unknowns(of: constraint).subtracting(known).count
    }
    while let fewest = rest.map(missing).min(),
      let index = rest.firstIndex(where: { missing($0) == fewest })
    {
      let next = rest.remove(at: index)
      known.formUnion(Self.unknowns(of: next))
      chain.append(next)
    }
    self.chain = chain
  }

  /// Sorts by file and line, with those of guides and the engine first: content and imposed sizes
  /// are constants.
  private static func order(_ constraint: LayoutConstraint) -> (String, UInt, String) {
    let source = constraint.origin == .code ? constraint.source : nil
    return (source.map { "\($0.file)" } ?? "", source?.line ?? 0, constraint.description)
  }

  private static func unknowns(of constraint: LayoutConstraint) -> Set<Variable> {
    Set(unknowns(of: constraint.first) + (constraint.second.map(unknowns) ?? []))
  }

  private static func unknowns(of point: LayoutAnchorPoint) -> [Variable] {
    terms(of: point).map(\.variable)
  }

  /// The terms whose sum is the position or the size of an anchor.
  private static func terms(of point: LayoutAnchorPoint) -> [Term] {
    let unknowns = point.box.unknowns
    let isMirrored = point.box.item?.effectiveLayoutDirection == .rightToLeft
    let parts: [(Variable?, Double)] =
      switch point.attribute {
      case .width: [(unknowns.width, 1)]
      case .height: [(unknowns.height, 1)]
      case .left: [(unknowns.left, 1)]
      case .leading where !isMirrored, .trailing where isMirrored: [(unknowns.left, 1)]
      case .leading, .trailing, .right: [(unknowns.left, 1), (unknowns.width, 1)]
      case .centerX: [(unknowns.left, 1), (unknowns.width, 0.5)]
      case .top, .firstBaseline: [(unknowns.top, 1)]
      case .centerY: [(unknowns.top, 1), (unknowns.height, 0.5)]
      case .bottom: [(unknowns.top, 1), (unknowns.height, 1)]
      }
    return parts.compactMap { unknown, share in unknown.map { Term($0, share) } }
  }
}

extension LayoutItem {
  /// The reasons for an edge or a size of this item, as of the last layout; `nil` if no constraint
  /// mentions the item.
  ///
  /// - Complexity: O(variables + n² in the constraints that determine it).
  package func layoutReasons(for attribute: LayoutAttribute) -> LayoutReasons? {
    guard let system = root.existingEngine?.system, box.systemSerial == system.serial else {
      return nil
    }
    return LayoutReasons(anchorPoint(attribute), in: system)
  }
}
