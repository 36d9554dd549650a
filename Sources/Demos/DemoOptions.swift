/// What can be chosen about a demo.
public struct DemoOptions: Hashable, Sendable {
  /// Fixes what is random: sizes, order, latencies.
  public var seed: UInt64
  /// Has the moments demo provoke a conflict of constraints in its first row.
  public var provokesConflict: Bool

  public init(seed: UInt64 = 1, provokesConflict: Bool = false) {
    self.seed = seed
    self.provokesConflict = provokesConflict
  }
}
