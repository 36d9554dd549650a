/// What stands behind the frames of a tree, to be shown: every constraint with its state, and every
/// item's wish and result. A snapshot; it changes nothing.
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

    /// By how many columns or rows it has room: an inequality's distance from its limit, negative where
    /// it is violated; for an equation 0 where it holds, else minus the distance. Nil where its items
    /// are not laid out, or not by constraints.
    public var slack: Double? {
      switch constraint.relation {
      case .equal: excess.map { -abs($0) }
      case .lessThanOrEqual: excess.map { -$0 }
      case .greaterThanOrEqual: excess
      }
    }

    /// Whether it is active and at its limit: taking it out might move something.
    public var isHolding: Bool {
      state == .active && slack.map { abs($0) < LayoutInspection.tolerance } == true
    }
  }

  /// One item of the tree.
  @MainActor public struct Item {
    /// Which one.
    public let item: LayoutItem
    /// Levels below the root.
    public let depth: Int
    /// What the content asks for, a height that follows the width included; nil where nothing.
    public let intrinsicWidth: Double?
    /// As `intrinsicWidth`.
    public let intrinsicHeight: Double?
    /// The result, before rounding, from the root's corner; nil where no constraint mentions the item.
    public let solved: FractionalRect?
  }

  /// Who holds one edge of an item.
  @MainActor public struct Edge {
    /// Active constraints on the edge that are at their limit.
    public let holding: [Row]
    /// The others on the edge, the nearest to its limit first; inactive ones too.
    public let others: [Row]

    /// By how many columns or rows the holding ones hold: how far the nearest other is from its limit.
    /// Nil where there is no other.
    public var margin: Double? {
      others.compactMap(\.slack).map { abs($0) }.min()
    }
  }

  /// Constraints by code first, as made; then guides', contents' and imposed ones.
  public let constraints: [Row]
  /// The root and all below it, each before its subitems.
  public let items: [Item]

  static var tolerance: Double { 1e-6 }

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

    var items: [Item] = []
    func visit(_ item: LayoutItem, _ depth: Int) {
      let content = item.box.contentConstraints
      items.append(
        Item(
          item: item, depth: depth, intrinsicWidth: content[0]?.constant,
          intrinsicHeight: content[2]?.constant,
          solved: item.box.systemSerial == system.serial ? item.box.solved : nil))
      for child in item.subitems { visit(child, depth + 1) }
    }
    visit(root, 0)
    self.items = items
  }

  /// Who holds an edge: constraints by code or guides that mention it. For the top and bottom of an
  /// item its height counts too, for its sides its width.
  ///
  /// - Complexity: O(constraints).
  public func edge(_ attribute: LayoutAttribute, of item: LayoutItem) -> Edge {
    let size: LayoutAttribute = attribute.isVertical ? .height : .width
    func touches(_ point: LayoutAnchorPoint?) -> Bool {
      guard let point, point.box === item.box else { return false }
      return point.attribute == attribute || point.attribute == size
    }
    let rows = constraints.filter {
      ($0.constraint.origin == .code || $0.constraint.origin == .guide)
        && (touches($0.constraint.first) || touches($0.constraint.second))
    }
    return Edge(
      holding: rows.filter(\.isHolding),
      others: rows.filter { !$0.isHolding }.sorted {
        abs($0.slack ?? .infinity) < abs($1.slack ?? .infinity)
      })
  }
}
