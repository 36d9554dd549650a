import ConstraintLayout
import Geometry
import TerminalViews

/// A constraint as it stands in a cell.
@MainActor struct ConstraintReading {
  typealias State = LayoutInspection.State

  let constraint: LayoutConstraint
  let state: State
  /// How far the solution is from the constraint's edge, in columns or rows: 0 where it is exactly met,
  /// above 0 where there is room, below 0 where it is missed. For an equation what its first side has
  /// more than its second. Nil where an item is gone.
  let slack: Double?

  /// What reports call it: its label, or else what it says.
  var name: String {
    guard let label = constraint.label else { return constraint.first.description }
    return label
  }

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
  let constraint: ConstraintReading
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
  let constraints: [ConstraintReading]
  /// The one that holds first, then by the room they leave.
  let bottoms: [BottomReading]

  /// - Parameter known: constraints that may be inactive, besides those the layout knows of.
  init(of cell: ListViewCell, known: [LayoutConstraint] = []) {
    var views: [ViewReading] = []
    Self.collect(cell, depth: 0, corner: .zero, into: &views)
    self.views = views
    let rows = cell.layoutInspection.constraints
    var listed = Set(rows.map { ObjectIdentifier($0.constraint) })
    let others = known.filter { listed.insert(ObjectIdentifier($0)).inserted }
    let states = rows.map { ($0.constraint, $0.state) } + others.map { ($0, .inactive) }
    let readings = states.map { constraint, state in
      ConstraintReading(
        constraint: constraint, state: state, slack: Self.slack(of: constraint, root: cell))
    }
    constraints = readings.enumerated()
      .sorted { (Self.order($0.element), $0.offset) < (Self.order($1.element), $1.offset) }
      .map(\.element)
    bottoms = Self.bottoms(constraints, root: cell)
  }

  private static func collect(
    _ view: View, depth: Int, corner: Point, into views: inout [ViewReading]
  ) {
    let frame = Rect(origin: corner, size: view.frame.size)
    var intrinsic = view.intrinsicContentSize
    if let rows = view.intrinsicHeight(forWidth: view.frame.width) {
      intrinsic.height = Double(rows)
    }
    views.append(
      ViewReading(
        view: view, depth: depth, frame: frame, solved: view.solvedFrame, intrinsic: intrinsic))
    for case let child as View in view.subitems {
      let corner = corner.offset(dx: child.frame.minX, dy: child.frame.minY)
      collect(child, depth: depth + 1, corner: corner, into: &views)
    }
  }

  private static func order(_ reading: ConstraintReading) -> String {
    let constraint = reading.constraint
    guard constraint.origin == .code, let source = constraint.source else {
      return "1"
    }
    let line = String(source.line)
    let padding = String(repeating: "0", count: max(0, 8 - line.count))
    return "0\(source.file):\(padding)\(line)"
  }

  // MARK: Slack

  private static func slack(of constraint: LayoutConstraint, root: LayoutItem) -> Double? {
    guard let first = value(of: constraint.first, in: constraint, root: root) else { return nil }
    var other = constraint.constant
    if let second = constraint.second {
      guard let value = value(of: second, in: constraint, root: root) else { return nil }
      other += constraint.multiplier * value
    }
    return constraint.relation == .lessThanOrEqual ? other - first : first - other
  }

  private static func value(
    of point: LayoutAnchorPoint, in constraint: LayoutConstraint, root: LayoutItem
  ) -> Double? {
    guard let item = point.item else { return nil }
    var frame = item.solvedFrame
    if point.description != "\(item.name).\(point.attribute.rawValue)" {
      // The one guide that cells have is the safe area's.
      let insets = item.safeAreaInsets
      frame.x += Double(insets.left)
      frame.y += Double(insets.top)
      frame.width -= Double(insets.left + insets.right)
      frame.height -= Double(insets.top + insets.bottom)
    }
    let isMirrored = constraint.first.item?.effectiveLayoutDirection == .rightToLeft
    let (left, right) = (frame.x, frame.x + frame.width)
    return switch point.attribute {
    case .leading: isMirrored ? root.solvedFrame.width - right : left
    case .trailing: isMirrored ? root.solvedFrame.width - left : right
    case .left: left
    case .right: right
    case .top: frame.y
    case .bottom: frame.y + frame.height
    case .width: frame.width
    case .height: frame.height
    case .centerX: frame.x + frame.width / 2
    case .centerY: frame.y + frame.height / 2
    case .firstBaseline: frame.y + item.firstBaselineOffset
    case .lastBaseline: frame.y + frame.height - item.lastBaselineOffset
    }
  }

  // MARK: The bottom

  private static func bottoms(
    _ constraints: [ConstraintReading], root: LayoutItem
  ) -> [BottomReading] {
    let found = constraints.compactMap { reading -> BottomReading? in
      let constraint = reading.constraint
      guard constraint.origin == .code, let second = constraint.second, let slack = reading.slack
      else { return nil }
      let isFirst = constraint.first.item === root && constraint.first.attribute == .bottom
      let isSecond = second.item === root && second.attribute == .bottom
      guard isFirst != isSecond else { return nil }
      // As "the cell's bottom is at least (or at most) what the other side asks for".
      var relation = constraint.relation
      var room = slack
      if isSecond {
        relation =
          switch relation {
          case .equal: .equal
          case .lessThanOrEqual: .greaterThanOrEqual
          case .greaterThanOrEqual: .lessThanOrEqual
          }
        if constraint.relation == .equal { room = -slack }
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
