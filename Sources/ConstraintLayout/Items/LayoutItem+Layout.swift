import Geometry

/// Lays out a tree, and reports on its engine. All of these are for roots; called on another item
/// they act on its root.
extension LayoutItem {
  /// Solves the tree at `width` columns, and sets the frames of all its items.
  ///
  /// Does nothing if nothing has changed since the last time. `height`, if given, is imposed as the
  /// required constraint "Encapsulated-Layout-Height"; otherwise the root takes its smallest
  /// height. Negative sizes count as zero.
  /// - Complexity: O(items) plus a few pivots of O(items · constraints); the first time
  ///   O(constraints · items · constraints).
  public func layoutIfNeeded(width: Int, height: Int? = nil) {
    root.engine.layout(width: max(0, width), height: height.map { max(0, $0) })
  }

  /// The size the root takes at `width` columns when its height is pulled to 0 at
  /// `fittingSizeLevel`. No frame changes.
  ///
  /// - Complexity: as `layoutIfNeeded`, without setting frames.
  public func systemLayoutSizeFitting(width: Int) -> Size {
    root.engine.fittingSize(width: max(0, width))
  }

  /// All constraints in force in the tree: those of code, guides and content sizes, and imposed
  /// ones.
  public var activeConstraints: [LayoutConstraint] {
    root.existingEngine?.constraintsInForce ?? []
  }

  /// Active constraints that were given up in conflicts.
  public var brokenConstraints: [LayoutConstraint] { activeConstraints.filter(\.isBroken) }

  /// The work of the tree's engine so far, for tests and the inspector.
  public var layoutStatistics: LayoutStatistics {
    root.existingEngine?.system.statistics ?? LayoutStatistics()
  }

  /// The constraints behind the frames of the tree, as of the last layout.
  ///
  /// - Complexity: O(constraints of the tree).
  public var layoutInspection: LayoutInspection { LayoutInspection(engine: root.engine) }

  /// Items of the tree whose frames the constraints leave open, as of the last layout; `nil` if
  /// every frame is determined. For tests and the inspector: it is slow.
  ///
  /// - Complexity: that of solving twice for each open unknown.
  public func layoutAmbiguity() -> LayoutAmbiguity? {
    root.existingEngine.flatMap { LayoutAmbiguity($0.system) }
  }

  /// Whether the constraints leave this item's frame open.
  public var hasAmbiguousLayout: Bool {
    layoutAmbiguity()?.items.contains { $0.item === self } ?? false
  }

  var engine: LayoutEngine {
    if let existingEngine { return existingEngine }
    let engine = LayoutEngine(root: self)
    existingEngine = engine
    engine.takeInTree()
    return engine
  }
}

/// The work of a layout engine since it was made.
public struct LayoutStatistics: Hashable, Sendable {
  /// 1 once the tree has an engine, else 0.
  public var builds = 0
  /// The number of these that were copies of an engine of the same class.
  public var copies = 0
  /// Constraints added to the solver.
  public var additions = 0
  /// Constants changed in place.
  public var edits = 0
  /// Calls of the solver's `solve`.
  public var solves = 0
  /// Pivots of the solver.
  public var pivots = 0

  /// All counts are zero.
  public init() {}
}
