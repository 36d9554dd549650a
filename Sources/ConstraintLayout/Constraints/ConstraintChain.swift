/// Constraints in the order of their activation, linked through themselves. A constraint is in at
/// most one chain, which keeps it alive.
@MainActor struct ConstraintChain {
  /// A constraint's neighbours in its chain.
  struct Links {
    fileprivate unowned var before: LayoutConstraint?
    fileprivate var after: LayoutConstraint?
  }

  private var first: LayoutConstraint?
  private unowned var last: LayoutConstraint?
  private(set) var count = 0

  /// The constraints in the order of their activation.
  var all: [LayoutConstraint] {
    var all: [LayoutConstraint] = []
    all.reserveCapacity(count)
    var next = first
    while let constraint = next {
      all.append(constraint)
      next = constraint.links.after
    }
    return all
  }

  /// - Complexity: O(1).
  mutating func append(_ constraint: LayoutConstraint) {
    constraint.links = Links(before: last)
    if let last { last.links.after = constraint } else { first = constraint }
    last = constraint
    count += 1
  }

  /// - Complexity: O(1).
  mutating func popFirst() -> LayoutConstraint? {
    guard let first else { return nil }
    remove(first)
    return first
  }

  /// Removes the constraints one by one: releasing `first` alone would release the rest
  /// recursively, one level deeper for each constraint.
  mutating func removeAll() { while popFirst() != nil {} }

  /// Moves all constraints of another chain into this one.
  ///
  /// - Complexity: O(1) if this chain is not empty and the others were all activated after its
  ///   constraints; else that of sorting both chains.
  mutating func merge(_ other: inout ConstraintChain) {
    guard let next = other.first else { return }
    if let last, last.activation < next.activation {
      last.links.after = next
      next.links.before = last
      self.last = other.last
      count += other.count
    } else {
      let all = (all + other.all).sorted { $0.activation < $1.activation }
      self = ConstraintChain()
      for constraint in all { append(constraint) }
    }
    other = ConstraintChain()
  }

  /// - Complexity: O(1).
  mutating func remove(_ constraint: LayoutConstraint) {
    let (before, after) = (constraint.links.before, constraint.links.after)
    if let before { before.links.after = after } else { first = after }
    if let after { after.links.before = before } else { last = before }
    constraint.links = Links()
    count -= 1
  }
}

/// The constraints created on a box, in a list linked from the newest to the oldest. It serves the
/// inspector, and keeps the constraints alive while they are active.
///
/// Inactive constraints without another owner are released whenever the count has doubled, so
/// constraints need not remove themselves when their last other owner releases them.
@MainActor struct MadeConstraints {
  private var last: LayoutConstraint?
  private var count = 0
  private var limit = 16
  /// Whether the box's item or guide no longer exists; new constraints are then not kept.
  private var hasEnded = false

  /// Keeps a constraint created on the box.
  mutating func insert(_ constraint: LayoutConstraint) {
    if hasEnded { return }
    if count >= limit {
      dropAbandoned()
      limit = max(16, 2 * count)
    }
    constraint.madeBefore = last
    last = constraint
    count += 1
  }

  /// The constraints that are active or have another owner, oldest first.
  var all: [LayoutConstraint] {
    mutating get {
      dropAbandoned()
      var all: [LayoutConstraint] = []
      var next = last
      while let constraint = next {
        all.append(constraint)
        next = constraint.madeBefore
      }
      return all.reversed()
    }
  }

  private mutating func dropAbandoned() {
    while MadeConstraints.isAbandoned(&last) {
      last = last?.madeBefore
      count -= 1
    }
    var next = last
    while let constraint = next {
      while MadeConstraints.isAbandoned(&constraint.madeBefore) {
        constraint.madeBefore = constraint.madeBefore?.madeBefore
        count -= 1
      }
      next = constraint.madeBefore
    }
  }

  private static func isAbandoned(_ constraint: inout LayoutConstraint?) -> Bool {
    isKnownUniquelyReferenced(&constraint) && constraint?.holder == nil
  }

  /// Deactivates and releases all constraints; later ones are not kept.
  mutating func end() {
    hasEnded = true
    while let constraint = last {
      last = constraint.madeBefore
      constraint.madeBefore = nil
      constraint.deactivate()
    }
  }
}
