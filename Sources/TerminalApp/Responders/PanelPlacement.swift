import Geometry

/// Where a modal panel stands; what it leaves of the screen stays to be seen.
public enum PanelPlacement: Hashable, Sendable {
  /// Over everything but the status lines.
  case full
  /// In the middle, in a border: columns and rows with the border, as far as there is room.
  case centered(Size)
  /// Over the whole width above the status lines, in a border: rows with the border, as far as
  /// there is room.
  case bottom(rows: Int)
  /// In the place of the first status line, or else of the screen's last line.
  case statusLine

  var isFull: Bool { self == .full }

  var hasBorder: Bool { !isFull && self != .statusLine }

  /// Its part of the screen.
  ///
  /// - Parameter area: what status lines leave of it.
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
