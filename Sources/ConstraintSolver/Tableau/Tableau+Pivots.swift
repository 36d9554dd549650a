/// Finds the row to pivot on, and decides which cells are large enough to pivot on.
extension Tableau {
  /// Whether a cell is large enough relative to its row to pivot on.
  ///
  /// - Complexity: O(columns).
  @inline(__always) func isPivot(_ row: Int, _ column: Int) -> Bool {
    abs(self.row(row)[column]) > smallestPivot(row)
  }

  /// The magnitude that a cell of the row has to exceed to be pivoted on.
  ///
  /// - Complexity: O(columns).
  @inline(__always) func smallestPivot(_ row: Int) -> Double {
    1e-11 * max(magnitude(row), 0.1)
  }

  /// The magnitude of a row's cells: the root of the sum of their squares, to within 6 percent.
  ///
  /// - Complexity: O(columns).
  @inline(__always) func magnitude(_ row: Int) -> Double {
    var vector = UnsafeRawPointer(self.row(row)).assumingMemoryBound(to: SIMD8<Double>.self)
    let end = vector + vectors
    var squares = SIMD8<Double>.zero
    while vector < end {
      squares += vector.pointee * vector.pointee
      vector += 1
    }
    // Halving the exponent approximates the root; `squareRoot` would make every program link the
    // maths library.
    return Double(bitPattern: (Tableau.sum(squares).bitPattern &+ 1023 << 52) >> 1)
  }

  /// Sums by halves, in fewer steps than one by one.
  @inline(__always) static func sum(_ eight: SIMD8<Double>) -> Double {
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
  }

  /// The row farthest out of its bounds, or -1; from then on it counts as handled.
  @inline(__always) mutating func takeMostViolatedRow() -> Int {
    values.takeMostViolated(of: rowCount)
  }

  /// The violated row with the least symbol, or -1.
  mutating func violatedRowOfLeastSymbol() -> Int {
    var found = -1
    for row in 0..<rowCount where values.isViolated(row) {
      if found < 0 || basic(row) < basic(found) { found = row }
    }
    if found >= 0 { values.suspectAll() }
    return found
  }

  /// The row that reaches a bound first when the column's symbol moves to `side`, or -1. Of several
  /// it is the one with the largest cell, or with the least symbol if `isCareful`.
  ///
  /// `side` is 1 or −1, the direction of the move. `distance` is its length; infinite if no row
  /// limits it.
  ///
  /// - Complexity: O(rows); O(rows · columns) if the first cell found is too small to pivot on.
  func limitingRow(column: Int, side: Int8, isCareful: Bool) -> (row: Int, distance: Double) {
    let found = limitingRow(column, Double(side), isCareful, comparesRows: false)
    // Usually the cell is large enough, so first only the row found is measured, not every row.
    if found.row < 0 || isPivot(found.row, column) { return found }
    return limitingRow(column, Double(side), isCareful, comparesRows: true)
  }

  @inline(__always)
  private func limitingRow(
    _ column: Int, _ sign: Double, _ isCareful: Bool, comparesRows: Bool
  ) -> (row: Int, distance: Double) {
    var found = -1
    var distance = Double.infinity
    var size = 0.0
    var next = row(0) + column
    for row in 0..<rowCount {
      let cell = next
      next += stride
      if !Tableau.isNotZero(cell) { continue }
      let rate = cell.pointee * sign
      let bound = values.bound(row, isUp: rate > 0)
      if bound.isInfinite { continue }
      let magnitude = abs(rate)
      let reach = max(0, (bound - values[row]) / rate)
      let tie = RowValues.tolerance * (1 + reach)
      if reach > distance + tie { continue }
      if reach > distance - tie {
        let isPreferred = isCareful ? basic(row) < basic(found) : magnitude > size
        if !isPreferred { continue }
      }
      if comparesRows && magnitude <= smallestPivot(row) { continue }
      found = row
      distance = min(distance, reach)
      size = magnitude
    }
    return (found, distance)
  }
}
