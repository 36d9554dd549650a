import ConstraintLayout
import TerminalViews

/// Constraints of one cell that were switched by hand, until another cell is inspected or the cell
/// leaves its row.
@MainActor final class ConstraintOverrides {
  /// A constraint, its state before it was first switched, and the state switched to.
  struct Switch {
    let constraint: LayoutConstraint
    let wasActive: Bool
    var isWanted: Bool
  }

  private(set) var all: [Switch] = []
  private(set) weak var cell: ListViewCell?

  /// Switches a constraint of `cell`.
  func toggle(_ constraint: LayoutConstraint, of cell: ListViewCell) {
    undo(unless: cell)
    let isWanted = !constraint.isActive
    if let index = all.firstIndex(where: { $0.constraint === constraint }) {
      all[index].isWanted = isWanted
    } else {
      all.append(Switch(constraint: constraint, wasActive: !isWanted, isWanted: isWanted))
    }
    self.cell = cell
    // Later the cell has the constraints of another row, which an undo would change.
    cell.onReuse = { [weak self] in self?.undo() }
    constraint.isActive = isWanted
    cell.setNeedsLayout()
  }

  /// Undoes all switches if `inspected` is another cell.
  func undo(unless inspected: ListViewCell?) {
    if inspected !== cell { undo() }
  }

  func undo() {
    guard !all.isEmpty else { return }
    // Deactivates before activating, so that constraints do not conflict meanwhile.
    for change in all where !change.wasActive { change.constraint.isActive = false }
    for change in all where change.wasActive { change.constraint.isActive = true }
    all = []
    cell?.setNeedsLayout()
    cell?.onReuse = nil
    cell = nil
  }
}
