/// The work of a layout engine since it was made.
public struct LayoutStatistics: Hashable, Sendable {
  /// 1 once the tree has an engine, else 0.
  public var builds = 0
  /// The number of these that were copies of an engine of the same class.
  public var copies = 0
  /// Constraints added to the solver.
  public var additions = 0
  /// Constants changed in place.
  public var edits = 0
  /// Calls of the solver's `solve`.
  public var solves = 0
  /// Pivots of the solver.
  public var pivots = 0

  /// All counts are zero.
  public init() {}
}
