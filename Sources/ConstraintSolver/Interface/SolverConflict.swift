/// Required constraints that cannot hold together, and the one refused because of that.
public struct SolverConflict: Hashable, Sendable {
  /// The constraint that was refused: the last added or edited of `clashing` that is not protected.
  /// It is no longer in the solver, unless `isEdit`.
  public let broken: ConstraintHandle
  /// All constraints that clash, including `broken`, oldest first. Without any one of them the rest
  /// could hold.
  public let clashing: [ConstraintHandle]
  /// Non-negative variables that would have to be negative for these constraints to hold.
  public let nonnegative: [Variable]
  /// Whether an edit was refused: the constraint stays in the solver as it was before.
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
