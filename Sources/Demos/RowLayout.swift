import ConstraintLayout
import Geometry
import TerminalViews
import TimelineUI

/// The layout of a row of a demo, in whole cells relative to the row's origin.
@MainActor package struct RowLayout {
  /// The names of the views that are reported.
  package static let viewNames: Set = [
    "icon", "label", "name", "comment", "title", "content", "picture", "caption", "status", "time",
  ]

  /// The row's index, from 0.
  package let row: Int
  /// Columns and lines.
  package let size: Size
  /// "constraints" or "sizeThatFits".
  package let measuredBy: String
  /// The name of the view that determines the row's bottom; "both" if two do, "none" if none does.
  package let activeBottom: String
  /// Frames by name.
  package let views: [String: Rect]
  /// Active constraints of the demo's code, inactive key constraints of the cell, and those imposed
  /// by the list, sorted by source line.
  package let constraints: [LayoutConstraint]
  /// The constraints given up in a conflict.
  package let broken: [LayoutConstraint]

  init(row: Int, cell: BaseCell) {
    self.row = row
    size = cell.frame.size
    measuredBy = cell.measuredBy
    activeBottom = cell.activeBottom
    var views: [String: Rect] = [:]
    Self.collect(cell, at: .zero, into: &views)
    self.views = views
    let active = cell.activeConstraints.filter { $0.origin == .code || $0.origin == .imposed }
    let inactive = cell.keyConstraints.filter { !$0.isActive }
    constraints = (active + inactive).sorted { Self.key($0) < Self.key($1) }
    broken = cell.brokenConstraints
  }

  private static func collect(_ view: View, at origin: Point, into views: inout [String: Rect]) {
    for case let inside as View in view.subitems {
      let frame = inside.frame.offset(dx: origin.x, dy: origin.y)
      if viewNames.contains(inside.name) { views[inside.name] = frame }
      collect(inside, at: frame.origin, into: &views)
    }
  }

  /// Sorts imposed constraints last, the others by the source line that makes them.
  private static func key(_ constraint: LayoutConstraint) -> (String, UInt, String) {
    guard let source = constraint.source else { return ("~", 0, constraint.label ?? "") }
    return (source.file, source.line, constraint.label ?? constraint.first.description)
  }

  // MARK: JSON

  /// The row as one JSON object on one line.
  package var json: String {
    let frames = views.sorted { $0.key < $1.key }.map { "\"\($0)\":\(Self.json($1))" }
    return """
      {"row":\(row),"width":\(size.width),"height":\(size.height),"measuredBy":"\(measuredBy)",\
      "activeBottom":"\(activeBottom)","views":{\(frames.joined(separator: ","))},\
      "constraints":[\(constraints.map(Self.json).joined(separator: ","))],\
      "broken":[\(broken.map(Self.json).joined(separator: ","))]}
      """
  }

  private static func json(_ frame: Rect) -> String {
    """
    {"x":\(frame.minX),"y":\(frame.minY),"width":\(frame.width),"height":\(frame.height)}
    """
  }

  private static func json(_ constraint: LayoutConstraint) -> String {
    let relation =
      switch constraint.relation {
      case .lessThanOrEqual: "<="
      case .equal: "=="
      case .greaterThanOrEqual: ">="
      }
    let label = constraint.label ?? constraint.first.description
    let source = constraint.source.map { TraceWriter.quoted("\($0)") } ?? "null"
    // The list's own constraints are in force while they exist, without being activated.
    let isActive = constraint.isActive || constraint.origin == .imposed
    return """
      {"label":\(TraceWriter.quoted(label)),"relation":"\(relation)",\
      "multiplier":\(number(constraint.multiplier)),"constant":\(number(constraint.constant)),\
      "priority":\(number(Double(constraint.priority.rawValue))),"active":\(isActive),\
      "source":\(source)}
      """
  }

  /// A number as JSON, without a fraction if it is whole.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
