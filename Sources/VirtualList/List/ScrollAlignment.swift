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
}
