/// How much a constraint matters, 1…1000. 1000 must hold; of the others any higher one is satisfied
/// as well as can be before any lower one is looked at. There are priorities between whole numbers.
public struct LayoutPriority: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: Float

  /// 1000: must hold.
  public static let required = LayoutPriority(1000)
  /// 750: how much contents resist being made smaller.
  public static let defaultHigh = LayoutPriority(750)
  /// 250: how much contents resist being made larger.
  public static let defaultLow = LayoutPriority(250)
  /// 50: how much a root is pulled to its smallest height.
  public static let fittingSizeLevel = LayoutPriority(50)

  public init(rawValue: Float) { self.rawValue = rawValue }
  /// A priority; one out of 1…1000 is refused by the constraint it is given to.
  public init(_ rawValue: Float) { self.rawValue = rawValue }

  /// Whether a constraint may have it: 1…1000.
  var isValid: Bool { rawValue >= 1 && rawValue <= Self.required.rawValue }

  public static func < (left: LayoutPriority, right: LayoutPriority) -> Bool {
    left.rawValue < right.rawValue
  }

  /// A priority higher by so much.
  public static func + (left: LayoutPriority, right: Float) -> LayoutPriority {
    LayoutPriority(left.rawValue + right)
  }

  /// A priority lower by so much.
  public static func - (left: LayoutPriority, right: Float) -> LayoutPriority {
    LayoutPriority(left.rawValue - right)
  }
}
