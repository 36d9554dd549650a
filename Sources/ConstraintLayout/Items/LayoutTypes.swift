import ConstraintSolver

/// The axis of a position or size.
public enum LayoutAxis: Int, Hashable, Sendable, CaseIterable {
  /// In columns.
  case horizontal
  /// In rows.
  case vertical
}

/// How a constraint's first anchor relates to the other side.
public typealias LayoutRelation = Relation

/// The direction from leading to trailing.
public enum LayoutDirection: Hashable, Sendable {
  /// From left to right.
  case leftToRight
  /// From right to left: leading is the right edge.
  case rightToLeft
}

/// The size that an item's content needs, in columns and rows; `nil` on an axis on which any size
/// will do.
public struct IntrinsicSize: Hashable, Sendable {
  /// Columns.
  public var width: Double?
  /// Rows.
  public var height: Double?

  /// No intrinsic size on either axis.
  public static let none = IntrinsicSize()

  /// An intrinsic size on the axes given.
  public init(width: Double? = nil, height: Double? = nil) {
    self.width = width
    self.height = height
  }
}

/// A solved frame before rounding, in columns and rows from the root's top left corner.
public struct FractionalRect: Hashable, Sendable {
  /// Columns from the left.
  public var x: Double
  /// Rows from the top.
  public var y: Double
  /// Columns.
  public var width: Double
  /// Rows.
  public var height: Double

  /// An empty frame at the root's top left corner.
  public static let zero = FractionalRect(x: 0, y: 0, width: 0, height: 0)

  /// A frame with the given top left corner and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Properties of the terminal that layout depends on.
@MainActor public enum LayoutMetrics {
  /// Width of a terminal cell divided by its height, in pixels; 0.5 by default. Constraints for
  /// squares and picture proportions use it when they are made.
  public static var cellAspect = 0.5
}

/// Why a constraint cannot be activated or changed. A failed activation leaves it inactive.
public enum LayoutError: Error, Hashable, Sendable {
  /// The two items, named here, have no common ancestor.
  case unrelatedTrees(first: String, second: String)
  /// An item of the constraint no longer exists.
  case itemGone(constraint: String)
  /// The constraint relates leading or trailing to left or right, but the layout direction decides
  /// which of those leading is.
  case mixedDirections(constraint: String)
  /// The priority cannot change from required to optional, or back, while the constraint is active:
  /// deactivate it first.
  case requiredPriorityChange(constraint: String, from: Float, to: Float)
  /// The constraint refers to the superitem of the named item, which has none yet: add the item
  /// first.
  case noSuperitem(item: String)
  /// A constant, multiplier or priority out of range, or a tree larger than a layout engine
  /// supports (256 items); the text says which.
  case refused(constraint: String, reason: String)
}
