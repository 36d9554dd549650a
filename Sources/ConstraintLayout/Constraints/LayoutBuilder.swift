import ConstraintSolver
import Geometry

/// Shorthand for the most common constraints of items. Each method returns the constraints that it
/// made, active unless `isActive` is false. If there is no superitem, activating a constraint to it
/// is refused: see `LayoutConstraint.error`.
extension LayoutItem {
  /// Pins all four edges to those of the superitem, or of its safe area, inset by `insets`.
  @discardableResult
  public func edgesToSuperview(
    insets: Insets = .zero, usingSafeArea: Bool = false, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> [LayoutConstraint] {
    let target: (any LayoutAnchorProviding)? =
      usingSafeArea ? superitem?.safeAreaLayoutGuide : superitem
    let edges: [(LayoutAttribute, Int)] = [
      (.top, insets.top), (.left, insets.left), (.bottom, -insets.bottom), (.right, -insets.right),
    ]
    return edges.map { edge, inset in
      made(edge, .equal, target, edge, 1, Double(inset), priority, isActive, file, line)
    }
  }

  /// Width in columns.
  @discardableResult
  public func width(
    _ columns: Double, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.width, relation, nil, .width, 1, columns, priority, isActive, file, line)
  }

  /// Width as a multiple of another item's or guide's, plus `offset`.
  @discardableResult
  public func width(
    to other: any LayoutAnchorProviding, multiplier: Double = 1, offset: Double = 0,
    relation: LayoutRelation = .equal, priority: LayoutPriority = .required, isActive: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.width, relation, other, .width, multiplier, offset, priority, isActive, file, line)
  }

  /// Height in rows.
  @discardableResult
  public func height(
    _ rows: Double, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.height, relation, nil, .height, 1, rows, priority, isActive, file, line)
  }

  /// Height as a multiple of another item's or guide's, plus `offset`.
  @discardableResult
  public func height(
    to other: any LayoutAnchorProviding, multiplier: Double = 1, offset: Double = 0,
    relation: LayoutRelation = .equal, priority: LayoutPriority = .required, isActive: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.height, relation, other, .height, multiplier, offset, priority, isActive, file, line)
  }

  /// Height for which width divided by height, both in pixels, is `pixelRatio`; 1 makes a square.
  /// `LayoutMetrics.cellAspect` is read once, by this call. A ratio that is not above 0 is refused
  /// on activation.
  @discardableResult
  public func aspectRatio(
    _ pixelRatio: Double, priority: LayoutPriority = .required, isActive: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    let multiplier = pixelRatio > 0 ? LayoutMetrics.cellAspect / pixelRatio : .nan
    let height = anchorPoint(.height)
    let constraint = LayoutConstraint(
      height, .equal, anchorPoint(.width), multiplier, 0, .init(file, line), priority: priority)
    constraint.isActive = isActive
    return constraint
  }

  /// Top edge to `edge` of another item or guide, the superitem by default, `offset` below it.
  @discardableResult
  public func top(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .top, offset: Double = 0,
    relation: LayoutRelation = .equal, priority: LayoutPriority = .required, isActive: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.top, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Bottom edge to `edge` of another item or guide, the superitem by default, `offset` below it.
  @discardableResult
  public func bottom(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .bottom,
    offset: Double = 0, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.bottom, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Leading edge to `edge` of another item or guide, the superitem by default, `offset` after it.
  @discardableResult
  public func leading(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .leading,
    offset: Double = 0, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.leading, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Trailing edge to `edge` of another item or guide, the superitem by default, `offset` after it.
  @discardableResult
  public func trailing(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .trailing,
    offset: Double = 0, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.trailing, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Left edge to `edge` of another item or guide, the superitem by default, `offset` right of it.
  @discardableResult
  public func left(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .left, offset: Double = 0,
    relation: LayoutRelation = .equal, priority: LayoutPriority = .required, isActive: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.left, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Right edge to `edge` of another item or guide, the superitem by default, `offset` right of it.
  @discardableResult
  public func right(
    to other: (any LayoutAnchorProviding)? = nil, edge: LayoutAttribute = .right,
    offset: Double = 0, relation: LayoutRelation = .equal, priority: LayoutPriority = .required,
    isActive: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    made(.right, relation, other ?? superitem, edge, 1, offset, priority, isActive, file, line)
  }

  /// Horizontal centre to another item's or guide's, the superitem's by default, `offset` right of
  /// it.
  @discardableResult
  public func centerX(
    to other: (any LayoutAnchorProviding)? = nil, offset: Double = 0,
    priority: LayoutPriority = .required, isActive: Bool = true, file: StaticString = #fileID,
    line: UInt = #line
  ) -> LayoutConstraint {
    made(
      .centerX, .equal, other ?? superitem, .centerX, 1, offset, priority, isActive, file, line)
  }

  /// Vertical centre to another item's or guide's, the superitem's by default, `offset` below it.
  @discardableResult
  public func centerY(
    to other: (any LayoutAnchorProviding)? = nil, offset: Double = 0,
    priority: LayoutPriority = .required, isActive: Bool = true, file: StaticString = #fileID,
    line: UInt = #line
  ) -> LayoutConstraint {
    made(
      .centerY, .equal, other ?? superitem, .centerY, 1, offset, priority, isActive, file, line)
  }

  func made(
    _ attribute: LayoutAttribute, _ relation: LayoutRelation,
    _ other: (any LayoutAnchorProviding)?, _ otherAttribute: LayoutAttribute, _ multiplier: Double,
    _ constant: Double, _ priority: LayoutPriority, _ isActive: Bool, _ file: StaticString,
    _ line: UInt
  ) -> LayoutConstraint {
    let constraint = LayoutConstraint(
      anchorPoint(attribute), relation, other?.anchorPoint(otherAttribute), multiplier, constant,
      .init(file, line), priority: priority)
    constraint.isActive = isActive
    return constraint
  }
}
