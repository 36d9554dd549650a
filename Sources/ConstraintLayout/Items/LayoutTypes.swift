import ConstraintSolver

/// One of the two directions in which sizes are asked for.
public enum LayoutAxis: Int, Hashable, Sendable, CaseIterable {
  /// Across: columns.
  case horizontal
  /// Down: rows.
  case vertical
}

/// How a constraint's first anchor stands to the other side.
public typealias LayoutRelation = Relation

/// Which way leading and trailing run.
public enum LayoutDirection: Hashable, Sendable {
  /// From left to right.
  case leftToRight
  /// From right to left: leading is the right edge.
  case rightToLeft
}

/// The size an item's content asks for, in columns and rows; nil where it asks for none.
public struct IntrinsicSize: Hashable, Sendable {
  /// Columns.
  public var width: Double?
  /// Rows.
  public var height: Double?

  /// No wish in either direction.
  public static let none = IntrinsicSize()

  /// A wish in the directions given.
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

  /// Nothing, at the corner.
  public static let zero = FractionalRect(x: 0, y: 0, width: 0, height: 0)

  /// A frame by its corner and extent.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Properties of the terminal that layout depends on.
@MainActor public enum LayoutMetrics {
  /// Width of a terminal cell divided by its height, in pixels; 0.5 by default. It enters where a
  /// square or a picture's proportions are meant, when such a constraint is made.
  public static var cellAspect = 0.5
}

/// What a constraint cannot be made active with. The constraint stays or becomes inactive.
public enum LayoutError: Error, Hashable, Sendable {
  /// The two items, named here, have no common ancestor.
  case unrelatedTrees(first: String, second: String)
  /// An item of the constraint no longer exists.
  case itemGone(constraint: String)
  /// Leading or trailing set against left or right: they differ by the layout direction.
  case mixedDirections(constraint: String)
  /// A priority that would have become required or optional while the constraint is active: it has
  /// to be made inactive first.
  case requiredPriorityChange(constraint: String, from: Float, to: Float)
  /// It names the superitem of an item, named here, that has none yet: add the item first.
  case noSuperitem(item: String)
  /// A constant, multiplier or priority out of range, or a tree larger than a layout engine takes
  /// (256 items); the text says which.
  case refused(constraint: String, reason: String)
}
