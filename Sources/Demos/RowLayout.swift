import ConstraintLayout
import Geometry
import TerminalViews
import TimelineUI

/// How a row of a demo is laid out, in whole cells relative to the row's own.
@MainActor public struct RowLayout {
  /// The views that a demo may have, by the names under which they are told.
  public static let viewNames: Set = [
    "icon", "label", "name", "comment", "title", "content", "picture", "caption", "status", "time",
  ]

  /// Its number, from 0.
  public let row: Int
  /// In columns and lines.
  public let size: Size
  /// "constraints" or "sizeThatFits".
  public let measuredBy: String
  /// The name of the view whose bottom holds the row's; "both" where two do, "none" where none
  /// does.
  public let activeBottom: String
  /// Frames by name.
  public let views: [String: Rect]
  /// Those of the demo's code, active or not, and those that the list imposes; by their source.
  public let constraints: [LayoutConstraint]
  /// Those given up in a conflict.
  public let broken: [LayoutConstraint]

  init(row: Int, cell: BaseCell) {
    self.row = row
    size = cell.frame.size
    measuredBy = cell.measurement.rawValue
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

  /// Imposed ones last, the others in the order in which the code makes them.
  private static func key(_ constraint: LayoutConstraint) -> (String, UInt, String) {
    guard let source = constraint.source else { return ("~", 0, constraint.label ?? "") }
    return (source.file, source.line, constraint.label ?? constraint.first.description)
  }

  // MARK: JSON

  /// The row as one JSON object on one line.
  public var json: String {
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
    // The list's own are in force as long as they are there; nobody activates them.
    let isActive = constraint.isActive || constraint.origin == .imposed
    return """
      {"label":\(TraceWriter.quoted(label)),"relation":"\(relation)",\
      "multiplier":\(number(constraint.multiplier)),"constant":\(number(constraint.constant)),\
      "priority":\(number(Double(constraint.priority.rawValue))),"active":\(isActive),\
      "source":\(source)}
      """
  }

  /// A number as JSON, without a fraction where it has none.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
