/// How much a constraint matters, 1…1000. 1000 must hold; of the others any higher one is satisfied
/// as well as can be before any lower one is looked at.
public struct LayoutPriority: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: Int

  public static let required = LayoutPriority(1000)
  public static let defaultHigh = LayoutPriority(750)
  public static let defaultLow = LayoutPriority(250)
  public static let fittingSizeLevel = LayoutPriority(50)

  public init(rawValue: Int) { self.rawValue = rawValue }
  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (left: LayoutPriority, right: LayoutPriority) -> Bool {
    left.rawValue < right.rawValue
  }

  public static func + (left: LayoutPriority, right: Int) -> LayoutPriority {
    LayoutPriority(left.rawValue + right)
  }

  public static func - (left: LayoutPriority, right: Int) -> LayoutPriority {
    LayoutPriority(left.rawValue - right)
  }
}
