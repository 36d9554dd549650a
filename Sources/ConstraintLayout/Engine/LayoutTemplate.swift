import ConstraintSolver

/// A solved system to be copied for other trees of its class. Boxes are identified by their number
/// in the tree, constraints by their signatures.
@MainActor final class LayoutTemplate {
  /// A constraint without its constant; equal for the corresponding one in another tree of the
  /// class.
  struct Signature: Equatable {
    struct Point: Equatable {
      let box: Int
      let attribute: LayoutAttribute
    }

    let first: Point
    let second: Point?
    let relation: LayoutRelation
    let multiplier: Double
    let origin: LayoutConstraint.Origin
    let isMirrored: Bool
    let priority: LayoutPriority
  }

  struct Box {
    /// `nil` if no constraint mentions the box.
    let unknowns: LayoutBox.Unknowns?
    let solved: FractionalRect
  }

  struct Entry {
    let signature: Signature
    let handle: ConstraintHandle
    /// The constant in the solver.
    let constant: Double
    let age: UInt64
    /// For a content size constraint: the box's number and the index among its four.
    let content: (box: Int, index: Int)?
  }

  let solver: Solver
  let boxes: [Box]
  let entries: [Entry]

  /// A template of a system just solved; `nil` if one of the constraints is not in its solver.
  ///
  /// - Parameters:
  ///   - serial: the system's serial.
  ///   - ordered: every box of the tree, in numbering order.
  ///   - constraints: in the order in which a copy will look them up.
  ///   - constant: returns a constraint's constant in the solver.
  init?(
    solver: consuming Solver, serial: Int, _ ordered: [LayoutBox],
    constraints: [LayoutConstraint], constant: (LayoutConstraint) -> Double
  ) {
    var entries: [Entry] = []
    for constraint in constraints {
      guard let handle = constraint.handle else { return nil }
      let box = constraint.first.box
      let content = box.contentIndex(of: constraint)
      entries.append(
        Entry(
          signature: constraint.signature, handle: handle, constant: constant(constraint),
          age: constraint.age, content: content.map { (box.ordinal, $0) }))
    }
    self.solver = solver
    boxes = ordered.map {
      Box(unknowns: $0.systemSerial == serial ? $0.unknowns : nil, solved: $0.solved)
    }
    self.entries = entries
  }

  /// Calls `take` with each constraint that has an entry here, and the entry.
  ///
  /// - Returns: the constraints without an entry, and the entries that were not taken.
  func match(
    _ held: [LayoutConstraint],
    _ take: (LayoutConstraint, Entry) throws(SolverError) -> Void
  ) throws(SolverError) -> (missing: [LayoutConstraint], left: [Entry]) {
    var taken = [Bool](repeating: false, count: entries.count)
    var missing: [LayoutConstraint] = []
    var next = 0
    for constraint in held {
      guard let index = entry(constraint.signature, from: next, taken: taken) else {
        missing.append(constraint)
        continue
      }
      taken[index] = true
      next = index + 1
      try take(constraint, entries[index])
    }
    return (missing, entries.indices.compactMap { taken[$0] ? nil : entries[$0] })
  }

  /// The index of an entry of the signature that is not taken yet. Trees of one class usually have
  /// their constraints in the same order, so the search begins at `start` and wraps around.
  private func entry(_ signature: Signature, from start: Int, taken: [Bool]) -> Int? {
    var index = start < entries.count ? start : 0
    for _ in entries.indices {
      if !taken[index], entries[index].signature == signature { return index }
      index = index + 1 < entries.count ? index + 1 : 0
    }
    return nil
  }
}
