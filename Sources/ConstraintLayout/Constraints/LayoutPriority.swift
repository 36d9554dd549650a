/// The priority of a constraint, 1…1000, fractions included. 1000 must hold; of the others a lower
/// one counts only after every higher one is satisfied as well as possible.
public struct LayoutPriority: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: Float

  /// 1000: must hold.
  public static let required = LayoutPriority(1000)
  /// 750: the default resistance of content to being made smaller.
  public static let defaultHigh = LayoutPriority(750)
  /// 250: the default resistance of content to being made larger.
  public static let defaultLow = LayoutPriority(250)
  /// 50: the pull of a root to its smallest height.
  public static let fittingSizeLevel = LayoutPriority(50)

  public init(rawValue: Float) { self.rawValue = rawValue }
  /// A priority; constraints refuse one outside 1…1000.
  public init(_ rawValue: Float) { self.rawValue = rawValue }

  /// Whether constraints accept it: 1…1000.
  var isValid: Bool { rawValue >= 1 && rawValue <= Self.required.rawValue }

  public static func < (left: LayoutPriority, right: LayoutPriority) -> Bool {
    left.rawValue < right.rawValue
  }

  /// A priority higher by `right`.
  public static func + (left: LayoutPriority, right: Float) -> LayoutPriority {
    LayoutPriority(left.rawValue + right)
  }

  /// A priority lower by `right`.
  public static func - (left: LayoutPriority, right: Float) -> LayoutPriority {
    LayoutPriority(left.rawValue - right)
  }
}
