/// Distances kept free inside a rectangle's edges, in columns (`left`, `right`) and rows (`top`,
/// `bottom`).
public struct Insets: Hashable, Sendable {
  /// Rows kept free at the top.
  public var top: Int
  /// Columns kept free at the left.
  public var left: Int
  /// Rows kept free at the bottom.
  public var bottom: Int
  /// Columns kept free at the right.
  public var right: Int

  /// No distances.
  public static let zero = Insets()

  /// Distances that are 0 unless given.
  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
