/// Constraints that were made on a box and still exist, active or not. Holds none of them alive.
@MainActor struct KnownConstraints {
  private struct Reference {
    weak var constraint: LayoutConstraint?
  }

  private var references: [Reference] = []
  private var sizeAtPruning = 8

  /// Those that still exist, oldest first.
  var all: [LayoutConstraint] { references.compactMap(\.constraint) }

  /// - Complexity: O(1), amortised: those gone are dropped whenever their number may have doubled.
  mutating func insert(_ constraint: LayoutConstraint) {
    if references.count >= sizeAtPruning {
      references.removeAll { $0.constraint == nil }
      sizeAtPruning = max(8, references.count * 2)
    }
    references.append(Reference(constraint: constraint))
  }
}
