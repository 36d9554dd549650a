/// Where a row is brought to on the screen.
public enum ScrollAlignment: Hashable, Sendable {
  /// Its first line at the top edge.
  case top
  /// Its middle in the middle; a row taller than the screen comes to the top.
  case middle
  /// Its last line at the bottom edge.
  case bottom
  /// Only as far as it takes to show it; a row taller than the screen shows its nearer end.
  case nearest
  /// Its first line so many lines below the top edge, or above it where that is less than 0.
  case line(Int)

  /// Lines of a viewport of `lines` above a row of `height` lines that does not show; less than 0
  /// where the row begins above the top edge. `comesFromBelow` is nil where nothing shows.
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
