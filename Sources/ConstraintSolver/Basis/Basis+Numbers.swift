/// How numbers are kept right: what a row is worth beside its own constraint, the check of all
/// values against the constraints as they were given, and the tableau remade from these.
///
/// Rules:
/// 1. A tolerance is a constraint's own, relative to its numbers and those of its variables now.
/// 2. A pivot checks the column that values move along, and each so many pivots and edits all
///    values are checked, by the sum that the symbol table keeps where that is enough. What is off
///    by more than rounding is corrected by iterative refinement: the tableau is good enough an
///    inverse for errors, if not for values.
/// 3. Where that does not do, or a pivot would be small beside its row, the tableau is remade.
/// 4. A conflict is reported only where the multipliers that prove it cancel the constraints as
///    given.
extension Basis {
  /// A value's distance from what its constraint gives, in shares of its numbers, that is
  /// corrected, and that is tolerated where correcting ends.
  private static var exact: Double { 1e-10 }
  private static var sufficient: Double { 1e-7 }
  /// What rounding leaves of a sum, in shares of the sum of magnitudes.
  private static var rounding: Double { 1e-12 }

  // MARK: A row and its own constraint

  /// A marker's value as its constraint gives it, and the magnitude of what was added up.
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

  /// Whether a violated row is within its bounds but for rounding; else its value is exact from now
  /// on.
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

  /// A row that nothing may move into its bounds and its non-zero columns, oldest first:
  /// constraints that clash, and variables that would be negative. The columns are independent, so
  /// that without any one of them the rest could hold.
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
    /// What is missing is less than rounding makes of numbers of that size.
    case rounding
    /// The row is not what its constraints add up to.
    case drifted
  }

  /// Whether required constraints clash as a row that nothing may move says.
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
    // They cancel to rounding, or the proof is none.
    for id in sums.indices where abs(sums[id]) > 1e-8 * sizes[id] { return .drifted }
    if abs(constant) > max(RowValues.tolerance, Basis.rounding * size) { return .clash }
    let own = symbols[tableau.basic(row)].isConstraint ? evaluate(tableau.basic(row)).size : 1
    let isHeld = tableau.values.violation(row) <= Basis.sufficient * max(1, own)
    return isHeld ? .rounding : .drifted
  }

  // MARK: All values

  /// Whether values are what the constraints as given make of them; corrects them where they are
  /// not. False where that failed, or has left a row out of its bounds.
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
    // 0, but for rounding, where all values are right: rule 6 of the basis.
    let sum = tableau.weights.weightedSum(of: tableau.values.pointer, rows: tableau.rowCount)
    if abs(sum + symbols.checkConstant) <= Numbers.driftTolerance { return true }
    return refineValues() && !hasViolatedRow()
  }

  /// Whether rows and prices are still what the constraints as given make of them. Constraints are
  /// looked at one by one only where they do not balance all together.
  private mutating func hasRightCells() -> Bool {
    let areRight =
      tableau.hasBalancedColumns(tolerance: 1e-12)
      || withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * tableau.columnCount) {
        areRowsRight($0)
      }
    priceBySides()
    return areRight && !hasPayingColumn()
  }

  /// Adds every constraint's terms up by columns, in `sums`: they are to be its marker. Behind them
  /// stand the sums of magnitudes.
  private func areRowsRight(_ sums: UnsafeMutableBufferPointer<Double>) -> Bool {
    let columns = tableau.columnCount
    /// Adds a multiple of what stands at a position.
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

  /// Corrects values until they are exact to rounding; false where they cannot be made right.
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

  /// How far off values are, in shares of the numbers of the constraint where that is most; then
  /// makes one step of iterative refinement, where that is wanted.
  private mutating func valueError(correcting: Bool) -> Double {
    var error = 0.0
    var shifts: [(column: Int, change: Double)] = []
    for id in 0..<Int32(symbols.count) where symbols[id].isConstraint {
      let position = symbols.position(of: id)
      let (value, size) = evaluate(id)
      let held = position < 0 ? tableau.values[Int(~position)] : 0
      if !(abs(value - held) <= .greatestFiniteMagnitude) { return .infinity }
      // Markers are scaled, so that 1 is no small number in them.
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

  /// Computes the tableau from the constraints as given, with the same symbols basic as before as
  /// far as these can be, so that values stay what they were but for the rounding errors they had
  /// gathered.
  ///
  /// - Parameters:
  ///   - keepsBasis: false where all is to be solved from the beginning.
  ///   - keepsPrices: false where prices are to be made right again.
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
    // Sides are kept: they are part of the state whose prices are right.
    priceBySides()
    removeDroppedRows()
    notePriced(right: keepsPrices && !hasPayingColumn())
    _ = refineValues()
  }

  /// Of the rows whose markers were columns that with the largest cell in a column, or -1.
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
