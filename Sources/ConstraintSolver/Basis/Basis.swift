/// Which symbols are rows and which are columns, on which side of 0 the rows stand, and what the
/// columns cost: the tableau with what its labels mean. The simplexes read it and move it by
/// `exchange` and `cross` alone.
///
/// Rules:
/// 1. Non-basic symbols are 0, their side too. There are as many columns as variables, and a row a
///    constraint; markers of removed constraints (`dropped`) may stay until the next solve ends.
/// 2. Each symbol's place names its row or column, and each label's symbol is there.
/// 3. An objective row is the sum of its priority's basic markers, each times its slope, unless
///    prices are `forgotten`.
/// 4. A row's bounds are its symbol's on its present side; while prices are forgotten those of
///    optional constraints are infinite.
/// 5. A row that is moved or bounded again is looked at for whether it is out of its bounds.
/// 6. Each constraint has a number of its own between 1 and 2. Its marker weighs less by that, and
///    its variables more by that times their coefficients: so the weighted sum of all values and
///    `symbols.checkConstant` is 0 where values are right and, but for a coincidence, nowhere else,
///    and the same holds for the cells of each column. One sum over the tableau looks at all terms.
struct Basis: ~Copyable {
  enum Pricing {
    /// No move of a column from 0 pays, as far as optional constraints basic at cost 0 are
    /// concerned.
    case right
    case wrong
    /// Optional constraints are free and cost nothing: the first half of a repair.
    case forgotten
  }

  private(set) var tableau: Tableau
  private(set) var symbols: SymbolTable
  private(set) var priorityRows = PriorityRows()
  private(set) var pricing = Pricing.right
  private(set) var pivotCount = 0
  private(set) var droppedCount = 0
  /// Variables that are columns: free to be taken by new constraints.
  private(set) var freeVariableCount = 0
  var numbers = Numbers()

  /// Prices closer than this are equal. A solve that does not end raises it: with coefficients far
  /// apart a price may count in one basis and not in its neighbour.
  private(set) var priceTolerance = Basis.leastPriceTolerance
  private static var leastPriceTolerance: Double { 1e-9 }

  /// Takes prices for equal that are ten times as far apart.
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
  /// Where values are read, until a buffer grows.
  var view: ValueView { symbols.view(of: tableau.values.pointer) }
  var growthCount: Int { tableau.growthCount + symbols.growthCount + priorityRows.growthCount }

  // MARK: Variables

  mutating func addVariable(isNonnegative: Bool) -> Variable {
    let id = symbols.takeVariable(isNonnegative: isNonnegative)
    appendColumn(of: id)
    return symbols.variable(id)
  }

  /// Removes a variable that no constraint mentions and that is a column.
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

  /// Puts a constraint in as a row, and gives the row a column where one is free to be taken at
  /// once. `largest` is the magnitude of its largest coefficient.
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

  /// Writes a marker as a row over the present columns, unbounded.
  @inline(__always)
  private mutating func appendRow(of id: Int32) -> Int {
    let terms = symbols.terms(of: id)
    let number = symbols[id].isConstraint ? SymbolTable.checkNumber(id) : 0
    let row = tableau.appendRow(id, constant: symbols[id].constant)
    symbols.place(id, inRow: row)
    tableau.weights.add(-number, at: ~Int32(row))
    // Rows are added two at a time, which reads and writes the new one half as often.
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

  /// Gives the new marker in `row` a variable's column, which makes no price wrong; false where
  /// there is none to be had.
  @inline(__always) private mutating func takeColumn(_ row: Int, _ id: Int32) -> Bool {
    let line = tableau.row(row)
    // Mostly a variable that the constraint itself mentions.
    for term in symbols.terms(of: id) {
      let variable = term.variable.symbol
      let column = Int(symbols.position(of: variable))
      guard column >= 0, abs(line[column]) > 0.1, isFreeVariable(column) else { continue }
      // One that only this constraint mentions is in no other row, unless by the marker of a
      // removed one, and its cell is no remainder but the coefficient.
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

  /// Takes a changed constant over.
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

  /// Takes a constraint out. Its handle is spent; its marker goes at once where it is basic, else
  /// stays as a free column for the next constraint or the next solve.
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

  /// Takes the row of a dropped marker out for good.
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

  /// A pivot, after which both symbols know their places.
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

  /// Lets the optional marker of `row` cross 0.
  mutating func cross(_ row: Int, to side: Int8) {
    let id = tableau.basic(row)
    let before = symbols[id].slope
    symbols[id].side = side
    tableau.addPrices(symbols[id].slope - before, symbols[id].slot, row: row)
    setBounds(row)
  }

  /// Bounds of a row from its symbol's kind and side.
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

  /// Whether nothing is out of place, and nothing is to be checked.
  @inline(__always) var isSettled: Bool {
    pricing == .right && droppedCount == 0 && !tableau.values.mayBeViolated
      && !numbers.needsCheck()
  }

  /// The row to be moved next, or -1. It counts as dealt with from then on.
  @inline(__always)
  mutating func takeViolatedRow(isCareful: Bool) -> Int {
    while true {
      let row = isCareful ? tableau.leastViolatedSymbol() : tableau.takeMostViolatedRow()
      if row < 0 || !isRounding(row) { return row }
      tableau.values.moveIntoBounds(row)
    }
  }

  mutating func hasViolatedRow() -> Bool {
    let isViolated = takeViolatedRow(isCareful: false) >= 0
    if isViolated { tableau.values.suspectAll() }
    return isViolated
  }

  /// The row taken could not be dealt with.
  mutating func giveBackViolatedRow() { tableau.values.suspectAll() }

  /// The row is as near to its bounds as its numbers allow.
  mutating func moveIntoBounds(_ row: Int) { tableau.values.moveIntoBounds(row) }

  // MARK: Prices

  /// Whether a column was found whose move pays.
  mutating func notePriced(right: Bool) { pricing = right ? .right : .wrong }

  mutating func forgetPrices() {
    pricing = .forgotten
    for slot in priorityRows.order { tableau.clearPrices(slot) }
    for row in 0..<tableau.rowCount { setBounds(row) }
  }

  /// Chooses each basic marker's side by its value, and computes bounds and objective rows from
  /// that.
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

  /// Computes bounds and objective rows by the sides that basic markers have.
  mutating func priceBySides() {
    for slot in priorityRows.order { tableau.clearPrices(slot) }
    for row in 0..<tableau.rowCount {
      let symbol = symbols[tableau.basic(row)]
      if symbol.slope != 0 { tableau.addPrices(symbol.slope, symbol.slot, row: row) }
      setBounds(row)
    }
  }

  // MARK: Numbers put right

  /// Forgets which symbols are basic, and has the tableau read the constraints as they were given:
  /// all variables columns, all markers rows.
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

  /// Exchanges symbols where neither bounds nor prices are kept yet.
  mutating func restore(row: Int, column: Int) {
    symbols[tableau.basic(row)].side = 0
    pivot(row: row, column: column)
  }

  /// Takes out the rows of dropped markers.
  mutating func removeDroppedRows() {
    for row in (0..<tableau.rowCount).reversed()
    where symbols[tableau.basic(row)].kind == .dropped { removeDroppedRow(row) }
  }

  /// Moves column's symbols, and all rows with them.
  mutating func shift(_ changes: [(column: Int, change: Double)]) {
    for (column, change) in changes { tableau.shift(column: column, by: change) }
  }

  /// Gives a row its value as its constraint has it.
  mutating func correct(_ row: Int, to value: Double) {
    tableau.values.insert(value, at: row)
    tableau.values.noteMoved(row)
  }
}
