/// The constants `b` of a tableau's rows, the bounds of these, and which rows may be out of them;
/// in the tableau's own memory.
///
/// While `mayBeViolated` is false every row is within its bounds: each change of a value or a bound
/// checks the rows it affects, so that a pass that moves none out of bounds scans nothing.
/// `insert`, `scale`, `add` and `setBounds` leave that check to their caller.
struct RowValues {
  private let values: UnsafeMutablePointer<Double>
  private let lower: UnsafeMutablePointer<Double>
  private let upper: UnsafeMutablePointer<Double>
  private let capacity: Int
  private var violations = Violations()

  /// How far a row may be out of its bounds unnoticed. Markers of required constraints have
  /// coefficients of about 1, so the variables are off by about as much, far less than matters when
  /// they are rounded to whole cells.
  static var tolerance: Double { 1e-9 }

  /// The count of numbers stored per row.
  static var width: Int { 3 }

  /// Keeps `width` numbers for each of `rows` rows, a multiple of eight, in `memory`.
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

  /// Copies the first `rows` rows of another tableau's values.
  mutating func copy(_ other: RowValues, rows: Int) {
    values.update(from: other.values, count: rows)
    lower.update(from: other.lower, count: rows)
    upper.update(from: other.upper, count: rows)
    violations = other.violations
  }

  /// The buffer that values are read from.
  @inline(__always) var pointer: UnsafePointer<Double> { UnsafePointer(values) }

  @inline(__always) subscript(row: Int) -> Double { values[row] }

  @inline(__always) func bounds(_ row: Int) -> (lower: Double, upper: Double) {
    (lower[row], upper[row])
  }

  /// The bound that limits the row's value on its way up or down.
  @inline(__always) func bound(_ row: Int, isUp: Bool) -> Double {
    isUp ? upper[row] : lower[row]
  }

  // MARK: Changes

  /// Appends a row, unbounded.
  @inline(__always) mutating func append(_ value: Double, at row: Int) {
    values[row] = value
    setBounds(row, (-.infinity, .infinity))
  }

  /// Replaces a value.
  @inline(__always) mutating func insert(_ value: Double, at row: Int) { values[row] = value }

  @inline(__always) mutating func scale(_ row: Int, by factor: Double) { values[row] *= factor }

  /// Adds to a value. Returns its distance to the nearer bound plus the tolerance: below 0 it is
  /// out of bounds.
  @inline(__always)
  mutating func add(_ amount: Double, to row: Int) -> Double {
    let moved = values[row] + amount
    values[row] = moved
    let above = moved - lower[row]
    let below = upper[row] - moved
    return (above < below ? above : below) + RowValues.tolerance
  }

  /// Adds `change` times a column's cells, `step` numbers apart, to the first `rows` values.
  @inline(__always)
  mutating func shift(
    along cells: UnsafePointer<Double>, step: Int, by change: Double, rows: Int
  ) {
    let changes = SIMD2<Double>(repeating: change)
    let tolerances = SIMD2<Double>(repeating: RowValues.tolerance)
    let value = UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self)
    let lowest = UnsafeRawPointer(lower).assumingMemoryBound(to: SIMD2<Double>.self)
    let highest = UnsafeRawPointer(upper).assumingMemoryBound(to: SIMD2<Double>.self)
    // Collects the sign bits of the distances to the bounds.
    var signs = SIMD2<UInt64>.zero
    var cell = cells
    for pair in 0..<(rows >> 1) {
      defer { cell += 2 &* step }
      // An edit does not move most rows.
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

  /// Clamps the value to its bounds.
  mutating func moveIntoBounds(_ row: Int) {
    values[row] = min(max(values[row], lower[row]), upper[row])
  }

  /// Removes a row by moving the last one into its place.
  @inline(__always) mutating func remove(_ row: Int, last: Int) {
    violations.removed(row, movedLast: last)
    values[row] = values[last]
    lower[row] = lower[last]
    upper[row] = upper[last]
    // Sums run over whole vectors, so an unused value is 0.
    values[last] = 0
  }

  // MARK: Rows out of their bounds

  @inline(__always) private func isOut(_ row: Int, _ value: Double) -> Bool {
    lower[row] - value > RowValues.tolerance || value - upper[row] > RowValues.tolerance
  }

  /// Whether the row is out of its bounds.
  @inline(__always) func isViolated(_ row: Int) -> Bool { isOut(row, values[row]) }

  /// How far the row is out of its bounds; 0 or less if it is not.
  @inline(__always) func violation(_ row: Int) -> Double {
    max(lower[row] - values[row], values[row] - upper[row])
  }

  /// Records a moved row if it is out of its bounds.
  @inline(__always) mutating func noteMoved(_ row: Int) {
    if isViolated(row) { violations.note(row) }
  }

  /// False only while no row is out of its bounds.
  var mayBeViolated: Bool { violations.mayExist }

  /// Makes the next search for violated rows look at all of them.
  mutating func suspectAll() { violations.suspectAll() }

  /// Of the first `rows` rows the one farthest out of its bounds, or -1; from then on it counts as
  /// handled.
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
