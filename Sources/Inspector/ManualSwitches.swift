import ConstraintLayout
import TerminalViews

/// Constraints of one cell that were switched by hand. Cells are used again: what was switched must
/// not stay in them.
@MainActor struct ManualSwitches {
  /// How a constraint was, and how it is to be.
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

  /// Undoes all where the cell is not the one inspected any more, or shows another row.
  mutating func undo(unless inspected: ListViewCell?) {
    guard !all.isEmpty, inspected !== cell || cell?.bindingGeneration != binding else { return }
    undo()
  }

  mutating func undo() {
    guard !all.isEmpty else { return }
    // What goes first makes room for what comes.
    for change in all where !change.wasActive { change.constraint.isActive = false }
    for change in all where change.wasActive { change.constraint.isActive = true }
    all = []
    cell?.setNeedsLayout()
    cell = nil
  }
}
