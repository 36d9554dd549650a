import ConstraintSolver

/// A solved system to be copied for other trees of its class. Boxes are known by their number in
/// the tree, constraints by their signatures.
@MainActor final class LayoutTemplate {
  /// All of a constraint but its constant; the same for its like in another tree of the class.
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
    /// Nil where it has none.
    let unknowns: LayoutBox.Unknowns?
    let solved: FractionalRect
  }

  struct Entry {
    let signature: Signature
    let handle: ConstraintHandle
    /// As the solver has it.
    let constant: Double
    let age: UInt64
    /// Content sizes' constraints: the box's number and which of its four it is.
    let content: (box: Int, index: Int)?
  }

  let solver: Solver
  let boxes: [Box]
  let entries: [Entry]
  /// More than any handle's index.
  let handleCount: Int

  /// Of a system just solved; nil where one of the constraints is not in its solver.
  ///
  /// - Parameters:
  ///   - serial: the system's.
  ///   - ordered: every box of the tree in the order that numbers them.
  ///   - constraints: in the order in which a copy will look for them.
  ///   - constant: a constraint's as the solver has it.
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
    handleCount = 1 + (entries.map(\.handle.index).max() ?? -1)
  }

  /// Hands each constraint that has an entry here to `take` with it.
  ///
  /// - Returns: those that have none, and the entries that nobody took.
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

  /// Index of an entry of the signature that is not taken yet. Trees of one class mostly have their
  /// constraints in the same order, so it is looked for from `start` on, and around.
  private func entry(_ signature: Signature, from start: Int, taken: [Bool]) -> Int? {
    var index = start < entries.count ? start : 0
    for _ in entries.indices {
      if !taken[index], entries[index].signature == signature { return index }
      index = index + 1 < entries.count ? index + 1 : 0
    }
    return nil
  }
}
