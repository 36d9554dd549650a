/// What stands behind the frames of a tree, to be shown: every constraint with its state. A
/// snapshot; it changes nothing.
@MainActor public struct LayoutInspection {
  /// How a constraint stands.
  public enum State: Hashable, Sendable {
    /// In force.
    case active
    /// Not in force.
    case inactive
    /// Active, but given up for others in a conflict.
    case broken
  }

  /// One constraint. Its label, relation, multiplier, constant, priority and source are its own.
  @MainActor public struct Row {
    /// Which one.
    public let constraint: LayoutConstraint
    /// How it stands.
    public let state: State
    /// What its first side has more than its second; nil as `slack`.
    package let excess: Double?

    /// By how many columns or rows it has room: an inequality's distance from its limit, negative
    /// where it is violated; for an equation 0 where it holds, else minus the distance. Nil where
    /// its items are not laid out, or not by constraints.
    public var slack: Double? {
      switch constraint.relation {
      case .equal: excess.map { -abs($0) }
      case .lessThanOrEqual: excess.map { -$0 }
      case .greaterThanOrEqual: excess
      }
    }
  }

  /// Constraints by code first, as made; then guides', contents' and imposed ones.
  public let constraints: [Row]

  init(engine: LayoutEngine) {
    let system = engine.system
    let root = engine.root
    system.solve()
    let inForce = engine.constraintsInForce
    let active = Set(inForce.map(ObjectIdentifier.init))
    var seen = Set<ObjectIdentifier>()
    var rows: [Row] = []
    func add(_ constraint: LayoutConstraint) {
      guard seen.insert(ObjectIdentifier(constraint)).inserted else { return }
      let isActive = active.contains(ObjectIdentifier(constraint))
      rows.append(
        Row(
          constraint: constraint,
          state: constraint.isBroken ? .broken : isActive ? .active : .inactive,
          excess: system.excess(of: constraint)))
    }
    for box in LayoutEngine.boxesInOrder(of: root) {
      for constraint in box.made.all
      where constraint.origin == .code && constraint.first.item?.root === root
        && (constraint.second ?? constraint.first).item?.root === root
      { add(constraint) }
    }
    for origin: LayoutConstraint.Origin in [.code, .guide, .content, .imposed] {
      for constraint in inForce where constraint.origin == origin { add(constraint) }
    }
    constraints = rows
  }
}
