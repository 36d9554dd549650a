import Geometry

/// Where a modal panel is placed; the rest of the screen stays visible.
public enum PanelPlacement: Hashable, Sendable {
  /// The whole screen above the status lines.
  case full
  /// The middle, with a border: columns and rows including the border, cut to the available room.
  case centered(Size)
  /// The full width above the status lines, with a border: rows including the border, cut to the
  /// available room.
  case bottom(rows: Int)
  /// In place of the first status line, or on the screen's last line if there is none.
  case statusLine

  var isFull: Bool { self == .full }

  var hasBorder: Bool { !isFull && self != .statusLine }

  /// The panel's part of the screen.
  ///
  /// - Parameter area: the screen without the status lines.
  func frame(in area: Rect, of screen: Size) -> Rect {
    switch self {
    case .full: return area
    case .centered(let size):
      let (width, height) = (
        max(0, min(size.width, area.width)), max(0, min(size.height, area.height))
      )
      return Rect(
        x: area.minX + (area.width - width) / 2, y: area.minY + (area.height - height) / 2,
        width: width, height: height)
    case .bottom(let rows):
      let height = max(0, min(rows, area.height))
      return Rect(x: area.minX, y: area.maxY - height, width: area.width, height: height)
    case .statusLine:
      return Rect(
        x: 0, y: max(0, min(area.maxY, screen.height - 1)), width: screen.width, height: 1)
    }
  }
}
