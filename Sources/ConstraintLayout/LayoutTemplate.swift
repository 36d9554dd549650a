import ConstraintSolver

/// A solved engine to be copied for other trees of its class. Boxes are known by their number in the
/// tree, constraints by their signatures.
@MainActor final class LayoutTemplate {
  struct Box {
    let isEngaged: Bool
    let left: Variable?
    let top: Variable?
    let width: Variable?
    let height: Variable?
    let solved: FractionalRect
  }

  struct Entry {
    /// The same for the constraint's like in another tree of the class.
    let signature: UInt64
    let handle: ConstraintHandle
    /// As the solver has it.
    let constant: Double
    let age: UInt64
    /// Content sizes' constraints: the box's number and which of its four it is.
    let content: (box: Int, index: Int)?
    let priority: LayoutPriority
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
  func entry(_ signature: UInt64, from start: Int, taken: [Bool]) -> Int? {
    var index = start < entries.count ? start : 0
    for _ in entries.indices {
      if !taken[index], entries[index].signature == signature { return index }
      index = index + 1 < entries.count ? index + 1 : 0
    }
    return nil
  }
}
