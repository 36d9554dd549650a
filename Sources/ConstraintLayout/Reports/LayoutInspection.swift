/// The constraints behind the frames of a tree, with their states: a snapshot, taken without
/// setting frames.
@MainActor public struct LayoutInspection {
  /// The state of a constraint.
  public enum State: Hashable, Sendable {
    /// In force.
    case active
    /// Not in force.
    case inactive
    /// Active, but given up in a conflict.
    case broken
  }

  /// A constraint. Its label, relation, multiplier, constant, priority and source are its own.
  @MainActor public struct Row {
    /// The constraint.
    public let constraint: LayoutConstraint
    /// The constraint's state.
    public let state: State
    /// The first side minus the second; `nil` as `slack`.
    package let excess: Double?

    /// The room in columns or rows: an inequality's distance from its limit, negative if it is
    /// violated; for an equation 0 if it holds, else minus the distance. `nil` if its items are not
    /// laid out, or not by constraints.
    public var slack: Double? {
      switch constraint.relation {
      case .equal: excess.map { -abs($0) }
      case .lessThanOrEqual: excess.map { -$0 }
      case .greaterThanOrEqual: excess
      }
    }
  }

  /// Constraints of code first, by their first item in the order of the tree, then as made; then
  /// those of guides, of contents, and imposed ones.
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
