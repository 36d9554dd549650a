import ConstraintLayout

/// Puts the views inside it next to one another, in their order.
///
/// Across its axis they fill it. Along it each has the size that its content or its own constraints
/// ask for; what is left goes to those that ask for none, as lists do.
@MainActor public final class Stack: View {
  /// The direction in which the views stand next to one another.
  public let axis: LayoutAxis
  /// Rows or columns between neighbours.
  public let spacing: Int
  /// Whether all have the same size along the axis.
  public let isEven: Bool
  private var links: [LayoutConstraint] = []

  /// A stack of `views`.
  ///
  /// - Parameters:
  ///   - spacing: rows or columns between neighbours; 0 by default.
  ///   - isEven: whether all have the same size along the axis.
  /// - Complexity: O(views) whenever one is added or taken away, those given here included.
  public init(
    _ axis: LayoutAxis, spacing: Int = 0, isEven: Bool = false, name: String = "stack",
    _ views: [View] = []
  ) {
    self.axis = axis
    self.spacing = spacing
    self.isEven = isEven
    super.init(name: name)
    for view in views { addSubview(view) }
  }

  override public func didChangeSubitems() {
    for link in links { link.isActive = false }
    links = stack(subitems, along: axis, spacing: Double(spacing), isEven: isEven)
  }
}
