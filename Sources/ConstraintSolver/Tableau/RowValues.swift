/// The constants `b` of a tableau's rows, the bounds they are to be within and which may be out of
/// them; in the tableau's own memory.
///
/// While `mayBeViolated` is false every row is within its bounds: whatever moves a value or a bound
/// looks at the rows it moves, so that a pass which moves none out of bounds scans nothing. Only
/// `insert` and `setBounds` leave that to `noteMoved`.
struct RowValues {
  private let values: UnsafeMutablePointer<Double>
  private let lower: UnsafeMutablePointer<Double>
  private let upper: UnsafeMutablePointer<Double>
  private let capacity: Int
  private var violations = Violations()

  /// How far a row may be out of its bounds unnoticed. Markers of required constraints have
  /// coefficients of about 1, so that this is far below what their numbers are rounded to.
  static var tolerance: Double { 1e-9 }

  /// Numbers of a row.
  static var width: Int { 3 }

  /// `width` numbers of so many rows, a multiple of eight, in `memory`.
  init(memory: UnsafeMutablePointer<Double>, rows: Int) {
    capacity = rows
    values = memory
    lower = memory + rows
    upper = memory + 2 * rows
  }

  mutating func removeAll() {
    values.update(repeating: 0, count: capacity)
    violations = Violations()
  }

  /// Takes over so many rows of another.
  mutating func copy(_ other: RowValues, rows: Int) {
    values.update(from: other.values, count: rows)
    lower.update(from: other.lower, count: rows)
    upper.update(from: other.upper, count: rows)
    violations = other.violations
  }

  /// Where values are read.
  @inline(__always) var pointer: UnsafePointer<Double> { UnsafePointer(values) }

  @inline(__always) subscript(row: Int) -> Double { values[row] }

  @inline(__always) func bounds(_ row: Int) -> (lower: Double, upper: Double) {
    (lower[row], upper[row])
  }

  /// The bound that the row's value meets first on its way up or down.
  @inline(__always) func bound(_ row: Int, isUp: Bool) -> Double {
    isUp ? upper[row] : lower[row]
  }

  // MARK: Changes

  /// A new row, unbounded.
  @inline(__always) mutating func append(_ value: Double, at row: Int) {
    values[row] = value
    setBounds(row, (-.infinity, .infinity))
  }

  /// A value put right.
  @inline(__always) mutating func insert(_ value: Double, at row: Int) { values[row] = value }

  @inline(__always) mutating func scale(_ row: Int, by factor: Double) { values[row] *= factor }

  /// Adds to a value. Returns how far it is within its bounds, to within the tolerance: below 0 it is
  /// out of them.
  @inline(__always)
  mutating func add(_ amount: Double, to row: Int) -> Double {
    let moved = values[row] + amount
    values[row] = moved
    let above = moved - lower[row]
    let below = upper[row] - moved
    return (above < below ? above : below) + RowValues.tolerance
  }

  /// Adds `change` times the cells, of which the next is `step` numbers on, to so many values.
  @inline(__always)
  mutating func shift(
    along cells: UnsafePointer<Double>, step: Int, by change: Double, rows: Int
  ) {
    let changes = SIMD2<Double>(repeating: change)
    let tolerances = SIMD2<Double>(repeating: RowValues.tolerance)
    let value = UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self)
    let lowest = UnsafeRawPointer(lower).assumingMemoryBound(to: SIMD2<Double>.self)
    let highest = UnsafeRawPointer(upper).assumingMemoryBound(to: SIMD2<Double>.self)
    // The sign of what is left of the tolerances.
    var signs = SIMD2<UInt64>.zero
    var cell = cells
    for pair in 0..<(rows >> 1) {
      defer { cell += 2 &* step }
      // Most rows are not moved by an edit.
      if !(Tableau.isNotZero(cell) || Tableau.isNotZero(cell + step)) { continue }
      let moved = value[pair] + changes * SIMD2(cell[0], cell[step])
      value[pair] = moved
      let above = (moved - lowest[pair]) + tolerances
      let below = (highest[pair] - moved) + tolerances
      signs |=
        unsafeBitCast(above, to: SIMD2<UInt64>.self) | unsafeBitCast(below, to: SIMD2<UInt64>.self)
    }
    if rows & 1 != 0 {
      values[rows &- 1] += change * cell.pointee
      noteMoved(rows &- 1)
    }
    if Int64(bitPattern: signs[0] | signs[1]) < 0 { violations.suspectAll() }
  }

  @inline(__always) mutating func setBounds(_ row: Int, _ bounds: (lower: Double, upper: Double)) {
    lower[row] = bounds.lower
    upper[row] = bounds.upper
  }

  /// Has the value be at the bound that it is out of.
  mutating func moveIntoBounds(_ row: Int) {
    values[row] = min(max(values[row], lower[row]), upper[row])
  }

  /// Puts the last row in the place of another.
  @inline(__always) mutating func remove(_ row: Int, last: Int) {
    violations.removed(row, movedLast: last)
    values[row] = values[last]
    lower[row] = lower[last]
    upper[row] = upper[last]
    // Sums run over whole vectors.
    values[last] = 0
  }

  // MARK: Rows out of their bounds

  @inline(__always) private func isOut(_ row: Int, _ value: Double) -> Bool {
    lower[row] - value > RowValues.tolerance || value - upper[row] > RowValues.tolerance
  }

  /// Whether the row is outside its bounds.
  @inline(__always) func isViolated(_ row: Int) -> Bool { isOut(row, values[row]) }

  /// How far the row is outside its bounds; 0 or less where it is not.
  @inline(__always) func violation(_ row: Int) -> Double {
    max(lower[row] - values[row], values[row] - upper[row])
  }

  /// Notes whether the row is outside its bounds, after it was moved.
  @inline(__always) mutating func noteMoved(_ row: Int) {
    if isViolated(row) { violations.note(row) }
  }

  /// False only while no row is outside its bounds.
  var mayBeViolated: Bool { violations.mayExist }

  /// Has the next look for rows out of their bounds look at all.
  mutating func suspectAll() { violations.suspectAll() }

  /// Of so many rows the one farthest outside its bounds, or -1. It counts as dealt with from then
  /// on.
  @inline(__always) mutating func takeMostViolated(of rows: Int) -> Int {
    guard violations.mayExist else { return -1 }
    if let row = violations.takeSuspect() { return isViolated(row) ? row : -1 }
    return searchMostViolated(of: rows)
  }

  private mutating func searchMostViolated(of rows: Int) -> Int {
    var worst = RowValues.tolerance
    var found = -1
    var count = 0
    let (values, lowest, highest) = (values, lower, upper)
    for row in 0..<rows {
      let value = values[row]
      let below = lowest[row] - value
      let above = value - highest[row]
      if below > RowValues.tolerance || above > RowValues.tolerance {
        count &+= 1
        let violation = below > above ? below : above
        if violation > worst {
          worst = violation
          found = row
        }
      }
    }
    violations.searched(found: count)
    return found
  }
}
