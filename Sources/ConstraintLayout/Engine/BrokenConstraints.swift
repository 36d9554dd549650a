/// The broken constraints of a system, each with the constraints that it clashed with.
@MainActor struct BrokenConstraints {
  private struct Record {
    let constraint: LayoutConstraint
    /// The constraints that it clashed with, and their revisions at that time.
    let opponents: [(constraint: LayoutConstraint, revision: Int)]

    /// Whether an opponent has changed, so that it may hold now.
    @MainActor var isStale: Bool {
      for (constraint, revision) in opponents where constraint.revision != revision { return true }
      return false
    }
  }

  private var records: [Record] = []

  var isEmpty: Bool { records.isEmpty }
  /// All of them, in the order in which they were broken.
  var all: [LayoutConstraint] { records.map(\.constraint) }
  /// Those whose opponents have changed since.
  var stale: [LayoutConstraint] { records.filter(\.isStale).map(\.constraint) }

  mutating func add(_ constraint: LayoutConstraint, against opponents: [LayoutConstraint]) {
    records.append(
      Record(constraint: constraint, opponents: opponents.map { ($0, $0.revision) }))
  }

  mutating func remove(_ constraint: LayoutConstraint) {
    records.removeAll { $0.constraint === constraint }
  }
}
