/// The tableau with the meaning of its labels: which symbols are rows and which are columns, on
/// which side of 0 each row is, and what moving a column costs. The simplexes read it and change
/// its rows only by `exchange`, `cross` and `moveIntoBounds`.
///
/// Rules:
/// 1. Non-basic symbols have value 0 and side 0. There are as many columns as variables and as many
///    rows as markers; those of removed constraints (`dropped`) may stay until the next solve ends.
/// 2. A symbol's place names the row or column that has the symbol as its label.
/// 3. An objective row is the sum of its priority's basic markers, each times its slope, unless
///    prices are `forgotten`.
/// 4. A row's bounds are those of its symbol on its present side; while prices are forgotten those
///    of optional constraints are infinite.
/// 5. A row whose value or bounds change is checked against its bounds.
/// 6. Each constraint has a check number of at least 1 and below 2. It is subtracted from its
///    marker's weight and added, times the coefficients, to its variables' weights: so the weighted
///    sum of all values plus `symbols.checkConstant` is 0 if values are right and, but for
///    coincidence, only then; likewise for the cells of each column. One sum checks all.
struct Basis: ~Copyable {
  enum Pricing {
    /// No move of a column from 0 lowers the cost, even with optional constraints that are basic at
    /// cost 0 counted as free.
    case right
    case wrong
    /// Optional constraints are unbounded and cost nothing: the first half of a repair.
    case forgotten
  }

  private(set) var tableau: Tableau
  private(set) var symbols: SymbolTable
  private(set) var priorityRows = PriorityRows()
  private(set) var pricing = Pricing.right
  private(set) var pivotCount = 0
  private(set) var droppedCount = 0
  /// The number of variables that are columns, which new constraints may take.
  private(set) var freeVariableCount = 0
  var numbers = Numbers()

  /// Prices closer than this are equal. A solve that does not end raises it: with coefficients far
  /// apart a price may count in one basis and not in its neighbour.
  private(set) var priceTolerance = Basis.leastPriceTolerance
  private static var leastPriceTolerance: Double { 1e-9 }

  /// Treats prices ten times as far apart as equal.
  mutating func raisePriceTolerance() { priceTolerance *= 10 }

  mutating func resetPriceTolerance() { priceTolerance = Basis.leastPriceTolerance }

  init(variables: Int, constraints: Int) {
    tableau = Tableau(rows: max(1, constraints), columns: max(1, variables), slots: 4)
    symbols = SymbolTable(capacity: variables + constraints)
  }

  private init(copying other: borrowing Basis) {
    tableau = other.tableau.copy()
    symbols = other.symbols.copy()
    priorityRows = other.priorityRows.copy()
    pricing = other.pricing
    pivotCount = other.pivotCount
    droppedCount = other.droppedCount
    freeVariableCount = other.freeVariableCount
    numbers = other.numbers
  }

  func copy() -> Basis { Basis(copying: self) }

  var constraintCount: Int { tableau.rowCount - droppedCount }
  /// The buffers that values are read from; valid until one of them grows.
  var view: ValueView { symbols.view(of: tableau.values.pointer) }
  var growthCount: Int { tableau.growthCount + symbols.growthCount + priorityRows.growthCount }

  // MARK: Variables

  mutating func addVariable(isNonnegative: Bool) -> Variable {
    let id = symbols.takeVariable(isNonnegative: isNonnegative)
    appendColumn(of: id)
    return symbols.variable(id)
  }

  /// Removes a variable that is a column and that no constraint mentions.
  mutating func removeVariable(_ id: Int32) {
    let column = Int(symbols.position(of: id))
    let moved = tableau.removeColumn(column)
    if moved >= 0 { symbols.place(moved, inColumn: column) }
    symbols.spend(id)
    symbols.release(id)
    freeVariableCount -= 1
  }

  private mutating func appendColumn(of id: Int32) {
    symbols.place(id, inColumn: tableau.appendColumn(id))
    freeVariableCount += 1
  }

  // MARK: Constraints

  /// Adds a constraint as a row, which takes a variable's column at once if it can. `largest` is
  /// the largest magnitude of its coefficients.
  @inline(__always)
  mutating func addConstraint(
    _ terms: Span<Term>, _ relation: Relation, constant: Double, priority: Float,
    isProtected: Bool, age: UInt64?, largest: Double
  ) -> ConstraintHandle {
    let id = symbols.takeMarker(
      terms, relation, constant: constant, priority: priority, isProtected: isProtected, age: age,
      largest: largest)
    if priority != Solver.required { takePriorityRow(id) }
    enter(id)
    return symbols.handle(id)
  }

  private mutating func takePriorityRow(_ id: Int32) {
    let (slot, isNew) = priorityRows.take(symbols[id].priority)
    tableau.reserve(slots: priorityRows.rowCount)
    if isNew { tableau.clearPrices(slot) }
    symbols[id].slot = slot
  }

  private mutating func enter(_ id: Int32) {
    let row = appendRow(of: id)
    if pricing == .right && freeVariableCount > 0 && takeColumn(row, id) { return }
    setBounds(row)
  }

  /// Appends a marker as a row over the present columns, unbounded.
  @inline(__always)
  private mutating func appendRow(of id: Int32) -> Int {
    let terms = symbols.terms(of: id)
    let number = symbols[id].isConstraint ? SymbolTable.checkNumber(id) : 0
    let row = tableau.appendRow(id, constant: symbols[id].constant)
    symbols.place(id, inRow: row)
    tableau.weights.add(-number, at: ~Int32(row))
    // Adding rows two at a time halves the reads and writes of the new one.
    var waiting: Tableau.Multiple?
    var isEmpty = true
    for term in terms {
      let position = symbols.position(of: term.variable.symbol)
      tableau.weights.add(number * term.coefficient, at: position)
      if position >= 0 { continue }
      let multiple = Tableau.Multiple(factor: term.coefficient, row: Int(~position))
      guard let first = waiting else {
        waiting = multiple
        continue
      }
      tableau.add(first, multiple, toRow: row, isEmpty: isEmpty)
      isEmpty = false
      waiting = nil
    }
    if let waiting {
      tableau.add(waiting, toRow: row, isEmpty: isEmpty)
    } else if isEmpty {
      tableau.clear(row: row)
    }
    for term in terms {
      let position = symbols.position(of: term.variable.symbol)
      if position >= 0 { tableau.add(term.coefficient, toRow: row, column: Int(position)) }
    }
    return row
  }

  /// Gives the new marker in `row` a variable's column, which keeps all prices right; false if no
  /// column is suitable.
  @inline(__always) private mutating func takeColumn(_ row: Int, _ id: Int32) -> Bool {
    let line = tableau.row(row)
    // Usually a variable that the constraint itself mentions.
    for term in symbols.terms(of: id) {
      let variable = term.variable.symbol
      let column = Int(symbols.position(of: variable))
      guard column >= 0, abs(line[column]) > 0.1, isFreeVariable(column) else { continue }
      // If only this constraint mentions it, it is in no other row, except by the marker of a
      // removed one, and its cell is the coefficient, not a remainder of cancelled terms.
      let isFresh = droppedCount == 0 && symbols[variable].uses == 1
      if isFresh || isSound(row, column) {
        exchange(row: row, column: column, side: 1, isFresh: isFresh)
        return true
      }
    }
    let best = largestColumn(row) { isFreeVariable($0) }
    guard best >= 0 && isSound(row, best) else { return false }
    exchange(row: row, column: best, side: 1)
    return true
  }

  /// Applies a changed constant.
  @inline(__always)
  mutating func setConstant(_ constant: Double, of id: Int32, age: UInt64? = nil) {
    let change = symbols.setConstant(constant, of: id)
    if let age { symbols[id].stamp = age }
    if change == 0 { return }
    numbers.noteEdit(by: change)
    let position = symbols.position(of: id)
    if position < 0 {
      tableau.shift(row: Int(~position), by: change)
    } else {
      // The column's symbol stands for s, and the new marker is s + change.
      tableau.shift(column: Int(position), by: -change)
    }
  }

  /// Removes a constraint and invalidates its handle. A basic marker leaves at once; any other
  /// stays as a free column until a row takes it in the next solve, or that solve ends.
  mutating func drop(_ id: Int32) {
    let symbol = symbols[id]
    let position = symbols.position(of: id)
    if position < 0, pricing != .forgotten, symbol.slope != 0 {
      tableau.addPrices(-symbol.slope, symbol.slot, row: Int(~position))
      pricing = .wrong
    }
    if symbol.isSoft { priorityRows.release(symbol.slot) }
    let number = SymbolTable.checkNumber(id)
    tableau.weights.add(number, at: position)
    for term in symbols.terms(of: id) {
      let variable = term.variable.symbol
      symbols[variable].uses &-= 1
      tableau.weights.add(-number * term.coefficient, at: symbols.position(of: variable))
    }
    symbols.spend(id)
    droppedCount += 1
    if position < 0 {
      removeDroppedRow(Int(~position))
    } else {
      tableau.setMovable(Int(position), true)
    }
  }

  /// Removes the row of a dropped marker for good.
  private mutating func removeDroppedRow(_ row: Int) {
    let id = tableau.basic(row)
    let moved = tableau.removeRow(row)
    if moved >= 0 { symbols.place(moved, inRow: row) }
    symbols.release(id)
    droppedCount -= 1
  }

  // MARK: Moves

  /// Exchanges the symbols of `row` and `column`; the entering one moves to `side` of 0. A dropped
  /// marker that enters leaves the tableau.
  mutating func exchange(row: Int, column: Int, side: Int8, isFresh: Bool = false) {
    let leaving = tableau.basic(row)
    let entering = tableau.nonbasic(column)
    symbols[entering].side = side
    if pricing != .forgotten {
      let slope = symbols[leaving].slope
      if slope != 0 { tableau.addPrices(-slope, symbols[leaving].slot, row: row) }
      let newSlope = symbols[entering].slope
      if newSlope != 0 { tableau.addPrice(newSlope, symbols[entering].slot, column: column) }
    }
    let (step, drift) = pivot(row: row, column: column, isFresh: isFresh)
    numbers.notePivot(by: step, drift: drift, isFresh: isFresh)
    pivotCount += 1
    symbols[leaving].side = 0
    if symbols[entering].kind == .dropped { removeDroppedRow(row) } else { setBounds(row) }
  }

  /// Pivots, and updates the places of both symbols.
  @inline(__always) @discardableResult
  private mutating func pivot(
    row: Int, column: Int, isFresh: Bool = false
  ) -> (step: Double, drift: Double) {
    let leaving = tableau.basic(row)
    let entering = tableau.nonbasic(column)
    let move = tableau.pivot(row: row, column: column, isFresh: isFresh)
    tableau.setMovable(column, symbols[leaving].kind != .equality)
    if symbols[entering].isVariable { freeVariableCount -= 1 }
    if symbols[leaving].isVariable { freeVariableCount += 1 }
    symbols.place(leaving, inColumn: column)
    symbols.place(entering, inRow: row)
    return move
  }

  /// Lets the optional marker of `row` cross 0 to `side`.
  mutating func cross(_ row: Int, to side: Int8) {
    let id = tableau.basic(row)
    let before = symbols[id].slope
    symbols[id].side = side
    tableau.addPrices(symbols[id].slope - before, symbols[id].slot, row: row)
    setBounds(row)
  }

  /// Sets a row's bounds by its symbol's kind and side.
  @inline(__always)
  private mutating func bound(_ row: Int) {
    let symbol = symbols[tableau.basic(row)]
    tableau.values.setBounds(
      row, pricing == .forgotten && symbol.isSoft ? (-.infinity, .infinity) : symbol.bounds)
  }

  @inline(__always) private mutating func setBounds(_ row: Int) {
    bound(row)
    tableau.values.noteMoved(row)
  }

  // MARK: Rows out of their bounds

  /// Whether `solve` has nothing to do: everything is in place and no check is due.
  @inline(__always) var isSettled: Bool {
    pricing == .right && droppedCount == 0 && !tableau.values.mayBeViolated
      && !numbers.needsCheck()
  }

  /// The violated row to move next, or -1; from then on it counts as handled.
  @inline(__always)
  mutating func takeViolatedRow(isCareful: Bool) -> Int {
    while true {
      let row = isCareful ? tableau.violatedRowOfLeastSymbol() : tableau.takeMostViolatedRow()
      if row < 0 || !isRounding(row) { return row }
      tableau.values.moveIntoBounds(row)
    }
  }

  mutating func hasViolatedRow() -> Bool {
    let isViolated = takeViolatedRow(isCareful: false) >= 0
    if isViolated { tableau.values.suspectAll() }
    return isViolated
  }

  /// Undoes `takeViolatedRow` for a row that could not be handled.
  mutating func giveBackViolatedRow() { tableau.values.suspectAll() }

  /// Clamps a row that is as near to its bounds as its numbers allow.
  mutating func moveIntoBounds(_ row: Int) { tableau.values.moveIntoBounds(row) }

  // MARK: Prices

  /// Records whether no column's move pays.
  mutating func notePriced(right: Bool) { pricing = right ? .right : .wrong }

  mutating func forgetPrices() {
    pricing = .forgotten
    for slot in priorityRows.order { tableau.clearPrices(slot) }
    for row in 0..<tableau.rowCount { setBounds(row) }
  }

  /// Chooses each basic marker's side by its value, and recomputes bounds and objective rows.
  mutating func priceAnew() {
    pricing = .wrong
    for row in 0..<tableau.rowCount {
      let id = tableau.basic(row)
      let value = tableau.values[row]
      if symbols[id].isSoft {
        symbols[id].side =
          value > RowValues.tolerance
          ? 1 : value < -RowValues.tolerance ? -1 : symbols[id].kind == .softEquality ? 0 : 1
      }
    }
    priceBySides()
  }

  /// Recomputes bounds and objective rows from the sides of the basic markers.
  mutating func priceBySides() {
    for slot in priorityRows.order { tableau.clearPrices(slot) }
    for row in 0..<tableau.rowCount {
      let symbol = symbols[tableau.basic(row)]
      if symbol.slope != 0 { tableau.addPrices(symbol.slope, symbol.slot, row: row) }
      setBounds(row)
    }
  }

  // MARK: Recomputed numbers

  /// Rebuilds the tableau from the constraints as given, with every variable a column and every
  /// marker a row.
  mutating func readConstraints() {
    symbols.sumConstants()
    tableau.removeAll()
    freeVariableCount = 0
    let ids = 0..<Int32(symbols.count)
    for id in ids where symbols[id].isVariable {
      symbols[id].side = 0
      appendColumn(of: id)
    }
    for id in ids where symbols[id].isMarker { _ = appendRow(of: id) }
  }

  /// Exchanges symbols while neither bounds nor prices are kept.
  mutating func restore(row: Int, column: Int) {
    symbols[tableau.basic(row)].side = 0
    pivot(row: row, column: column)
  }

  /// Removes the rows of dropped markers.
  mutating func removeDroppedRows() {
    for row in (0..<tableau.rowCount).reversed()
    where symbols[tableau.basic(row)].kind == .dropped { removeDroppedRow(row) }
  }

  /// Moves the columns' symbols, and all rows with them.
  mutating func shift(_ changes: [(column: Int, change: Double)]) {
    for (column, change) in changes { tableau.shift(column: column, by: change) }
  }

  /// Sets a row's value to the one computed from its constraint.
  mutating func correct(_ row: Int, to value: Double) {
    tableau.values.insert(value, at: row)
    tableau.values.noteMoved(row)
  }
}
