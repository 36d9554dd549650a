import ConstraintSolver

/// A simplex in exact numbers, begun at the point that a system is known to allow. It shares
/// nothing with the solver: optional constraints are split in two columns, what is over and what is
/// missing.
struct ExactReference {
  /// The least costs by priority, highest first.
  static func costs(of system: FeasibleSystem) throws -> [Double] {
    var reference = try ExactReference(system)
    try reference.eliminateVariables()
    try reference.minimise()
    return reference.rows.prefix(reference.levelCount).map(\.constant.double)
  }

  /// symbol = constant + Σ cell · column's symbol. Objectives come first, the highest priority
  /// first.
  private struct Row {
    var symbol: Int
    var constant: Fraction
    var cells: [Fraction]
  }

  private var rows: [Row]
  /// Symbols of the columns; variables are the first ones.
  private var columns: [Int]
  private let variableCount: Int
  private let levelCount: Int
  /// Symbols that stay 0.
  private var equations: Set<Int> = []

  private init(_ system: FeasibleSystem) throws {
    let levels = Set(system.constraints.map(\.priority)).filter { $0 < Solver.required }
      .sorted(by: >)
    variableCount = system.point.count
    levelCount = levels.count
    columns = Array(0..<variableCount)
    rows = levels.map { _ in Row(symbol: -1, constant: .zero, cells: []) }
    let point = try system.point.map { try Fraction($0) }
    let width = variableCount + system.constraints.count
    for index in rows.indices { rows[index].cells = Array(repeating: .zero, count: width) }
    for constraint in system.constraints {
      // As a marker that is wanted at 0 or above.
      let sign = try Fraction(constraint.relation == .lessThanOrEqual ? -1 : 1)
      var row = Row(
        symbol: width + rows.count, constant: try sign * Fraction(constraint.constant),
        cells: Array(repeating: .zero, count: width))
      for (variable, coefficient) in constraint.terms {
        row.cells[variable] = try sign * Fraction(coefficient)
        row.constant = try row.constant + row.cells[variable] * point[variable]
      }
      if constraint.isRequired {
        if constraint.relation == .equal { equations.insert(row.symbol) }
      } else {
        // over − missing = marker; the one that is 0 becomes a column.
        let isMissing = row.constant.isNegative
        if isMissing {
          row.constant = -row.constant
          row.cells = row.cells.map { -$0 }
        }
        let column = columns.count
        row.cells[column] = try Fraction(1)
        columns.append(2 * width + rows.count)
        let level = levels.firstIndex(of: constraint.priority) ?? 0
        if isMissing || constraint.relation == .equal {
          rows[level].constant = try rows[level].constant + row.constant
          for index in row.cells.indices {
            rows[level].cells[index] = try rows[level].cells[index] + row.cells[index]
          }
        }
        if !isMissing || constraint.relation == .equal {
          rows[level].cells[column] = try rows[level].cells[column] + Fraction(1)
        }
      }
      rows.append(row)
    }
    for index in rows.indices {
      rows[index].cells.removeLast(rows[index].cells.count - columns.count)
    }
  }

  /// Takes every variable out of the columns: through an equation, or to the first bound it meets.
  private mutating func eliminateVariables() throws {
    for equation in equations.sorted() {
      guard let index = rows.firstIndex(where: { $0.symbol == equation }) else { continue }
      let free = columns.indices.first {
        columns[$0] < variableCount && !rows[index].cells[$0].isZero
      }
      // Without one it says what others say.
      if let free {
        try exchange(index, free)
        removeColumn(free)
      }
      rows.remove(at: index)
    }
    while let column = columns.firstIndex(where: { $0 < variableCount }) {
      if let row = try limit(column) {
        try exchange(row, column)
        rows.remove(at: row)
        continue
      }
      for index in rows.indices { rows[index].cells[column] = -rows[index].cells[column] }
      if let row = try limit(column) {
        try exchange(row, column)
        rows.remove(at: row)
      } else {
        removeColumn(column)
      }
    }
  }

  private mutating func removeColumn(_ column: Int) {
    columns.remove(at: column)
    for index in rows.indices { rows[index].cells.remove(at: column) }
  }

  /// Primal simplex by least indices, costs compared by priority.
  private mutating func minimise() throws {
    while true {
      let paying = columns.indices.filter { column in
        rows.prefix(levelCount).first { !$0.cells[column].isZero }?.cells[column].isNegative
          ?? false
      }
      guard let column = paying.min(by: { columns[$0] < columns[$1] }) else { return }
      guard let row = try limit(column) else { return }
      try exchange(row, column)
    }
  }

  /// The row that reaches 0 first when the column's symbol grows.
  private func limit(_ column: Int) throws -> Int? {
    var found: (row: Int, reach: Fraction)?
    for index in rows.indices.dropFirst(levelCount) where rows[index].cells[column].isNegative {
      let reach = try rows[index].constant / -rows[index].cells[column]
      if let best = found {
        if try Fraction.isLess(best.reach, reach) { continue }
        if best.reach == reach, rows[best.row].symbol < rows[index].symbol { continue }
      }
      found = (index, reach)
    }
    return found?.row
  }

  private mutating func exchange(_ row: Int, _ column: Int) throws {
    let inverse = try Fraction(1) / rows[row].cells[column]
    var pivot = rows[row]
    pivot.constant = try -(pivot.constant * inverse)
    for index in pivot.cells.indices where !pivot.cells[index].isZero {
      pivot.cells[index] = try -(pivot.cells[index] * inverse)
    }
    pivot.cells[column] = inverse
    for other in rows.indices where other != row {
      let factor = rows[other].cells[column]
      if factor.isZero { continue }
      rows[other].constant = try rows[other].constant + factor * pivot.constant
      rows[other].cells[column] = .zero
      for index in pivot.cells.indices where !pivot.cells[index].isZero {
        rows[other].cells[index] = try rows[other].cells[index] + factor * pivot.cells[index]
      }
    }
    swap(&pivot.symbol, &columns[column])
    rows[row] = pivot
  }
}
