import Geometry

/// Laying out a tree, and what its engine can tell. All of these are for roots; asked of another
/// item they are its root's.
extension LayoutItem {
  /// Solves the tree at `width` columns, and sets the frames of all its items.
  ///
  /// Does nothing where nothing has changed since the last time. `height`, where given, is imposed
  /// as the required constraint "Encapsulated-Layout-Height"; else the root takes its smallest
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

  /// All constraints in force in the tree: code's, guides', those of content sizes and imposed
  /// ones.
  public var activeConstraints: [LayoutConstraint] {
    root.existingEngine?.constraintsInForce ?? []
  }

  /// Those of them that were given up in conflicts.
  public var brokenConstraints: [LayoutConstraint] { activeConstraints.filter(\.isBroken) }

  /// What the tree's engine has done so far, for tests and the inspector.
  public var layoutStatistics: LayoutStatistics {
    root.existingEngine?.system.statistics ?? LayoutStatistics()
  }

  /// What stands behind the frames of the tree, as of the last layout.
  ///
  /// - Complexity: O(constraints of the tree).
  public var layoutInspection: LayoutInspection { LayoutInspection(engine: root.engine) }

  /// Items of the tree whose frames the constraints leave open, as of the last layout; nil where
  /// every frame is determined. For tests and the inspector: it is slow.
  ///
  /// - Complexity: of solving twice for each unknown that is open.
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

/// Work done by a layout engine since it was made.
public struct LayoutStatistics: Hashable, Sendable {
  /// Engines made for the tree: 1, unless it was made part of another and taken out again.
  public var builds = 0
  /// Of these, how many were copies of an engine of the same class.
  public var copies = 0
  /// Constraints handed to the solver.
  public var additions = 0
  /// Constants changed in place.
  public var edits = 0
  /// Times that the solver was asked to solve.
  public var solves = 0
  /// Steps of the solver's.
  public var pivots = 0

  /// No work.
  public init() {}
}
