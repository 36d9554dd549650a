/// Constraints that were made on a box and still exist, active or not: a chain through the constraints
/// themselves. Holds none of them alive: each takes itself out when it ends.
@MainActor struct KnownConstraints {
  /// A constraint's neighbours in the chain.
  struct Links {
    fileprivate unowned(unsafe) var before: LayoutConstraint?
    fileprivate unowned(unsafe) var after: LayoutConstraint?
  }

  private unowned(unsafe) var first: LayoutConstraint?
  private unowned(unsafe) var last: LayoutConstraint?

  /// Those that still exist, oldest first.
  var all: [LayoutConstraint] {
    Array(
      sequence(state: first) { next in
        defer { next = next?.links.after }
        return next
      })
  }

  /// - Complexity: O(1).
  mutating func insert(_ constraint: LayoutConstraint) {
    constraint.links.before = last
    if let last { last.links.after = constraint } else { first = constraint }
    last = constraint
  }

  /// - Complexity: O(1).
  mutating func remove(_ constraint: LayoutConstraint) {
    let (before, after) = (constraint.links.before, constraint.links.after)
    if let before { before.links.after = after } else { first = after }
    if let after { after.links.before = before } else { last = before }
  }
}
