/// Required constraints that cannot hold together, and the one given up for it.
public struct SolverConflict: Hashable, Sendable {
  /// The constraint that was refused: the last added or edited of `clashing` that is not protected.
  /// It is no longer in the solver, unless `isEdit`.
  public let broken: ConstraintHandle
  /// All that clash, `broken` among them, oldest first. Without any one of them the rest could
  /// hold.
  public let clashing: [ConstraintHandle]
  /// Variables that would have to be negative for these to hold, and may not be.
  public let nonnegative: [Variable]
  /// Whether it was an edit that is refused: the constraint is in the solver as it was before.
  public let isEdit: Bool

  /// A conflict, as `solve` reports it.
  public init(
    broken: ConstraintHandle, clashing: [ConstraintHandle], nonnegative: [Variable] = [],
    isEdit: Bool = false
  ) {
    self.broken = broken
    self.clashing = clashing
    self.nonnegative = nonnegative
    self.isEdit = isEdit
  }
}
