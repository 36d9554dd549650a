import ConstraintSolver

/// A slow solver to compare with. The costs of a lexicographic optimum are taken at a point where
/// as many constraints as there are variables meet, so it tries all such points. Every variable
/// must be pinned by some constraint of its own, else there may be no such point.
struct VertexReference {
  struct Constraint {
    var coefficients: [Double]
    var relation: Relation
    var constant: Double
    var priority: Float

    /// How far `point` is from satisfying it.
    func violation(at point: [Double]) -> Double {
      var sum = constant
      for index in point.indices { sum += coefficients[index] * point[index] }
      switch relation {
      case .equal: return abs(sum)
      case .lessThanOrEqual: return max(0, sum)
      case .greaterThanOrEqual: return max(0, -sum)
      }
    }
  }

  static let tolerance = 1e-6

  /// Violations summed per priority, highest first; nil where required constraints clash.
  static func optimum(_ constraints: [Constraint], variables: Int) -> [Double]? {
    let priorities = levels(constraints)
    var best: [Double]?
    var chosen: [Int] = []
    func descend(_ start: Int) {
      if chosen.count == variables {
        guard let point = meeting(chosen.map { constraints[$0] }) else { return }
        guard isAllowed(point, constraints) else { return }
        let costs = costs(at: point, constraints, priorities)
        if best.map({ isLess(costs, $0) }) ?? true { best = costs }
        return
      }
      for index in start..<constraints.count {
        chosen.append(index)
        descend(index + 1)
        chosen.removeLast()
      }
    }
    descend(0)
    return best
  }

  static func levels(_ constraints: [Constraint]) -> [Float] {
    Set(constraints.map(\.priority)).filter { $0 < Solver.required }.sorted(by: >)
  }

  static func isAllowed(_ point: [Double], _ constraints: [Constraint]) -> Bool {
    constraints.allSatisfy {
      $0.priority < Solver.required || $0.violation(at: point) < tolerance
    }
  }

  static func costs(
    at point: [Double], _ constraints: [Constraint], _ priorities: [Float]
  ) -> [Double] {
    priorities.map { priority in
      constraints.reduce(0) {
        $0 + ($1.priority == priority ? $1.violation(at: point) : 0)
      }
    }
  }

  static func isLess(_ left: [Double], _ right: [Double]) -> Bool {
    for (a, b) in zip(left, right) {
      if a < b - tolerance { return true }
      if a > b + tolerance { return false }
    }
    return false
  }

  /// The point where the constraints' left sides are all 0, by Gaussian elimination.
  private static func meeting(_ constraints: [Constraint]) -> [Double]? {
    var rows = constraints.map { $0.coefficients + [-$0.constant] }
    let count = rows.count
    for column in 0..<count {
      let pivot = (column..<count).max { abs(rows[$0][column]) < abs(rows[$1][column]) }
      guard let pivot, abs(rows[pivot][column]) > 1e-9 else { return nil }
      rows.swapAt(column, pivot)
      for other in 0..<count where other != column {
        let factor = rows[other][column] / rows[column][column]
        if factor == 0 { continue }
        for index in column...count { rows[other][index] -= factor * rows[column][index] }
      }
    }
    return (0..<count).map { rows[$0][count] / rows[$0][$0] }
  }
}
