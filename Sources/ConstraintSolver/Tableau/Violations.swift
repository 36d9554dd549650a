/// Which rows of a tableau may be out of their bounds: none, one that is known, or any.
struct Violations {
  /// False only while no row is out of its bounds.
  private(set) var mayExist = false
  /// While they may exist: the one row that may be out of its bounds, or -1 where it may be any.
  private var suspect = -1

  /// A row is out of its bounds.
  @inline(__always) mutating func note(_ row: Int) {
    suspect = !mayExist || suspect == row ? row : -1
    mayExist = true
  }

  /// A row was taken out, and the last one put into its place.
  @inline(__always) mutating func removed(_ row: Int, movedLast last: Int) {
    if suspect == row {
      suspect = -1
      mayExist = false
    } else if suspect == last {
      suspect = row
    }
  }

  /// Any row may be out of its bounds.
  mutating func suspectAll() {
    mayExist = true
    suspect = -1
  }

  /// The one row that may be out of its bounds, which counts as dealt with from then on; nil where
  /// it may be any.
  @inline(__always) mutating func takeSuspect() -> Int? {
    guard suspect >= 0 else { return nil }
    defer {
      suspect = -1
      mayExist = false
    }
    return suspect
  }

  /// All rows were looked at, and so many were out of their bounds, of which one is dealt with.
  mutating func searched(found count: Int) { mayExist = count > 1 }
}
