/// Where scrolling brings a row on the screen.
public enum ScrollAlignment: Hashable, Sendable {
  /// Its first line at the top edge.
  case top
  /// Its middle in the middle of the screen; a row taller than the screen goes to the top.
  case middle
  /// Its last line at the bottom edge.
  case bottom
  /// The least move that shows it; a row taller than the screen shows its nearer end.
  case nearest
  /// Its first line this many lines below the top edge; above it if negative.
  case line(Int)

  /// Lines from the top edge of a viewport of `lines` to a row of `height` lines; negative above
  /// the edge. For `nearest` the row is not visible; `comesFromBelow` is `nil` if no row is.
  func linesAbove(height: Int, of lines: Int, comesFromBelow: Bool?) -> Int {
    switch self {
    case .top: 0
    case .middle: max(0, (lines - height) / 2)
    case .bottom: lines - height
    case .line(let line): line
    case .nearest: comesFromBelow.map { $0 ? max(0, lines - height) : min(0, lines - height) } ?? 0
    }
  }
}
