import ConstraintLayout
import Geometry
import TerminalViews

extension LayoutInspection.Row {
  /// What reports call it: its label, or else what it says.
  var name: String { constraint.label ?? constraint.first.description }

  /// Its slack; for an equation what its first side has more than its second.
  var room: Double? { constraint.relation == .equal ? excess : slack }

  func concerns(_ view: View) -> Bool {
    constraint.first.item === view || constraint.second?.item === view
  }
}

/// A view's frame in the cell, and the size its content asks for.
@MainActor struct ViewReading {
  let view: View
  /// Levels below the cell.
  let depth: Int
  /// From the cell's corner.
  let frame: Rect
  let solved: FractionalRect
  let intrinsic: IntrinsicSize
}

/// What could hold a cell's bottom edge.
@MainActor struct BottomReading {
  let constraint: LayoutInspection.Row
  /// Rows between the cell's bottom and what this constraint asks for.
  let room: Double
  /// False where it keeps the bottom from going lower instead.
  let isFloor: Bool
}

/// A cell's layout at one moment, read from its engine and changing nothing.
///
/// All that the inspector knows of constraints comes through here.
@MainActor struct LayoutReading {
  let views: [ViewReading]
  /// Those of code first, by the lines that made them; those of the engine last.
  let constraints: [LayoutInspection.Row]
  /// The one that holds first, then by the room they leave.
  let bottoms: [BottomReading]

  init(of cell: ListViewCell) {
    let inspection = cell.layoutInspection
    views = inspection.items.compactMap { item in
      guard let view = item.item as? View else { return nil }
      var intrinsic = view.intrinsicContentSize
      if let rows = view.intrinsicHeight(forWidth: view.frame.width) {
        intrinsic.height = Double(rows)
      }
      return ViewReading(
        view: view, depth: item.depth, frame: view.frame(in: cell), solved: view.solvedFrame,
        intrinsic: intrinsic)
    }
    constraints = inspection.constraints.enumerated()
      .sorted { Self.order($0.offset, $0.element) < Self.order($1.offset, $1.element) }
      .map(\.element)
    bottoms = Self.bottoms(constraints, root: cell)
  }

  /// By the lines of code that made them, the engine's own last.
  private static func order(
    _ index: Int, _ row: LayoutInspection.Row
  ) -> (Int, String, UInt, Int) {
    guard row.constraint.origin == .code, let source = row.constraint.source else {
      return (1, "", 0, index)
    }
    return (0, source.file, source.line, index)
  }

  // MARK: The bottom

  private static func bottoms(
    _ constraints: [LayoutInspection.Row], root: LayoutItem
  ) -> [BottomReading] {
    let found = constraints.compactMap { reading -> BottomReading? in
      let constraint = reading.constraint
      guard constraint.origin == .code, let second = constraint.second, let found = reading.room
      else { return nil }
      let isFirst = constraint.first.item === root && constraint.first.attribute == .bottom
      let isSecond = second.item === root && second.attribute == .bottom
      guard isFirst != isSecond else { return nil }
      // As "the cell's bottom is at least (or at most) what the other side asks for".
      var relation = constraint.relation
      var room = found
      if isSecond {
        relation =
          switch relation {
          case .equal: .equal
          case .lessThanOrEqual: .greaterThanOrEqual
          case .greaterThanOrEqual: .lessThanOrEqual
          }
        if constraint.relation == .equal { room = -found }
      }
      return BottomReading(
        constraint: reading, room: room, isFloor: relation != .lessThanOrEqual)
    }
    return found.sorted { rank($0) < rank($1) }
  }

  private static func rank(_ bottom: BottomReading) -> (Int, Double) {
    let isHeld = bottom.isFloor && bottom.constraint.state == .active
    return (isHeld ? 0 : bottom.isFloor ? 1 : 2, bottom.room)
  }

  /// The active constraint that the cell's bottom rests on; nil where none does.
  var holder: BottomReading? {
    guard let first = bottoms.first, first.isFloor, first.constraint.state == .active else {
      return nil
    }
    return first
  }

  /// Rows by which the holder reaches lower than what would hold next; nil where nothing would.
  var margin: Double? {
    guard let holder else { return nil }
    return bottoms.dropFirst().filter(\.isFloor).map { $0.room - holder.room }.min()
  }
}
