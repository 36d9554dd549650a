/// The constraints of a system that were given up, each with those that it clashed with.
@MainActor struct BrokenConstraints {
  private struct Record {
    let constraint: LayoutConstraint
    /// Those it clashed with, and how often each had changed by then.
    let opponents: [(constraint: LayoutConstraint, revision: Int)]

    /// Whether it may now hold.
    @MainActor var isStale: Bool {
      for (constraint, revision) in opponents where constraint.revision != revision { return true }
      return false
    }
  }

  private var records: [Record] = []

  var isEmpty: Bool { records.isEmpty }
  /// All of them, in the order in which they were given up.
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
