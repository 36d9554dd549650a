/// Prints the tableau as text for debugging.
extension Basis {
  /// See `Solver.dump`.
  func dump() -> String {
    var lines = [
      "\(tableau.columnCount) variables, \(constraintCount) constraints, \(droppedCount) removed, "
        + "prices \(pricing == .right ? "right" : "not right")",
      "basic = constant within bounds + coefficient·nonbasic …",
    ]
    for row in 0..<tableau.rowCount {
      let (lower, upper) = tableau.values.bounds(row)
      var line =
        "\(name(tableau.basic(row))) = \(Self.short(tableau.values[row])) within "
        + "\(Self.short(lower))…\(Self.short(upper))"
      line += Self.sum(tableau.row(row), tableau.columnCount) { name(tableau.nonbasic($0)) }
      lines.append(line)
    }
    for slot in priorityRows.order {
      lines.append(
        "cost at \(Self.short(Double(priorityRows.priority(of: slot)))):"
          + Self.sum(tableau.prices(slot), tableau.columnCount) {
            name(tableau.nonbasic($0))
          })
    }
    return lines.joined(separator: "\n")
  }

  private func name(_ id: Int32) -> String {
    switch symbols[id].kind {
    case .unused: "?\(id)"
    case .variable: "v\(id)"
    case .nonnegative: "w\(id)"
    case .equality: "=\(id)"
    case .inequality: ">\(id)"
    case .softEquality: "~\(id)"
    case .softInequality: "^\(id)"
    case .dropped: "x\(id)"
    }
  }

  private static func sum(
    _ cells: UnsafePointer<Double>, _ count: Int, _ name: (Int) -> String
  ) -> String {
    var text = ""
    for column in 0..<count where abs(cells[column]) > 1e-12 {
      text += cells[column] < 0 ? " - " : " + "
      let magnitude = abs(cells[column])
      if magnitude != 1 { text += short(magnitude) + "·" }
      text += name(column)
    }
    return text
  }

  private static func short(_ value: Double) -> String {
    guard abs(value) < 1e12 else { return "\(value)" }
    let thousandths = Int(value * 1000 + (value < 0 ? -0.5 : 0.5))
    return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
  }
}

/// A full self-check for tests; compiled out of release builds.
extension Basis {
  #if DEBUG
    /// Describes the first violated rule, or after a solve a missed optimum; `nil` if all is well.
    ///
    /// - Complexity: O(variables · constraints · terms).
    func brokenRule(afterSolving: Bool) -> String? {
      labelFault() ?? tableau.brokenRule() ?? rowFault() ?? priceFault()
        ?? (afterSolving ? optimumFault() : nil)
    }

    private func labelFault() -> String? {
      for row in 0..<tableau.rowCount {
        let id = tableau.basic(row)
        if symbols.position(of: id) != ~Int32(row) { return "row \(row) is not \(id)'s" }
      }
      var free = 0
      for column in 0..<tableau.columnCount {
        let id = tableau.nonbasic(column)
        if symbols.position(of: id) != Int32(column) { return "column \(column) is not \(id)'s" }
        if tableau.movable.contains(column) != (symbols[id].kind != .equality) {
          return "column \(column) is wrongly movable, or wrongly not"
        }
        if symbols[id].side != 0 { return "column \(column) is not at 0" }
        if symbols[id].isVariable { free += 1 }
      }
      var variables = 0
      var markers = 0
      var dropped = 0
      for id in 0..<Int32(symbols.count) {
        if symbols[id].isVariable { variables += 1 }
        if symbols[id].isMarker { markers += 1 }
        if symbols[id].kind == .dropped { dropped += 1 }
      }
      if free != freeVariableCount { return "\(free) variables are columns" }
      if dropped != droppedCount { return "\(dropped) dropped, counted \(droppedCount)" }
      if tableau.columnCount != variables { return "the columns do not match the variables" }
      if tableau.rowCount != markers { return "the rows do not match the markers" }
      return nil
    }

    /// The first marker whose equation does not hold in the tableau, in its value or in a column.
    private func rowFault() -> String? {
      for id in 0..<Int32(symbols.count) where symbols[id].isMarker {
        for column in -1..<tableau.columnCount {
          var sum = column < 0 ? symbols[id].constant : 0
          var size = max(1, abs(sum))
          for term in symbols.terms(of: id) {
            let summand = term.coefficient * entry(term.variable.symbol, column)
            sum += summand
            size = max(size, abs(summand))
          }
          let own = entry(id, column)
          if abs(own - sum) > 1e-6 * size {
            return "marker \(id) is \(own) at column \(column), its terms \(sum)"
          }
        }
      }
      return nil
    }

    /// A symbol's value (column -1) or its rate of change with a column.
    private func entry(_ id: Int32, _ column: Int) -> Double {
      let position = symbols.position(of: id)
      if position >= 0 { return Int(position) == column ? 1 : 0 }
      let row = Int(~position)
      return column < 0 ? tableau.values[row] : tableau.row(row)[column]
    }

    /// The first price that is not the sum of the basic markers' costs.
    private func priceFault() -> String? {
      for slot in priorityRows.order {
        for column in 0..<tableau.columnCount {
          var sum = 0.0
          for row in 0..<tableau.rowCount {
            let symbol = symbols[tableau.basic(row)]
            if symbol.isSoft && symbol.slot == slot {
              sum += symbol.slope * tableau.row(row)[column]
            }
          }
          let held = tableau.price(column, slot)
          if abs(held - sum) > 1e-6 * max(1, abs(held)) {
            return
              "price \(held) of column \(column) at \(priorityRows.priority(of: slot)) is \(sum)"
          }
        }
      }
      return nil
    }

    /// A removed constraint that has stayed, a row out of its bounds, or a column whose move pays.
    private func optimumFault() -> String? {
      if droppedCount > 0 { return "\(droppedCount) removed constraints stay" }
      for row in 0..<tableau.rowCount {
        if tableau.values.violation(row) > RowValues.tolerance * 10 {
          return "row \(row) is out of its bounds"
        }
      }
      for column in tableau.movable {
        let symbol = symbols[tableau.nonbasic(column)]
        for side: Int8 in symbol.isOneSided ? [1] : [1, -1] {
          let cost = firstCost(of: symbol, column: column, side: side, tolerance: 1e-7).cost
          if cost < 0 { return "moving column \(column) to \(side) pays \(-cost)" }
        }
      }
      return nil
    }
  #endif
}
