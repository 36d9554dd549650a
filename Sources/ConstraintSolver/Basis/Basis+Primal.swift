/// The costs of moving columns, and the primal simplex: with all rows within their bounds, it makes
/// prices right. A move pays if it lowers the cost. Removing a constraint can leave columns whose
/// move pays.
extension Basis {
  /// With all rows within their bounds: makes prices right, then clears removed columns. False if
  /// the primal simplex did not finish.
  ///
  /// - Complexity: O(variables · constraints) a step.
  mutating func settlePrices() -> Bool {
    guard runPrimal() else { return false }
    notePriced(right: true)
    clearDroppedColumns()
    return true
  }

  private mutating func runPrimal() -> Bool {
    var steps = 0
    var idleSteps = 0
    while true {
      let isCareful = idleSteps > idleLimit
      guard let (column, side) = payingColumn(isCareful: isCareful) else { return true }
      steps += 1
      if steps > stepLimit { return false }
      let limit = tableau.limitingRow(column: column, side: side, isCareful: isCareful)
      // Costs are bounded below, so a paying move without a limit is a rounding error.
      guard limit.row >= 0 else { return !numbers.mayHaveDrifted() }
      idleSteps = limit.distance > RowValues.tolerance ? 0 : idleSteps + 1
      exchange(row: limit.row, column: column, side: side)
    }
  }

  func hasPayingColumn() -> Bool { payingColumn(isCareful: false) != nil }

  /// The column whose move from 0 pays most at the highest priority, and the side to move to. If
  /// `isCareful`, it is the one with the least symbol of all that pay (Bland's rule).
  private func payingColumn(isCareful: Bool) -> (column: Int, side: Int8)? {
    var best = -1
    var bestSide: Int8 = 0
    var bestLevel = Int.max
    var bestGain = 0.0
    for column in tableau.movable {
      let symbol = symbols[tableau.nonbasic(column)]
      var side: Int8 = 1
      while true {
        let (level, cost) = firstCost(of: symbol, column: column, side: side)
        if cost < 0 {
          let isBetter =
            isCareful
            ? best < 0 || tableau.nonbasic(column) < tableau.nonbasic(best)
            : level < bestLevel || (level == bestLevel && cost < bestGain)
          if isBetter {
            best = column
            bestSide = side
            bestLevel = level
            bestGain = cost
          }
        }
        if side < 0 || symbol.isOneSided { break }
        side = -1
      }
    }
    return best < 0 ? nil : (best, bestSide)
  }

  /// The cost of moving a column's symbol to `side`, at the highest priority at which its magnitude
  /// exceeds `tolerance`; 0 if there is none. It is negative if the move pays.
  @inline(__always)
  func firstCost(
    of symbol: Symbol, column: Int, side: Int8, tolerance: Double? = nil
  ) -> (level: Int, cost: Double) {
    let tolerance = tolerance ?? priceTolerance
    var level = 0
    for slot in priorityRows.order {
      var cost = tableau.price(column, slot) * Double(side)
      if symbol.isSoft && symbol.slot == slot { cost += symbol.weight(side) }
      if abs(cost) > tolerance { return (level, cost) }
      level += 1
    }
    return (level, 0)
  }

  /// Columns whose move from 0, to at least one side, costs nothing at any priority.
  func freeColumns() -> [Int] {
    tableau.movable.filter { column in
      let symbol = symbols[tableau.nonbasic(column)]
      return firstCost(of: symbol, column: column, side: 1).cost == 0
        || (!symbol.isOneSided
          && firstCost(of: symbol, column: column, side: -1).cost == 0)
    }
  }

  /// Whether moving any of the columns moves the symbol.
  func reaches(_ columns: [Int], _ id: Int32) -> Bool {
    let position = symbols.position(of: id)
    if position >= 0 { return columns.contains(Int(position)) }
    let line = tableau.row(Int(~position))
    let smallest = tableau.smallestPivot(Int(~position))
    return columns.contains { abs(line[$0]) > smallest }
  }

  // MARK: Prices after an exchange

  /// Whether all prices would be right if the marker of `row` took the place of `column`.
  mutating func mayPrice(row: Int, takingPriceOf column: Int) -> Bool {
    let line = tableau.row(row)
    let inverse = 1 / line[column]
    let marker = symbols[tableau.basic(row)]
    guard isPricedRight(marker, column, keep: 0, share: -inverse, of: column) else { return false }
    for other in tableau.movable where other != column && Tableau.isNotZero(line + other) {
      let symbol = symbols[tableau.nonbasic(other)]
      if !isPricedRight(symbol, other, keep: 1, share: line[other] * inverse, of: column) {
        return false
      }
    }
    return true
  }

  /// Whether no move of a non-basic `symbol` from 0 pays at the prices `keep` · the column's −
  /// `share` · `taken`'s.
  @inline(__always)
  private func isPricedRight(
    _ symbol: Symbol, _ column: Int, keep: Double, share: Double, of taken: Int
  ) -> Bool {
    if symbol.kind == .equality || symbol.kind == .dropped { return true }
    let ownSlot = symbol.isSoft ? symbol.slot : -1
    var upSettled = false
    var downSettled = symbol.isOneSided
    for slot in priorityRows.order {
      let price = keep * tableau.price(column, slot) - share * tableau.price(taken, slot)
      let isOwn = slot == ownSlot
      if !upSettled {
        let cost = isOwn ? price + symbol.upWeight : price
        if cost < -priceTolerance { return false }
        upSettled = cost > priceTolerance
      }
      if !downSettled {
        let cost = isOwn ? symbol.downWeight - price : -price
        if cost < -priceTolerance { return false }
        downSettled = cost > priceTolerance
      }
      if upSettled && downSettled { return true }
    }
    return true
  }

  // MARK: Columns of removed constraints

  /// A removed constraint's column that the marker of `row` may take while all prices stay right,
  /// else -1. The marker must be at cost 0.
  mutating func droppedColumnToTake(_ row: Int) -> Int {
    let best = largestColumn(row) { symbols[tableau.nonbasic($0)].kind == .dropped }
    guard best >= 0, tableau.isPivot(row, best) else { return -1 }
    return mayPrice(row: row, takingPriceOf: best) ? best : -1
  }

  /// Clears the columns of removed constraints by moves that keep prices right and rows within
  /// their bounds; false if one of the columns has no such move.
  @inline(__always) mutating func takeOutDroppedColumns() -> Bool {
    droppedCount == 0 || takeOutEachDroppedColumn()
  }

  @inline(never) private mutating func takeOutEachDroppedColumn() -> Bool {
    while droppedCount > 0 {
      guard
        let column = tableau.movable.first(where: {
          symbols[tableau.nonbasic($0)].kind == .dropped
        })
      else { return false }
      let symbol = symbols[tableau.nonbasic(column)]
      let price = firstCost(of: symbol, column: column, side: 1).cost
      let row = tableau.limitingRow(
        column: column, side: price > 0 ? -1 : 1, isCareful: false
      ).row
      guard row >= 0, symbols[tableau.basic(row)].slope == 0,
        mayPrice(row: row, takingPriceOf: column)
      else { return false }
      exchange(row: row, column: column, side: 1)
    }
    return true
  }

  /// Clears the columns of removed constraints, whose moves no longer change the cost.
  private mutating func clearDroppedColumns() {
    var column = 0
    while droppedCount > 0, column < tableau.columnCount {
      if symbols[tableau.nonbasic(column)].kind == .dropped { clear(column) }
      column += 1
    }
  }

  private mutating func clear(_ column: Int) {
    for side: Int8 in [1, -1] {
      let row = tableau.limitingRow(column: column, side: side, isCareful: false).row
      if row >= 0 { return exchange(row: row, column: column, side: side) }
    }
    // Only variables depend on it: any of them may become the column instead.
    var best = -1
    var size = 0.0
    for row in 0..<tableau.rowCount where abs(tableau.row(row)[column]) > size {
      best = row
      size = abs(tableau.row(row)[column])
    }
    if best >= 0 { exchange(row: best, column: column, side: 1) }
  }
}
