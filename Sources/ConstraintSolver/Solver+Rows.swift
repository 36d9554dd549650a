/// Constraints as rows of the tableau: how they come in, change places with columns, and go.
extension Solver {
  mutating func takePriorityRow(_ id: Int) {
    let (slot, isNew) = priorityRows.take(symbols.symbols[id].priority)
    tableau.reserve(rows: 0, columns: 0, slots: priorityRows.rowCount)
    if isNew { tableau.objectiveRow(Int(slot)).update(repeating: 0, count: tableau.stride) }
    symbols.symbols[id].slot = slot
  }

  mutating func store(_ terms: Span<Term>, of id: Int) {
    let start = Int(symbols.symbols[id].termStart)
    let orientation = symbols.symbols[id].orientation
    var count = 0
    for index in terms.indices where terms[index].coefficient != 0 {
      let variable = Int(terms[index].variable.symbol)
      symbols.termSymbols[start + count] = Int32(variable)
      symbols.termCoefficients[start + count] = terms[index].coefficient * orientation
      symbols.symbols[variable].uses += 1
      count += 1
    }
    symbols.symbols[id].termCount = Int32(count)
  }

  /// Writes the constraint as a row over the present columns, and gives the row a column where one
  /// is free to be taken at once.
  mutating func enter(_ id: Int32) {
    tableau.reserve(rows: tableau.rowCount + 1, columns: 0, slots: 0)
    let row = tableau.appendRow(id)
    let line = tableau.row(row)
    let symbol = symbols.symbols + Int(id)
    let start = Int(symbol.pointee.termStart)
    let end = start + Int(symbol.pointee.termCount)
    var constant = symbol.pointee.constant
    for index in start..<end {
      let coefficient = symbols.termCoefficients[index]
      let position = symbols.places[Int(symbols.termSymbols[index])].position
      if position >= 0 {
        line[Int(position)] += coefficient
      } else {
        tableau.accumulate(line, coefficient, tableau.row(Int(~position)))
        constant += coefficient * tableau.constants[Int(~position)]
      }
    }
    tableau.constants[row] = constant
    symbols.places[Int(id)].position = ~Int32(row)
    let bounds = symbol.pointee.bounds
    tableau.lower[row] = bounds.lower
    tableau.upper[row] = bounds.upper

    let column = columnToTake(row, own: start..<end)
    if column >= 0 {
      // A variable that only this constraint mentions is in no other row, unless by the marker of a
      // removed one.
      let variable = tableau.nonbasic[column]
      let isFresh =
        droppedCount == 0 && symbols.symbols[Int(variable)].uses == 1
        && mentions(variable, start..<end)
      exchange(row: row, column: column, side: 1, isFresh: isFresh)
    } else {
      tableau.noteMoved(row)
    }
  }

  private mutating func mentions(_ variable: Int32, _ terms: Range<Int>) -> Bool {
    for index in terms where symbols.termSymbols[index] == variable { return true }
    return false
  }

  /// A variable's column that the new marker in `row` may take, which makes no price wrong; else -1.
  private mutating func columnToTake(_ row: Int, own terms: Range<Int>) -> Int {
    guard isDualFeasible && freeVariableCount > 0 else { return -1 }
    let line = tableau.row(row)
    // Mostly a variable that the constraint itself mentions.
    for index in terms {
      let position = Int(symbols.places[Int(symbols.termSymbols[index])].position)
      if position >= 0, abs(line[position]) >= 0.125 { return position }
    }
    return largestColumn(of: .variable, inRow: row)
  }

  /// A removed constraint's column that the marker of `row` may take without making any price wrong,
  /// else -1. The marker is to be at cost 0.
  mutating func droppedColumnToTake(_ row: Int) -> Int {
    let best = largestColumn(of: .dropped, inRow: row)
    return best >= 0 && mayPrice(row: row, takingPriceOf: best) ? best : -1
  }

  /// The column of a symbol of this kind with the largest cell in a row; -1 where there is none to
  /// pivot on.
  @inline(__always)
  private func largestColumn(of kind: Symbol.Kind, inRow row: Int) -> Int {
    let line = tableau.row(row)
    var best = -1
    var size = Solver.smallestPivot
    for column in tableau.movableColumns {
      let magnitude = abs(line[column])
      if magnitude > size, symbols.symbols[Int(tableau.nonbasic[column])].kind == kind {
        best = column
        size = magnitude
      }
    }
    return best
  }

  /// Whether all columns would be priced right were the marker of `row` to take the place of
  /// `column`.
  mutating func mayPrice(row: Int, takingPriceOf column: Int) -> Bool {
    let line = tableau.row(row)
    let inverse = 1 / line[column]
    let prices = UnsafePointer(tableau.objective + column)
    let marker = symbols.symbols + Int(tableau.basic[row])
    guard isPricedRight(marker, 0, prices, -inverse, prices) else { return false }
    for other in tableau.movableColumns where other != column && Tableau.isNotZero(line + other) {
      let symbol = symbols.symbols + Int(tableau.nonbasic[other])
      let own = UnsafePointer(tableau.objective + other)
      if !isPricedRight(symbol, 1, own, line[other] * inverse, prices) { return false }
    }
    return true
  }

  /// Whether no move of a non-basic `symbol` from 0 pays at the prices `keep` · `own` − `share` ·
  /// `taken` in each objective row.
  @inline(__always)
  private func isPricedRight(
    _ symbol: UnsafePointer<Symbol>, _ keep: Double, _ own: UnsafePointer<Double>,
    _ share: Double, _ taken: UnsafePointer<Double>
  ) -> Bool {
    let kind = symbol.pointee.kind
    if kind == .equality || kind == .dropped { return true }
    let ownSlot = symbol.pointee.isSoft ? symbol.pointee.slot : -1
    var upSettled = false
    var downSettled = kind == .inequality
    for slot in priorityRows.order {
      let offset = Int(slot) &* tableau.stride
      let price = keep * own[offset] - share * taken[offset]
      let isOwn = slot == ownSlot
      if !upSettled {
        let cost = isOwn ? price + symbol.pointee.upWeight : price
        if cost < -Solver.priceTolerance { return false }
        upSettled = cost > Solver.priceTolerance
      }
      if !downSettled {
        let cost = isOwn ? symbol.pointee.downWeight - price : -price
        if cost < -Solver.priceTolerance { return false }
        downSettled = cost > Solver.priceTolerance
      }
      if upSettled && downSettled { return true }
    }
    return true
  }

  /// Takes a constraint out. Its handle is spent; its marker goes at once where it is basic, else
  /// stays as a free column for the next constraint or the next `solve`.
  mutating func drop(_ id: Int) {
    let symbol = symbols.symbols + id
    let position = symbols.places[id].position
    if position < 0 {
      let row = Int(~position)
      let slope = isRelaxed ? 0 : symbol.pointee.slope
      if slope != 0 {
        tableau.accumulate(
          tableau.objectiveRow(Int(symbol.pointee.slot)), -slope, tableau.row(row))
        isDualFeasible = false
      }
    }
    if symbol.pointee.isSoft { priorityRows.release(symbol.pointee.slot) }
    let start = Int(symbol.pointee.termStart)
    for index in start..<(start + Int(symbol.pointee.termCount)) {
      symbols.symbols[Int(symbols.termSymbols[index])].uses -= 1
    }
    constraintCount -= 1
    symbols.places[id].generation += 1
    symbol.pointee.kind = .dropped
    droppedCount += 1
    if position < 0 {
      removeDroppedRow(Int(~position))
    } else {
      tableau.setMovable(Int(position), true)
    }
  }

  /// Takes the row of a dropped marker out for good.
  mutating func removeDroppedRow(_ row: Int) {
    let id = tableau.basic[row]
    let moved = tableau.removeRow(row)
    if moved >= 0 { symbols.places[Int(moved)].position = ~Int32(row) }
    symbols.release(id)
    droppedCount -= 1
  }

  /// Exchanges the symbols of `row` and `column`; the entering one moves to `side` of 0. A dropped
  /// marker that enters leaves the tableau.
  mutating func exchange(row: Int, column: Int, side: Int8, isFresh: Bool = false) {
    let leaving = tableau.basic[row]
    let entering = tableau.nonbasic[column]
    let old = symbols.symbols + Int(leaving)
    let new = symbols.symbols + Int(entering)
    new.pointee.side = side
    if !isRelaxed {
      let slope = old.pointee.slope
      if slope != 0 {
        tableau.accumulate(
          tableau.objectiveRow(Int(old.pointee.slot)), -slope, tableau.row(row))
      }
      let newSlope = new.pointee.slope
      if newSlope != 0 { tableau.objectiveRow(Int(new.pointee.slot))[column] += newSlope }
    }
    tableau.pivot(row: row, column: column, isFresh: isFresh)
    pivotCount += 1
    tableau.basic[row] = entering
    tableau.nonbasic[column] = leaving
    tableau.setMovable(column, old.pointee.kind != .equality)
    if new.pointee.kind == .variable { freeVariableCount -= 1 }
    if old.pointee.kind == .variable { freeVariableCount += 1 }
    symbols.places[Int(leaving)].position = Int32(column)
    symbols.places[Int(entering)].position = ~Int32(row)
    old.pointee.side = 0
    if new.pointee.kind == .dropped {
      removeDroppedRow(row)
    } else {
      setBounds(row)
    }
  }

  /// Bounds of a row from its symbol's kind and side.
  mutating func setBounds(_ row: Int) {
    let symbol = symbols.symbols + Int(tableau.basic[row])
    if isRelaxed && symbol.pointee.isSoft {
      tableau.lower[row] = -.infinity
      tableau.upper[row] = .infinity
    } else {
      let bounds = symbol.pointee.bounds
      tableau.lower[row] = bounds.lower
      tableau.upper[row] = bounds.upper
      tableau.noteMoved(row)
    }
  }
}
