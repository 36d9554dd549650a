/// What is kept of a constraint that was given up.
struct BrokenConstraint {
  let constraint: LayoutConstraint
  /// Those it clashed with, and how often each had changed by then.
  let opponents: [(constraint: LayoutConstraint, revision: Int)]

  /// Whether it may now hold.
  @MainActor var isStale: Bool {
    for (constraint, revision) in opponents where constraint.revision != revision { return true }
    return false
  }
}
