/// Constraints that were made on a box and still exist, active or not. Holds none of them alive: each
/// takes itself out when it ends.
@MainActor struct KnownConstraints {
  private var references: [Unmanaged<LayoutConstraint>] = []

  /// Those that still exist, oldest first.
  var all: [LayoutConstraint] { references.map { $0.takeUnretainedValue() } }

  /// - Complexity: O(1), amortised.
  mutating func insert(_ constraint: LayoutConstraint) {
    references.append(.passUnretained(constraint))
  }

  /// - Complexity: O(n) in the constraints made on the box.
  mutating func remove(_ constraint: LayoutConstraint) {
    let gone = Unmanaged.passUnretained(constraint).toOpaque()
    if let index = references.lastIndex(where: { $0.toOpaque() == gone }) {
      references.remove(at: index)
    }
  }
}
