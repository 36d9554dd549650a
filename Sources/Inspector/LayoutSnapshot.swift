import ConstraintLayout
import Geometry
import TerminalViews

extension LayoutInspection.Row {
  /// The name used in reports: the label, else the first anchor.
  var name: String { constraint.label ?? constraint.first.description }

  /// The slack of an inequality; the first side minus the second of an equation.
  var room: Double? { constraint.relation == .equal ? excess : slack }

  func concerns(_ view: View) -> Bool {
    constraint.first.item === view || constraint.second?.item === view
  }
}

/// A view's frame in the cell, and its content's intrinsic size.
@MainActor struct ViewSnapshot {
  let view: View
  /// The number of levels below the cell.
  let depth: Int
  /// Relative to the cell's corner.
  let frame: Rect
  /// `nil` if the cell was laid out without a solver.
  let solved: FractionalRect?
  let intrinsic: IntrinsicSize
}

/// A constraint that may determine a cell's bottom edge.
@MainActor struct BottomEdgeSnapshot {
  let constraint: LayoutInspection.Row
  /// The view to whose edge the constraint ties the bottom.
  let view: View?
  /// Rows between the cell's bottom and the position that this constraint asks for.
  let room: Double
  /// Whether it is a lower bound on the height; false if it is an upper bound only.
  let isFloor: Bool
}

/// A cell's layout at one moment, read from its engine without changing it.
///
/// The inspector's only access to constraints.
@MainActor struct LayoutSnapshot {
  let views: [ViewSnapshot]
  /// The code's constraints first, by source line; the engine's last.
  let constraints: [LayoutInspection.Row]
  /// The holding one first, then by the room they leave.
  let bottoms: [BottomEdgeSnapshot]
  /// The constraints that determine the height: those that the cell names, else all on its bottom.
  let key: [LayoutInspection.Row]
  /// The view that determines the cell's bottom, or `nil` if none is known.
  let holdingView: View?

  init(of cell: ListViewCell) {
    let isSolved = cell.layoutStatistics.builds > 0
    var views: [ViewSnapshot] = []
    Self.collect(cell, depth: 0, isSolved: isSolved, cell: cell, into: &views)
    self.views = views
    let rows = isSolved ? cell.layoutInspection.constraints : []
    constraints = rows.enumerated()
      .sorted { Self.order($0.offset, $0.element) < Self.order($1.offset, $1.element) }
      .map(\.element)
    let named = cell.keyConstraints.compactMap { constraint in
      rows.first { $0.constraint === constraint }
    }
    let bottoms = (named.isEmpty ? constraints : named)
      .compactMap { Self.bottom($0, cell: cell, views: views) }
      .sorted { Self.rank($0) < Self.rank($1) }
    self.bottoms = bottoms
    key = named.isEmpty ? bottoms.map(\.constraint) : named
    holdingView = Self.holder(bottoms)?.view ?? (isSolved ? nil : cell.bottomView)
  }

  private static func collect(
    _ view: View, depth: Int, isSolved: Bool, cell: ListViewCell, into views: inout [ViewSnapshot]
  ) {
    var intrinsic = view.intrinsicContentSize
    if let rows = view.intrinsicHeight(forWidth: view.frame.width) {
      intrinsic.height = Double(rows)
    }
    views.append(
      ViewSnapshot(
        view: view, depth: depth, frame: view.frame(in: cell),
        solved: isSolved ? view.solvedFrame : nil, intrinsic: intrinsic))
    for case let child as View in view.subitems {
      collect(child, depth: depth + 1, isSolved: isSolved, cell: cell, into: &views)
    }
  }

  /// Sorts constraints by source line, the engine's own last.
  private static func order(
    _ index: Int, _ row: LayoutInspection.Row
  ) -> (Int, String, UInt, Int) {
    guard row.constraint.origin == .code, let source = row.constraint.source else {
      return (1, "", 0, index)
    }
    return (0, source.file, source.line, index)
  }

  // MARK: The bottom

  private static func bottom(
    _ row: LayoutInspection.Row, cell: ListViewCell, views: [ViewSnapshot]
  ) -> BottomEdgeSnapshot? {
    let constraint = row.constraint
    guard constraint.origin == .code, let second = constraint.second, var room = row.room
    else { return nil }
    let isFirst = constraint.first.item === cell && constraint.first.attribute == .bottom
    let isSecond = second.item === cell && second.attribute == .bottom
    guard isFirst != isSecond else { return nil }
    let other = isFirst ? second : constraint.first
    let reading = views.first { $0.view === other.item }
    // Read as "the cell's bottom is at least (or at most) the other side".
    var isFloor = constraint.relation != .lessThanOrEqual
    if isSecond { isFloor = constraint.relation != .greaterThanOrEqual }
    if constraint.relation == .equal, isSecond { room = -room }
    return BottomEdgeSnapshot(constraint: row, view: reading?.view, room: room, isFloor: isFloor)
  }

  private static func rank(_ bottom: BottomEdgeSnapshot) -> (Int, Double) {
    let isHeld = bottom.isFloor && bottom.constraint.state == .active
    return (isHeld ? 0 : bottom.isFloor ? 1 : 2, bottom.room)
  }

  private static func holder(_ bottoms: [BottomEdgeSnapshot]) -> BottomEdgeSnapshot? {
    guard let first = bottoms.first, first.isFloor, first.constraint.state == .active else {
      return nil
    }
    return first
  }

  /// The constraints that fix an edge, from the constants to the edge, ending with the height that
  /// the list rounded the cell to; guide constraints with the constant 0 are left out.
  static func reasons(
    for edge: LayoutAttribute, of view: View
  ) -> (chain: [LayoutConstraint], isOpen: Bool)? {
    view.layoutReasons(for: edge).map { reasons in
      let chain = reasons.chain.filter { $0.origin != .guide || $0.constant != 0 }
      let rounding = view.superview == nil && edge == .bottom ? reasons.imposed : nil
      return (chain + [rounding].compactMap(\.self), reasons.isOpen)
    }
  }

  /// The active constraint that determines the cell's bottom, or `nil`.
  var holder: BottomEdgeSnapshot? { Self.holder(bottoms) }

  /// The constraint that would hold the bottom next, and by how many rows the holder reaches lower;
  /// `nil` if there is none.
  var next: (name: String, margin: Double)? {
    guard let holder else { return nil }
    return bottoms.dropFirst().filter(\.isFloor).min { $0.room < $1.room }.map {
      ($0.constraint.name, $0.room - holder.room)
    }
  }
}
