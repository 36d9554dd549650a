import ConstraintSolver

/// A solved engine to be copied for other trees of its class. Boxes are known by their number in the
/// tree, constraints by their signatures.
struct LayoutTemplate: ~Copyable {
  struct Box {
    let isEngaged: Bool
    let left: Variable?
    let top: Variable?
    let width: Variable?
    let height: Variable?
    let solved: FractionalRect
  }

  struct Entry {
    let signature: UInt64
    let handle: ConstraintHandle
    /// As the solver has it.
    let constant: Double
    /// Content sizes' constraints: the box's number and which of its four it is.
    let content: (box: Int, index: Int)?
    let priority: LayoutPriority
  }

  let solver: Solver
  let boxes: [Box]
  let entries: [Entry]

  /// Index of an entry of the signature that is not taken yet. Trees of one class mostly have their
  /// constraints in the same order, so it is looked for from `start` on, and around.
  func entry(_ signature: UInt64, from start: Int, taken: [Bool]) -> Int? {
    for offset in entries.indices {
      let index = (start + offset) % entries.count
      if !taken[index], entries[index].signature == signature { return index }
    }
    return nil
  }
}
