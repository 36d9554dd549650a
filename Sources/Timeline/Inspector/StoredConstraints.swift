import ConstraintLayout
import TerminalViews

/// Finds the constraints that a cell keeps in its properties, to activate and deactivate them: an engine
/// knows only those that are active.
@MainActor enum StoredConstraints {
  /// - Complexity: O(properties of the cell), by reflection.
  static func of(_ cell: ListViewCell) -> [LayoutConstraint] {
    var found: [LayoutConstraint] = []
    var mirror: Mirror? = Mirror(reflecting: cell)
    while let level = mirror, level.subjectType != ListViewCell.self {
      for child in level.children {
        if let constraint = child.value as? LayoutConstraint { found.append(constraint) }
        if let constraints = child.value as? [LayoutConstraint] { found += constraints }
      }
      mirror = level.superclassMirror
    }
    return found
  }
}
