/// The destinations of drags, by the position of the thumb's start.
///
/// Arrays of integers, which are specialized in the standard library: generic storage of other
/// types would be instantiated at run time, during the first drag.
struct DragDestinations {
  /// Ascending.
  private var starts: [Int] = []
  private var rows: [Int] = []
  private var lines: [Int] = []

  /// The destination of a thumb at `start`, or `nil`. - Complexity: O(log n)
  subscript(start: Int) -> ScrollPosition? {
    let index = index(ofFirstFrom: start)
    return index < starts.count && starts[index] == start ? position(at: index) : nil
  }

  /// `proposed`, clamped between the destinations of the nearest thumbs before and after `start`.
  /// - Complexity: O(log n)
  func clamped(_ proposed: ScrollPosition, at start: Int) -> ScrollPosition {
    let index = index(ofFirstFrom: start)
    var position = proposed
    if index > 0 { position = max(position, self.position(at: index - 1)) }
    if index < starts.count { position = min(position, self.position(at: index)) }
    return position
  }

  /// - Complexity: O(n)
  mutating func note(_ position: ScrollPosition, at start: Int) {
    let index = index(ofFirstFrom: start)
    if index < starts.count, starts[index] == start {
      (rows[index], lines[index]) = (position.row, position.line)
    } else {
      starts.insert(start, at: index)
      rows.insert(position.row, at: index)
      lines.insert(position.line, at: index)
    }
  }

  mutating func removeAll() { self = DragDestinations() }

  private func position(at index: Int) -> ScrollPosition {
    ScrollPosition(row: rows[index], line: lines[index])
  }

  private func index(ofFirstFrom start: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = low + (high - low) / 2
      if starts[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
