import ConstraintLayout
import TerminalViews

/// Constraints of one cell that were switched by hand, until another cell is inspected or the cell
/// shows another row.
@MainActor struct ConstraintOverrides {
  /// A constraint, its state before it was first switched, and the state switched to.
  struct Switch {
    let constraint: LayoutConstraint
    let wasActive: Bool
    var isWanted: Bool
  }

  private(set) var all: [Switch] = []
  private(set) weak var cell: ListViewCell?
  private var binding = 0

  /// Switches a constraint of `cell`.
  mutating func toggle(_ constraint: LayoutConstraint, of cell: ListViewCell) {
    let isWanted = !constraint.isActive
    if let index = all.firstIndex(where: { $0.constraint === constraint }) {
      all[index].isWanted = isWanted
    } else {
      all.append(Switch(constraint: constraint, wasActive: !isWanted, isWanted: isWanted))
    }
    self.cell = cell
    binding = cell.bindingGeneration
    constraint.isActive = isWanted
    cell.setNeedsLayout()
  }

  /// Undoes all switches if `inspected` is another cell, or if the cell was bound to a row again.
  mutating func undo(unless inspected: ListViewCell?) {
    guard !all.isEmpty, inspected !== cell || cell?.bindingGeneration != binding else { return }
    undo()
  }

  mutating func undo() {
    guard !all.isEmpty else { return }
    // Deactivates before activating, so that constraints do not conflict meanwhile.
    for change in all where !change.wasActive { change.constraint.isActive = false }
    for change in all where change.wasActive { change.constraint.isActive = true }
    all = []
    cell?.setNeedsLayout()
    cell = nil
  }
}
