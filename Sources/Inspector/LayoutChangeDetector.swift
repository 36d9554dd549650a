import ConstraintLayout
import TerminalViews
import TextLayout
import VirtualList

/// The change of one row between two frames.
@MainActor struct RowChange {
  let row: Int
  /// The height in lines before and after.
  let from: Int
  let to: Int
  let constraints: [ConstraintChange]

  /// "row 12 grew from 4 to 13".
  var growth: String {
    guard from != to else { return "row \(row + 1) is as high as before, \(to.counted("line"))" }
    return "row \(row + 1) \(to > from ? "grew" : "shrank") from \(from) to \(to)"
  }

  /// The change and its cause, in one line.
  var sentence: String {
    let went = constraints.filter { $0.wasActive && !$0.isActive }.map(\.label)
    let came = constraints.filter { !$0.wasActive && $0.isActive }.map(\.label)
    var causes: [String] = []
    if !went.isEmpty { causes.append("\(went.joined(separator: " and ")) went") }
    if !came.isEmpty { causes.append("\(came.joined(separator: " and ")) came") }
    if causes.isEmpty, let edit = constraints.first {
      let (old, new) = (InspectorNumber.text(edit.oldConstant), InspectorNumber.text(edit.constant))
      causes.append("\(edit.label): constant \(old) → \(new)")
    }
    return causes.isEmpty ? growth : "\(causes.joined(separator: ", ")): \(growth)"
  }
}

/// A key constraint that was switched, or whose constant changed.
package struct ConstraintChange: Sendable {
  /// The row's index, from 0.
  package let row: Int
  package let label: String
  let wasActive: Bool
  package let isActive: Bool
  let oldConstant: Double
  package let constant: Double
}

/// Compares the layout of rows with cells between consecutive frames.
@MainActor struct LayoutChangeDetector {
  private struct Constraint {
    var isActive: Bool
    var constant: Double
  }

  private struct Row {
    var width: Int
    var height: Int
    var constraints: [String: Constraint] = [:]
  }

  private var rows: [RowID: Row] = [:]

  /// The changes of rows that had cells before. Rows beyond the screen that were last laid out at
  /// another width are left out.
  ///
  /// - Complexity: O(cells).
  mutating func observe(_ list: ListView) -> [RowChange] {
    let visible = list.visibleRows ?? 0..<0
    var changes: [RowChange] = []
    var new: [RowID: Row] = [:]
    for path in list.indexPathsForPreparedRows {
      guard let cell = list.cellForRow(at: path),
        let id = list.dataSource?.listView(list, rowIDForRowAt: path)
      else { continue }
      var now = Row(width: cell.frame.width, height: cell.frame.height)
      for constraint in cell.keyConstraints {
        let name = constraint.label ?? constraint.first.description
        now.constraints[name] = Constraint(
          isActive: constraint.isActive && !constraint.isBroken, constant: constraint.constant)
      }
      new[id] = now
      guard let before = rows[id], visible.contains(path.row) || before.width == now.width
      else { continue }
      let constraints = Self.changes(from: before, to: now, row: path.row)
      guard before.height != now.height || !constraints.isEmpty else { continue }
      changes.append(
        RowChange(row: path.row, from: before.height, to: now.height, constraints: constraints))
    }
    rows = new
    return changes
  }

  /// A missing constraint counts as inactive.
  private static func changes(from old: Row, to new: Row, row: Int) -> [ConstraintChange] {
    Set(old.constraints.keys).union(new.constraints.keys).sorted().compactMap { label in
      let (before, after) = (old.constraints[label], new.constraints[label])
      let constant = after?.constant ?? before?.constant ?? 0
      let change = ConstraintChange(
        row: row, label: label, wasActive: before?.isActive == true,
        isActive: after?.isActive == true, oldConstant: before?.constant ?? constant,
        constant: constant)
      let isSame =
        change.wasActive == change.isActive && change.oldConstant == change.constant
      return isSame ? nil : change
    }
  }
}
