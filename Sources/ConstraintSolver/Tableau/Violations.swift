/// Which rows of a tableau may be out of their bounds: none, a known one, or any.
struct Violations {
  /// False only while no row is out of its bounds.
  private(set) var mayExist = false
  /// While `mayExist`: the one row that may be out of its bounds, or -1 if any row may be.
  private var suspect = -1

  /// Records a row that is out of its bounds.
  @inline(__always) mutating func note(_ row: Int) {
    suspect = !mayExist || suspect == row ? row : -1
    mayExist = true
  }

  /// Records that a row was removed and the last one moved into its place.
  @inline(__always) mutating func removed(_ row: Int, movedLast last: Int) {
    if suspect == row {
      suspect = -1
      mayExist = false
    } else if suspect == last {
      suspect = row
    }
  }

  /// Records that any row may be out of its bounds.
  mutating func suspectAll() {
    mayExist = true
    suspect = -1
  }

  /// The one row that may be out of its bounds, which counts as handled from then on; `nil` if any
  /// row may be.
  @inline(__always) mutating func takeSuspect() -> Int? {
    guard suspect >= 0 else { return nil }
    defer {
      suspect = -1
      mayExist = false
    }
    return suspect
  }

  /// Records a search that found `count` rows out of their bounds, of which one is handled.
  mutating func searched(found count: Int) { mayExist = count > 1 }
}
