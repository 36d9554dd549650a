/// Required constraints that cannot hold together, and the one given up for it.
public struct SolverConflict: Hashable, Sendable {
  /// The constraint that was refused: the last added or edited of `clashing` that is not protected.
  /// It is no longer in the solver.
  public let broken: ConstraintHandle
  /// All that clash, `broken` among them, oldest first. Without any one of them the rest could hold.
  public let clashing: [ConstraintHandle]

  /// A conflict, as `solve` reports it.
  public init(broken: ConstraintHandle, clashing: [ConstraintHandle]) {
    self.broken = broken
    self.clashing = clashing
  }
}
