/// The tableau as text, to read while debugging.
extension Solver {
  /// Rows, columns, bounds and prices with a legend. Symbols are named by kind and id: `v` variable,
  /// `=` required equation, `>` required inequality, `~` and `^` the same optional, `x` removed.
  ///
  /// - Complexity: O(variables · constraints).
  public borrowing func dump() -> String {
    var lines = [
      "\(variableCount) variables, \(constraintCount) constraints, \(droppedCount) removed, "
        + "prices \(isDualFeasible ? "right" : "not right")",
      "basic = constant within bounds + coefficient·nonbasic …",
    ]
    for row in 0..<tableau.rowCount {
      var line =
        "\(name(tableau.basic[row])) = \(Self.short(tableau.constants[row])) within "
        + "\(Self.short(tableau.lower[row]))…\(Self.short(tableau.upper[row]))"
      line += Self.sum(tableau.row(row), tableau.columnCount) { name(tableau.nonbasic[$0]) }
      lines.append(line)
    }
    for slot in priorityRows.order {
      lines.append(
        "cost at \(priorityRows.priority(of: slot)):"
          + Self.sum(tableau.objectiveRow(Int(slot)), tableau.columnCount) {
            name(tableau.nonbasic[$0])
          })
    }
    return lines.joined(separator: "\n")
  }

  private borrowing func name(_ id: Int32) -> String {
    switch symbols.symbols[Int(id)].kind {
    case .unused: "?\(id)"
    case .variable: "v\(id)"
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
