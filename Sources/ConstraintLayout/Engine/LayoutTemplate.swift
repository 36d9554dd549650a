import ConstraintSolver

/// A solved system to be copied for other trees of its class. Boxes are known by their number in the
/// tree, constraints by their signatures.
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

  init(solver: consuming Solver, boxes: [Box], entries: [Entry]) {
    self.solver = solver
    self.boxes = boxes
    self.entries = entries
    handleCount = 1 + (entries.map(\.handle.index).max() ?? -1)
  }

  /// Index of an entry of the signature that is not taken yet. Trees of one class mostly have their
  /// constraints in the same order, so it is looked for from `start` on, and around.
  func entry(_ signature: Signature, from start: Int, taken: [Bool]) -> Int? {
    var index = start < entries.count ? start : 0
    for _ in entries.indices {
      if !taken[index], entries[index].signature == signature { return index }
      index = index + 1 < entries.count ? index + 1 : 0
    }
    return nil
  }
}
