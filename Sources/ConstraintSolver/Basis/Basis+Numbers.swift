/// Keeps numbers accurate: recomputes a row's value from its own constraint, checks all values
/// against the constraints as given, and recomputes the tableau from these.
///
/// Rules:
/// 1. A tolerance is relative to one constraint's numbers and the current values of its variables.
/// 2. Each pivot checks the column along which values move. After a number of pivots or edits all
///    values are checked: first by their weighted sum (rule 6 of `Basis`), and one by one only if
///    that is off. Errors beyond rounding are corrected by iterative refinement: the tableau may be
///    too inaccurate to compute values, but it is accurate enough to compute their corrections.
/// 3. If that fails, or a pivot would be small relative to its row, the tableau is recomputed.
/// 4. A conflict is reported only if the multipliers that prove it cancel the constraints as given.
extension Basis {
  /// The error of a value, relative to its constraint's numbers, above which it is corrected, and
  /// the error that is tolerated once correction ends.
  private static var exact: Double { 1e-10 }
  private static var sufficient: Double { 1e-7 }
  /// The rounding error of a sum, relative to the sum of magnitudes.
  private static var rounding: Double { 1e-12 }

  // MARK: A row and its own constraint

  /// A marker's value computed from its constraint, and the sum of the summands' magnitudes.
  private func evaluate(_ id: Int32) -> (value: Double, size: Double) {
    var value = symbols[id].constant
    var size = abs(value)
    for term in symbols.terms(of: id) {
      let position = symbols.position(of: term.variable.symbol)
      if position >= 0 { continue }
      let summand = term.coefficient * tableau.values[Int(~position)]
      value += summand
      size += abs(summand)
    }
    return (value, size)
  }

  /// Whether a row's violation is mere rounding. If it is small, the row's value is recomputed from
  /// its constraint.
  @inline(__always) mutating func isRounding(_ row: Int) -> Bool {
    tableau.values.violation(row) < 1e-3 && isRoundingOfTerms(row)
  }

  private mutating func isRoundingOfTerms(_ row: Int) -> Bool {
    let id = tableau.basic(row)
    guard symbols[id].isConstraint else { return false }
    let (value, size) = evaluate(id)
    correct(row, to: value)
    return tableau.values.violation(row) <= max(RowValues.tolerance, Basis.exact * size)
  }

  // MARK: Conflicts

  /// The symbols of a stuck row and of its non-zero columns, oldest first: constraints that clash,
  /// and variables that would be negative. The columns are independent, so without any one of these
  /// the rest could hold.
  func clash(at row: Int) -> [Int32] {
    let line = tableau.row(row)
    let smallest = tableau.smallestPivot(row)
    var clashing = [tableau.basic(row)]
    for column in 0..<tableau.columnCount where abs(line[column]) > smallest {
      clashing.append(tableau.nonbasic(column))
    }
    return clashing.sorted { symbols[$0].stamp < symbols[$1].stamp }
  }

  enum Proof {
    case clash
    /// The shortfall is below the rounding error of numbers of that size.
    case rounding
    /// The row is not the sum of its constraints.
    case drifted
  }

  /// Whether a stuck row proves, by the constraints as given, that required ones clash.
  func proof(ofClashAt row: Int) -> Proof {
    let line = tableau.row(row)
    var sums = [Double](repeating: 0, count: symbols.count)
    var sizes = sums
    var constant = 0.0
    var size = 0.0
    func add(_ id: Int32, _ multiplier: Double) {
      if symbols[id].isVariable {
        sums[Int(id)] += multiplier
        sizes[Int(id)] += abs(multiplier)
        return
      }
      constant += multiplier * symbols[id].constant
      size += abs(multiplier * symbols[id].constant)
      for term in symbols.terms(of: id) {
        sums[Int(term.variable.symbol)] += multiplier * term.coefficient
        sizes[Int(term.variable.symbol)] += abs(multiplier * term.coefficient)
      }
    }
    add(tableau.basic(row), 1)
    let smallest = tableau.smallestPivot(row)
    for column in 0..<tableau.columnCount where abs(line[column]) > smallest {
      add(tableau.nonbasic(column), -line[column])
    }
    // The multipliers cancel up to rounding, or they prove nothing.
    for id in sums.indices where abs(sums[id]) > 1e-8 * sizes[id] { return .drifted }
    if abs(constant) > max(RowValues.tolerance, Basis.rounding * size) { return .clash }
    let own = symbols[tableau.basic(row)].isConstraint ? evaluate(tableau.basic(row)).size : 1
    let isHeld = tableau.values.violation(row) <= Basis.sufficient * max(1, own)
    return isHeld ? .rounding : .drifted
  }

  // MARK: All values

  /// Whether values agree with the constraints as given, if a check is due; corrects them if not.
  /// False if that failed or left a row out of its bounds.
  @inline(__always) mutating func hasRightNumbers() -> Bool {
    !numbers.needsCheck() || checkNumbers()
  }

  @inline(never) private mutating func checkNumbers() -> Bool {
    let needsCellCheck = numbers.needsCellCheck()
    numbers.noteCheck()
    if needsCellCheck {
      numbers.noteCellCheck()
      if !hasRightCells() { return false }
    }
    // 0 up to rounding if all values are right: rule 6 of `Basis`.
    let sum = tableau.weights.weightedSum(of: tableau.values.pointer, rows: tableau.rowCount)
    if abs(sum + symbols.checkConstant) <= Numbers.driftTolerance { return true }
    return refineValues() && !hasViolatedRow()
  }

  /// Whether rows and prices still agree with the constraints as given. Constraints are checked one
  /// by one only if all together do not balance.
  private mutating func hasRightCells() -> Bool {
    let areRight =
      tableau.hasBalancedColumns(tolerance: 1e-12)
      || withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * tableau.columnCount) {
        areRowsRight($0)
      }
    priceBySides()
    return areRight && !hasPayingColumn()
  }

  /// Whether every constraint's terms add up to its marker in each column. The first half of `sums`
  /// is for these sums, the second for the sums of magnitudes.
  private func areRowsRight(_ sums: UnsafeMutableBufferPointer<Double>) -> Bool {
    let columns = tableau.columnCount
    /// Adds a multiple of the row or column at a position.
    func add(_ position: Int32, _ factor: Double) {
      if position >= 0 {
        sums[Int(position)] += factor
        sums[columns + Int(position)] += abs(factor)
        return
      }
      let line = tableau.row(Int(~position))
      for column in 0..<columns {
        sums[column] += factor * line[column]
        sums[columns + column] += abs(factor * line[column])
      }
    }
    for id in 0..<Int32(symbols.count) where symbols[id].isConstraint {
      sums.update(repeating: 0)
      add(symbols.position(of: id), -1)
      for term in symbols.terms(of: id) {
        add(symbols.position(of: term.variable.symbol), term.coefficient)
      }
      for column in 0..<columns where abs(sums[column]) > Basis.exact * sums[columns + column] {
        return false
      }
    }
    return true
  }

  /// Corrects values until they are exact up to rounding; false if they stay too far off.
  private mutating func refineValues() -> Bool {
    var last = Double.infinity
    for _ in 0..<40 {
      let error = valueError(correcting: true)
      if error <= Basis.exact { return true }
      if !(error < last) { break }
      last = error
    }
    return valueError(correcting: false) <= Basis.sufficient
  }

  /// The largest error of a value, relative to the numbers of its constraint. If `correcting`, also
  /// makes one step of iterative refinement.
  private mutating func valueError(correcting: Bool) -> Double {
    var error = 0.0
    var shifts: [(column: Int, change: Double)] = []
    for id in 0..<Int32(symbols.count) where symbols[id].isConstraint {
      let position = symbols.position(of: id)
      let (value, size) = evaluate(id)
      let held = position < 0 ? tableau.values[Int(~position)] : 0
      if !(abs(value - held) <= .greatestFiniteMagnitude) { return .infinity }
      // Markers are scaled, so 1 is not a small number for them.
      error = max(error, abs(value - held) / max(size, 1))
      if position >= 0 && value != 0 { shifts.append((Int(position), -value)) }
    }
    if !correcting || error <= Basis.exact { return error }
    shift(shifts)
    for row in 0..<tableau.rowCount where symbols[tableau.basic(row)].isConstraint {
      correct(row, to: evaluate(tableau.basic(row)).value)
    }
    return error
  }

  // MARK: All numbers

  /// Recomputes the tableau from the constraints as given, keeping as many symbols basic as
  /// possible, so that values lose only the rounding errors they had gathered.
  ///
  /// - Parameters:
  ///   - keepsBasis: false to start again with all variables as columns and all markers as rows.
  ///   - keepsPrices: false to have the prices settled again.
  /// - Complexity: O(variables² · constraints).
  mutating func refactor(keepsBasis: Bool = true, keepsPrices: Bool = true) {
    numbers.noteRefactoring()
    var wasBasic = [Bool](repeating: false, count: symbols.count)
    for row in 0..<tableau.rowCount { wasBasic[Int(tableau.basic(row))] = keepsBasis }
    readConstraints()
    for id in 0..<Int32(symbols.count) where symbols[id].isVariable && wasBasic[Int(id)] {
      let column = Int(symbols.position(of: id))
      let row = rowToRestore(column, wasBasic)
      if row >= 0 { restore(row: row, column: column) }
    }
    // Sides are kept: prices are right only together with them.
    priceBySides()
    removeDroppedRows()
    notePriced(right: keepsPrices && !hasPayingColumn())
    _ = refineValues()
  }

  /// Of the rows whose markers were columns, the one with the largest cell in `column`, or -1.
  private func rowToRestore(_ column: Int, _ wasBasic: [Bool]) -> Int {
    var best = -1
    var size = 1e-9
    for row in 0..<tableau.rowCount {
      let basic = tableau.basic(row)
      if symbols[basic].isVariable || wasBasic[Int(basic)] { continue }
      let magnitude = abs(tableau.row(row)[column])
      if magnitude > size {
        best = row
        size = magnitude
      }
    }
    return best
  }
}
