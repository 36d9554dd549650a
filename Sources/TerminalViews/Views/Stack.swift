import ConstraintLayout

/// Places its subviews next to one another, in their order.
///
/// Across the axis they fill the stack. Along the axis each has the size that its content or its
/// own constraints require; views that require no size, such as lists, get the remaining space.
@MainActor public final class Stack: View {
  /// The direction in which the views follow one another.
  public let axis: LayoutAxis
  /// Rows or columns between neighbours.
  public let spacing: Int
  /// Whether all views have the same size along the axis.
  public let isEven: Bool
  private var links: [LayoutConstraint] = []

  /// A stack of `views`.
  ///
  /// - Parameters:
  ///   - spacing: rows or columns between neighbours; 0 by default.
  ///   - isEven: whether all views have the same size along the axis.
  /// - Complexity: O(views) whenever one is added or removed, including those given here.
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
