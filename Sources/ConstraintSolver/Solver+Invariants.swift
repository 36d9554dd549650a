/// A full self-check, for tests; compiled out of release builds.
extension Solver {
  #if DEBUG
    /// The first rule the state breaks, or nil. After `solve` also whether the state is an optimum.
    ///
    /// - Complexity: O(variables · constraints · terms).
    public borrowing func brokenInvariant(afterSolving: Bool) -> String? {
      labelFault() ?? rowFault() ?? priceFault() ?? (afterSolving ? optimumFault() : nil)
    }

    private borrowing func labelFault() -> String? {
      var seen = 0
      for row in 0..<tableau.rowCount {
        let id = tableau.basic[row]
        if symbols.places[Int(id)].position != ~Int32(row) { return "row \(row) is not \(id)'s" }
        seen += 1
      }
      for column in 0..<tableau.columnCount {
        let id = tableau.nonbasic[column]
        if symbols.places[Int(id)].position != Int32(column) {
          return "column \(column) is not \(id)'s"
        }
        if tableau.isMovable(column) != (symbols.symbols[Int(id)].kind != .equality) {
          return "column \(column) is marked wrongly as one that moves or not"
        }
        seen += 1
      }
      var used = 0
      var dropped = 0
      for id in 0..<symbols.count where symbols.symbols[id].kind != .unused {
        used += 1
        if symbols.symbols[id].kind == .dropped { dropped += 1 }
      }
      let free = (0..<tableau.columnCount).count {
        symbols.symbols[Int(tableau.nonbasic[$0])].kind == .variable
      }
      if free != freeVariableCount { return "\(free) variables are columns" }
      if used != seen { return "\(used) symbols but \(seen) labels" }
      if dropped != droppedCount { return "\(dropped) dropped, counted \(droppedCount)" }
      if tableau.columnCount != variableCount { return "columns are not as many as variables" }
      if tableau.rowCount != constraintCount + dropped { return "rows are not a constraint each" }
      for row in 0..<tableau.rowCapacity {
        let start = row < tableau.rowCount ? tableau.columnCount : 0
        for column in start..<tableau.stride where tableau.row(row)[column] != 0 {
          return "padding at \(row), \(column) is not zero"
        }
      }
      if !tableau.violations.mayExist {
        for row in 0..<tableau.rowCount where tableau.isViolated(row) {
          return "row \(row) is out of its bounds unnoticed"
        }
      }
      return nil
    }

    /// Every marker's equation holds in the tableau, for its constant and for each column.
    private borrowing func rowFault() -> String? {
      for id in 0..<symbols.count {
        let symbol = symbols.symbols[id]
        guard symbol.isConstraint || symbol.kind == .dropped else { continue }
        let start = Int(symbol.termStart)
        for column in -1..<tableau.columnCount {
          var sum = column < 0 ? symbol.constant : 0
          for index in start..<(start + Int(symbol.termCount)) {
            sum +=
              symbols.termCoefficients[index] * entry(Int(symbols.termSymbols[index]), column)
          }
          let own = entry(id, column)
          if abs(own - sum) > 1e-6 * max(scale, abs(own)) {
            return "marker \(id) is \(own) at column \(column), its terms \(sum)"
          }
        }
      }
      return nil
    }

    /// A symbol's value (column -1) or its change with a column.
    private borrowing func entry(_ id: Int, _ column: Int) -> Double {
      let position = symbols.places[id].position
      if position >= 0 { return Int(position) == column ? 1 : 0 }
      let row = Int(~position)
      return column < 0 ? tableau.constants[row] : tableau.row(row)[column]
    }

    /// Objective rows are the sums of basic markers' costs.
    private borrowing func priceFault() -> String? {
      for slot in priorityRows.order {
        for column in 0..<tableau.columnCount {
          var sum = 0.0
          for row in 0..<tableau.rowCount {
            let symbol = symbols.symbols[Int(tableau.basic[row])]
            if symbol.isSoft && symbol.slot == slot {
              sum += symbol.slope * tableau.row(row)[column]
            }
          }
          let held = tableau.objectiveRow(Int(slot))[column]
          if abs(held - sum) > 1e-6 * max(1, abs(held)) {
            return
              "price \(held) of column \(column) at \(priorityRows.priority(of: slot)) is \(sum)"
          }
        }
      }
      return nil
    }

    /// Rows are within bounds and no column's move pays.
    private borrowing func optimumFault() -> String? {
      if droppedCount > 0 { return "\(droppedCount) removed constraints stay" }
      let tolerance = feasibilityTolerance * 10
      for row in 0..<tableau.rowCount {
        let value = tableau.constants[row]
        if max(tableau.lower[row] - value, value - tableau.upper[row]) > tolerance {
          return "row \(row) is out of its bounds"
        }
      }
      for column in 0..<tableau.columnCount {
        let symbol = symbols.symbols[Int(tableau.nonbasic[column])]
        if symbol.kind == .equality { continue }
        for side: Double in symbol.kind == .inequality ? [1] : [1, -1] {
          for slot in priorityRows.order {
            var cost = tableau.objectiveRow(Int(slot))[column] * side
            if symbol.isSoft && symbol.slot == slot {
              cost += side > 0 ? symbol.upWeight : symbol.downWeight
            }
            if cost > 1e-7 { break }
            if cost < -1e-7 { return "moving column \(column) to \(side) pays \(-cost)" }
          }
        }
      }
      return nil
    }
  #endif
}
