/// The tableau as text, to read while debugging.
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
