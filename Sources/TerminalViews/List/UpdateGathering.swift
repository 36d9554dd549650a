import VirtualList

/// Updates gathered between `beginUpdates` and the `endUpdates` that belongs to it.
struct UpdateGathering {
  private var depth = 0
  private var updates = BatchUpdates()
  private var reconfigured: [Int] = []

  mutating func begin() { depth += 1 }

  mutating func add(_ change: (inout BatchUpdates) -> Void) { change(&updates) }

  mutating func reconfigure(_ rows: [Int]) { reconfigured += rows }

  /// - Returns: what was gathered, at the outermost end.
  mutating func end() -> (updates: BatchUpdates, reconfigured: [Int])? {
    guard depth > 0 else { return nil }
    depth -= 1
    guard depth == 0 else { return nil }
    defer { self = UpdateGathering() }
    return (updates, reconfigured)
  }
}
